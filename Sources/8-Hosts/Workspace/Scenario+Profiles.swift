import ClientInterface
import Document
package import Scenario
package import Tree
import Wire

extension Scenario {
  /// What the scenario cites or uses although one of its profiles does not have it.
  func strays(from rules: RuleBook) -> [SourceError] {
    guard !rules.rules.isEmpty else { return [] }
    let cited = self.rules.compactMap { citation in
      RuleID(citation.id).flatMap { rules[$0] }.map { rule in
        profiles.filter { !rule.holds(for: $0.name) }.map { profile in
          SourceError(
            file: file, position: citation.position,
            message:
              "\(citation.id) does not hold for \(profile.name), which the scenario runs in; "
              + "leave the rule or the profile out")
        }
      } ?? []
    }
    let used = steps.flatMap(\.parts).flatMap { step in
      (step.action.call?.operation.particulars ?? []).flatMap { particular in
        profiles.filter { !particular.exists(in: $0, by: rules) }.map { profile in
          SourceError(
            file: step.file, position: step.position,
            message: "\(profile.name), which the scenario runs in, has no \(particular.rawValue) "
              + "(\(particular.rule)); leave the step or the profile out")
        }
      }
    }
    return cited.flatMap(\.self) + used
  }
}

/// Something that calls can have and that only the profiles of its rule know.
private enum Particular: String {
  case exclusiveBound = "exclusive bounds"
  case increment
  case deepUpdate = "deep paths in updates"
  case priorityInUpdate = "priorities among the names of an update"
  case synchronisedQuery = "queries that are kept synchronised"

  var rule: String {
    switch self {
    case .exclusiveBound: "QRY-12"
    case .increment: "SRV-8"
    case .deepUpdate: "WRT-7"
    case .priorityInUpdate: "WRT-27"
    case .synchronisedQuery: "OFF-27"
    }
  }

  /// A rule that the book does not have says nothing of any profile.
  func exists(in profile: Profile, by rules: RuleBook) -> Bool {
    RuleID(rule).flatMap { rules[$0] }.map { $0.holds(for: profile.name) } ?? true
  }
}

extension ClientInterface.Operation {
  fileprivate var particulars: [Particular] {
    let given = arguments
    var found: [Particular] = []
    if let query = given.query {
      if query.start?.edge == .exclusive || query.end?.edge == .exclusive {
        found.append(.exclusiveBound)
      }
      if given.synchronization != nil, query.filters { found.append(.synchronisedQuery) }
    }
    let changes = given.changes ?? []
    if given.values.contains(where: \.hasIncrement) { found.append(.increment) }
    let names = changes.map(\.path)
    if names.contains(where: { $0.key == .priority }) { found.append(.priorityInUpdate) }
    if names.contains(where: { $0.count > 1 && $0.key != .priority }) { found.append(.deepUpdate) }
    return found
  }
}

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
