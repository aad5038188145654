import Document
import Scenario
import ScenarioFiles
import Testing
import Tree
import YAML

/// Every value of a file that uses the whole format is replaced by values of every other kind.
struct RobustnessTests {
  private static let replacements: [JSON] = [
    .null, true, -1.5, "", "$any", "$(other)", "a#b", [.null], .object([]), ["$ref": "x"],
  ]

  @Test func `whatever stands wherever, the reader finds words for it`() throws {
    let root = try #require(DocumentReader.readYAML(Array(Self.whole.utf8)).root).json
    #expect(problems(of: root) == [])

    var reported = 0
    for position in positions(in: root) {
      for replacement in Self.replacements {
        let problems = problems(of: root.replacing(position[...], by: replacement))
        reported += problems.isEmpty ? 0 : 1
        for problem in problems {
          #expect(!problem.message.isEmpty && !problem.message.contains("\n"))
        }
      }
    }

    #expect(reported > 700)
  }

  @Test func `whatever key stands wherever, the reader finds words for it`() throws {
    let root = try #require(DocumentReader.readYAML(Array(Self.whole.utf8)).root).json

    for position in positions(in: root) {
      for key in ["$(n)", "$gte", ".sv", "", "when"] {
        let changed = root.replacing(position[...], by: nil, renamed: key)
        for problem in problems(of: changed) {
          #expect(!problem.message.isEmpty)
        }
      }
    }
  }

  private func problems(of json: JSON) -> [SourceError] {
    ScenarioReader.read(
      file: "Scenarios/a.json", bytes: Array(json.text.utf8), load: { _ in nil }
    ).problems
  }

  private func positions(in json: JSON) -> [[Int]] {
    let parts = json.members?.map(\.value) ?? json.elements ?? []
    return parts.enumerated().flatMap { index, part in
      [[index]] + positions(in: part).map { [index] + $0 }
    }
  }

  private static let whole = """
    kennel: 1
    title: All of it $(n)
    rules: [EVT-1]
    profiles: [firebase]
    needs: [once]
    tags: [a]
    matrix: {n: [1]}
    clients: [alice, bob]
    start: opening
    network: {latency: {alice: 5ms..6ms}, bob: {latency: 1s}}
    quiet: 3s
    data: {a: {.value: 1, .priority: 2}, b: [1, 2]}
    security: [{path: a, deny: [read]}]
    steps:
      - alice.listen: {path: a, events: [value, child_added, child_removed], as: feed,
          query: {orderBy: .value, startAt: {value: 1, key: k}, endBefore: 3, limitToLast: 2}}
      - alice.once: {path: a, event: child_added, as: first}
      - expect-now: {}
      - bob.set: {path: a, value: {b: {.sv: timestamp}}, priority: 1, as: w}
      - bob.update: {path: a, value: {b/c: 1}}
      - bob.push: {path: a, value: 1, as: p}
      - bob.transaction: {path: a, update: {merge: {a: 1}}, localEvents: false, as: t}
      - together: [{alice.remove: a}, {server.update: {path: a, value: {b: 1}}}]
      - network.latency: {alice: 5ms}
      - network.cut: alice
      - server.reject: {path: a, deny: [write]}
      - wait: 5s
      - alice.unlisten: feed
        expect:
          alice.first: [{child_added: {$bind: x}, value: {$subset: {a: {$not: null}}}, prev: $pushId}]
          alice.feed:
            - {child_added: a, value: {$oneOf: [1, {$each: {$gte: 1, $lte: 2}}]}, at: 5s}
            - $unordered: [{child_removed: b}, {value: {$unordered: [1]}, within: [1s, 2s]}]
            - {each-gap: {min: 1s, max: 2s, growth: 2}}
            - {cancelled: permission_denied}
          bob.p: {ok: true, key: {$ref: x}}
          server: {a: {$approx: {value: 1, tolerance: 1}}, b: {$type: [null, string]}}
          frames: {alice: {put: 1}}
          order: [feed#1 < first < bob.p]
          converged: true
          one-of:
            - bob.w: {ok: true}
              bob.t: {committed: true, value: 1, inputs: [null]}
            - {bob.w: {error: set}, bob.t: {threw: set}}
    """
}

extension JSON {
  /// With another value, and if it is named another name, at a location.
  fileprivate func replacing(
    _ position: ArraySlice<Int>, by value: JSON?, renamed name: String? = nil
  ) -> JSON {
    guard let index = position.first else { return value ?? self }
    let rest = position.dropFirst()
    if var members {
      members[index].value = members[index].value.replacing(rest, by: value, renamed: name)
      if let name, rest.isEmpty { members[index].name = name }
      return .object(members)
    }
    guard var elements else { return self }
    elements[index] = elements[index].replacing(rest, by: value, renamed: name)
    return .array(elements)
  }
}
