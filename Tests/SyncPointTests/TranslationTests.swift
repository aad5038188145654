import ClientInterface
import Conformance
import Recordings
import TestKit
import Testing

@Suite struct TranslationTests {
  private static let listen = """
    {"type": "listen", "path": "shelf", "events": []}
    """
  private static let filled = """
    {"type": "serverUpdate", "path": "shelf", "data": {"jam": 3, "tea": 5}, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
      {"path": "shelf", "type": "child_added", "name": "tea", "prevName": "jam", "data": 5},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 5}}]}
    """

  private static func text(
    _ steps: [String], for profiles: [Profile] = [.firebase]
  ) throws -> String {
    let list = steps.joined(separator: ",\n")
    let file = "[{\"name\": \"The shelf\", \"steps\": [\(list)]}]"
    let cases = try CaseReader.read(Array(file.utf8), file: "lists/shelf.json")
    return try #require(cases.first).scenarioText(for: profiles)
  }

  private static func verdict(of steps: [String], client: String? = nil) throws -> Verdict {
    Kit.run(try Kit.scenario(whole: text(steps)), client: client).verdict
  }

  /// A write that a foreign write overtakes, and that is refused.
  private static let refusedWrite = [
    listen,
    """
    {"type": "set", "path": "shelf/jam", "data": 3, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3}]}
    """,
    """
    {"type": "serverUpdate", "path": "shelf", "data": {"jam": 1}, "events": [
      {"path": "shelf", "type": "value", "data": {"jam": 3}}]}
    """,
    """
    {"type": "ackUserWrite", "writeId": 0, "revert": true, "events": [
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 1},
      {"path": "shelf", "type": "value", "data": {"jam": 1}}]}
    """,
  ]

  @Test func `requests are held up until the case has them answered`() throws {
    let steps = Self.refusedWrite
    #expect(
      try Self.text(steps) == """
        # From shelf.json, line 1.
        kennel: 1
        title: The shelf
        rules: [EVT-12, EVT-14, EVT-8, WRT-14, WRT-8]
        profiles: [firebase]
        tags: [sync-point]
        clients: [client]
        steps:
          - network.stall: {client: client, direction: to-server}
          - client.listen: shelf
            expect: {}
          - client.set: {path: shelf/jam, value: 3, as: write0}
            expect: {client.L1: [{child_added: jam, value: 3, prev: null}]}
          - server.set: {path: shelf, value: {jam: 1}}
          - network.stall: {client: client, direction: to-server, when: {frame: put, edge: before-delivery}}
          - network.resume: {client: client, direction: to-server}
            expect: {client.L1: [{value: {jam: 3}}]}
          - server.reject: {path: shelf/jam, deny: [write]}
          - network.resume: {client: client, direction: to-server}
            expect:
              client.L1: [{child_changed: jam, value: 1, prev: null}, {value: {jam: 1}}]
              client.write0: {error: permission_denied}

        """)
    #expect(try Self.text(steps, for: [.wilddog2]).contains("\nprofiles: [wilddog-2]\n"))
    #expect(try Self.verdict(of: steps) == .pass)
    #expect(try Self.verdict(of: steps, client: "refusal-raises-nothing") == .fail)
  }

  @Test func `events below come before those above, siblings in any order`() throws {
    let steps = [
      #"{"type": "listen", "path": "", "events": []}"#,
      #"{"type": "listen", "path": "b", "events": []}"#,
      """
      {"type": "serverUpdate", "path": "", "data": {"a": 1, "b": 2}, "events": [
        {"path": "", "type": "value", "data": {"a": 1, "b": 2}},
        {"path": "b", "type": "value", "data": 2},
        {"path": "", "type": "child_added", "name": "b", "prevName": "a", "data": 2},
        {"path": "", "type": "child_added", "name": "a", "prevName": null, "data": 1}]}
      """,
    ]
    let text = try Self.text(steps)

    #expect(
      text.hasSuffix(
        """
            expect:
              client.L1:
                - $unordered: [{child_added: b, value: 2, prev: a}, {child_added: a, value: 1, prev: null}]
                - {value: {a: 1, b: 2}}
              client.L2: [{value: 2}]
              order: [L2 < L1]

        """))
    #expect(try Self.verdict(of: steps) == .pass)
  }

  @Test(arguments: [
    """
    {"type": "serverMerge", "path": "shelf", "data": {"jam": 4, "rye/loaf": 1}, "events": [
      {"path": "shelf", "type": "child_added", "name": "rye", "prevName": "jam",
        "data": {"loaf": 1}},
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 4},
      {"path": "shelf", "type": "value", "data": {"jam": 4, "rye": {"loaf": 1}, "tea": 5}}]}
    """,
    """
    {"type": "set", "path": "shelf/jam/.priority", "data": 9, "events": [
      {"path": "shelf", "type": "child_moved", "name": "jam", "prevName": "tea",
        "data": {".value": 3, ".priority": 9}},
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": "tea",
        "data": {".value": 3, ".priority": 9}},
      {"path": "shelf", "type": "value",
        "data": {"jam": {".value": 3, ".priority": 9}, "tea": 5}}]},
    {"type": "serverUpdate", "path": "shelf/jam/.priority", "data": 9, "events": []},
    {"type": "ackUserWrite", "writeId": 0, "events": []}
    """,
    """
    {"type": "update", "path": "shelf", "data": {"tea": 6}, "events": [
      {"path": "shelf", "type": "child_changed", "name": "tea", "prevName": "jam", "data": 6},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 6}}]},
    {"type": "set", "path": "shelf/jam", "data": 4, "events": [
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 4},
      {"path": "shelf", "type": "value", "data": {"jam": 4, "tea": 6}}]},
    {"type": "serverUpdate", "path": "shelf/tea", "data": 6, "events": []},
    {"type": "ackUserWrite", "writeId": 0, "events": []}
    """,
    """
    {"type": "suppressWarning"},
    {"type": "listen", "path": "shelf", "callbackId": 4, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
      {"path": "shelf", "type": "child_added", "name": "tea", "prevName": "jam", "data": 5},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 5}}]},
    {"type": "serverUpdate", "path": "shelf/jam", "data": 2, "events": [
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 2},
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 2},
      {"path": "shelf", "type": "value", "data": {"jam": 2, "tea": 5}},
      {"path": "shelf", "type": "value", "data": {"jam": 2, "tea": 5}}]},
    {"type": "unlisten", "path": "shelf", "callbackId": 4, "events": []},
    {"type": "serverUpdate", "path": "shelf/jam", "data": 1, "events": [
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 1},
      {"path": "shelf", "type": "value", "data": {"jam": 1, "tea": 5}}]}
    """,
    """
    {"type": "listen", "path": "shelf", "params": {"tag": 1, "limitToFirst": 1}, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
      {"path": "shelf", "type": "value", "data": {"jam": 3}}]},
    {"type": "serverUpdate", "path": "shelf/tea", "data": 6, "events": [
      {"path": "shelf", "type": "child_changed", "name": "tea", "prevName": "jam", "data": 6},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 6}}]},
    {"type": "serverUpdate", "path": "shelf/jam", "data": null, "events": [
      {"path": "shelf", "type": "child_removed", "name": "jam", "data": 3},
      {"path": "shelf", "type": "value", "data": {"tea": 6}},
      {"path": "shelf", "type": "child_removed", "name": "jam", "data": 3},
      {"path": "shelf", "type": "child_added", "name": "tea", "prevName": null, "data": 6},
      {"path": "shelf", "type": "value", "data": {"tea": 6}}]}
    """,
  ])
  func `a scenario does what each type of step says`(steps: String) throws {
    let steps = [Self.listen, Self.filled, steps]

    #expect(try Self.verdict(of: steps) == .pass)
    #expect(try Self.verdict(of: steps, client: "values-twice") == .fail)
  }

  @Test func `tagged data are what the query with the tag selects`() throws {
    let steps = [
      """
      {"type": "listen", "path": "shelf", "params": {"tag": 1, "orderBy": "age",
        "startAt": {"index": 2}, "limitToFirst": 1}, "events": []}
      """,
      """
      {"type": "listen", "path": "shelf", "params": {"tag": 2, "orderByKey": true,
        "endBefore": {"index": "m"}}, "events": []}
      """,
      """
      {"type": "serverUpdate", "path": "shelf", "tag": 1, "data": {"tea": {"age": 2}},
        "events": [
        {"path": "shelf", "type": "child_added", "name": "tea", "prevName": null,
          "data": {"age": 2}},
        {"path": "shelf", "type": "value", "data": {"tea": {"age": 2}}}]}
      """,
      """
      {"type": "serverMerge", "path": "shelf", "tag": 1,
        "data": {"tea": null, "rye": {"age": 3}}, "events": [
        {"path": "shelf", "type": "child_removed", "name": "tea", "data": {"age": 2}},
        {"path": "shelf", "type": "child_added", "name": "rye", "prevName": null,
          "data": {"age": 3}},
        {"path": "shelf", "type": "value", "data": {"rye": {"age": 3}}}]}
      """,
    ]

    #expect(try Self.verdict(of: steps) == .pass)
  }

  @Test func `cases get the names of files, each once`() throws {
    let names = ["The shelf: it's 1/2 full", "the SHELF its", "The shelf, its", "\u{e9}"]
    let list = names.map { "{\"name\": \"\($0)\", \"steps\": []}" }.joined(separator: ",")
    let cases = try CaseReader.read(Array("[\(list)]".utf8), file: "names.json")

    #expect(
      Case.fileNames(of: cases)
        == ["the-shelf-it-s-1-2-full", "the-shelf-its", "the-shelf-its-2", "case"])
  }
}
