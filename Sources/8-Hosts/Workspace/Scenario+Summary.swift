import ClientInterface
package import Scenario
package import Tree

extension Scenario {
  /// One line of `kennel list --format json`.
  package var summary: JSON {
    [
      "id": .string(id), "title": .string(title), "file": .string(file),
      "rules": .array(rules.map { .string($0.id) }),
      "profiles": .array(profiles.map { .string($0.name) }),
      "tags": .array(tags.map { .string($0) }), "needs": .array(needs.map { .string($0) }),
    ]
  }
}
