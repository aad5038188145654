import SyncPoint
import Testing
import Tree

@Suite struct CaseTests {
  private func failures(_ steps: String) throws -> [String] {
    let text = "[{\"name\": \"shelf\", \"steps\": [\(steps)]}]"
    let cases = try CaseReader.read(Array(text.utf8), file: "shelf.json")
    return cases.flatMap { subject in
      CaseRun.paths.map { SyncPointReport.text(of: CaseRun(of: subject, at: $0)) }
    }.filter { !$0.isEmpty }
  }

  private static let listen = """
    {"type": "listen", "path": "shelf", "events": []}
    """
  private static let filled = """
    {"type": "serverUpdate", "path": "shelf", "data": {"jam": 3, "tea": 5}, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
      {"path": "shelf", "type": "child_added", "name": "tea", "prevName": "jam", "data": 5},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 5}}]}
    """

  @Test(arguments: [
    """
    {"type": "serverMerge", "path": "shelf", "data": {"jam": 4, "rye/loaf": 1}, "events": [
      {"path": "shelf", "type": "child_added", "name": "rye", "prevName": "jam",
        "data": {"loaf": 1}},
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 4},
      {"path": "shelf", "type": "value", "data": {"jam": 4, "rye": {"loaf": 1}, "tea": 5}}]}
    """,
    """
    {"type": "set", "path": "shelf/jam", "data": null, "events": [
      {"path": "shelf", "type": "child_removed", "name": "jam", "data": 3},
      {"path": "shelf", "type": "value", "data": {"tea": 5}}]},
    {"type": "ackUserWrite", "writeId": 0, "revert": true, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 5}}]}
    """,
    """
    {"type": "set", "path": "shelf/jam/.priority", "data": 9, "events": [
      {"path": "shelf", "type": "child_moved", "name": "jam", "prevName": "tea",
        "data": {".value": 3, ".priority": 9}},
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": "tea",
        "data": {".value": 3, ".priority": 9}},
      {"path": "shelf", "type": "value",
        "data": {"jam": {".value": 3, ".priority": 9}, "tea": 5}}]}
    """,
    """
    {"type": "set", "path": "shelf", "data": 7, "visible": false, "events": []},
    {"type": "update", "path": "shelf", "data": {"tea": 6}, "events": [
      {"path": "shelf", "type": "child_changed", "name": "tea", "prevName": "jam", "data": 6},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 6}}]},
    {"type": "ackUserWrite", "writeId": 0, "revert": true, "events": []},
    {"type": "serverUpdate", "path": "shelf/tea", "data": 6, "events": []},
    {"type": "ackUserWrite", "writeId": 1, "events": []}
    """,
    """
    {"type": "suppressWarning"},
    {"type": "listen", "path": "shelf", "callbackId": 4, "events": [
      {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
      {"path": "shelf", "type": "child_added", "name": "tea", "prevName": "jam", "data": 5},
      {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 5}}]},
    {"type": "unlisten", "path": "shelf", "callbackId": 4, "events": []},
    {"type": "serverUpdate", "path": "shelf/jam", "data": 1, "events": [
      {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 1},
      {"path": "shelf", "type": "value", "data": {"jam": 1, "tea": 5}}]}
    """,
  ])
  func `every type of step does what it says, at the root and far below it`(
    steps: String
  ) throws {
    #expect(try failures([Self.listen, Self.filled, steps].joined(separator: ",\n")) == [])
  }

  @Test func `tagged data reach the query that was given the tag`() throws {
    let steps = """
      {"type": "listen", "path": "shelf", "params": {"tag": 1, "orderBy": "age",
        "startAt": {"index": 2}, "limitToFirst": 1}, "events": []},
      {"type": "listen", "path": "shelf", "params": {"tag": 2, "orderByKey": true,
        "endBefore": {"index": "m"}}, "events": []},
      {"type": "serverUpdate", "path": "shelf", "tag": 1, "data": {"tea": {"age": 2}},
        "events": [
        {"path": "shelf", "type": "child_added", "name": "tea", "prevName": null,
          "data": {"age": 2}},
        {"path": "shelf", "type": "value", "data": {"tea": {"age": 2}}}]},
      {"type": "serverMerge", "path": "shelf", "tag": 1,
        "data": {"tea": null, "rye": {"age": 3}}, "events": [
        {"path": "shelf", "type": "child_removed", "name": "tea", "data": {"age": 2}},
        {"path": "shelf", "type": "child_added", "name": "rye", "prevName": null,
          "data": {"age": 3}},
        {"path": "shelf", "type": "value", "data": {"rye": {"age": 3}}}]},
      {"type": "serverUpdate", "path": "shelf", "tag": 7, "data": 1, "events": []}
      """

    #expect(try failures(steps) == [])
  }

  @Test func `a child that a write emptied is known, and the next write builds on it`() throws {
    let steps = """
      {"type": "listen", "path": "shelf", "params": {"tag": 1, "limitToLast": 1}, "events": []},
      {"type": "serverUpdate", "path": "shelf", "tag": 1, "data": {"jam": {"age": 1}}, "events": [
        {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null,
          "data": {"age": 1}},
        {"path": "shelf", "type": "value", "data": {"jam": {"age": 1}}}]},
      {"type": "set", "path": "shelf/jam/age", "data": null, "events": [
        {"path": "shelf", "type": "child_removed", "name": "jam", "data": {"age": 1}},
        {"path": "shelf", "type": "value", "data": null}]},
      {"type": "set", "path": "shelf/jam/size", "data": 2, "events": [
        {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null,
          "data": {"size": 2}},
        {"path": "shelf", "type": "value", "data": {"jam": {"size": 2}}}]}
      """

    #expect(try failures(steps) == [])
  }

  @Test func `events below come before those above, and siblings in any order`() throws {
    let steps = """
      {"type": "listen", "path": "b", "events": []}, {"type": "listen", "path": "a", "events": []},
      {"type": "listen", "path": "", "events": []},
      {"type": "serverUpdate", "path": "", "data": {"a": 1, "b": 2}, "events": [
        {"path": "b", "type": "value", "data": 2}, {"path": "a", "type": "value", "data": 1},
        {"path": "", "type": "value", "data": {"a": 1, "b": 2}},
        {"path": "", "type": "child_added", "name": "b", "prevName": "a", "data": 2},
        {"path": "", "type": "child_added", "name": "a", "prevName": null, "data": 1}]}
      """

    #expect(try failures(steps) == [])
  }

  @Test func `a step that raises something else is shown with both sides`() throws {
    let steps = """
      {"type": "serverUpdate", "path": "shelf", "data": {"jam": 3}, "events": []},
      {"type": "set", "path": "shelf/tea", "data": "\u{e9}", "events": [
        {"path": "shelf", "type": "child_added", "name": "tea", "prevName": null, "data": 5},
        {"path": "shelf", "type": "child_added", "name": "rye", "prevName": "tea", "data": 1}]}
      """

    #expect(
      try failures(Self.listen + "," + steps.replacing("\"events\": []},", with: Self.jam))
        == ["/", "/foo/bar/baz"].map { path in
          let shelf = path == "/" ? "/shelf" : path + "/shelf"
          return """
            FAIL  shelf   at \(path)   step 3 of 3
                  shelf.json:4:1

              set \(shelf)/tea: 2 events are missing, 2 events were not expected

                + child_added \(shelf)/tea = "\\u00e9", after jam
                - child_added \(shelf)/tea = 5, after (first)
                - child_added \(shelf)/rye = 1, after tea
                + value \(shelf) = {"jam":3,"tea":"\\u00e9"}
                  (- expected, + observed)


            """
        })
  }

  private static let jam = """
    "events": [
    {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
    {"path": "shelf", "type": "value", "data": {"jam": 3}}]},
    """

  @Test func `the order of what a new listener receives is compared one by one`() throws {
    let steps = """
      {"type": "listen", "path": "shelf", "events": [
        {"path": "shelf", "type": "child_added", "name": "tea", "prevName": "jam", "data": 5},
        {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 3},
        {"path": "shelf", "type": "value", "data": {"jam": 3, "tea": 5}}]}
      """
    let texts = try failures([Self.listen, Self.filled, steps].joined(separator: ","))

    #expect(
      texts.first?.split(separator: "\n").dropFirst(2).first.map(String.init)
        == "  listen /shelf: the right events in the wrong order: child_added /shelf/jam came "
        + "before child_added /shelf/tea")
    #expect(texts.count == 2)
  }

  @Test func `a call that the client refuses is a failure`() throws {
    let texts = try failures(#"{"type": "set", "path": "a#b", "data": 1, "events": []}"#)

    #expect(
      texts.first == """
        FAIL  shelf   at /   step 1 of 1
              shelf.json:1:30

          set /a#b: the client refused the call: invalid_path

              (no events are expected)


        """)
  }

  @Test func `every case counts once for each place`() throws {
    let text = #"[{"name": "nothing", "steps": []}, {"name": "set", "steps": [\#(Self.wrong)]}]"#
    let cases = try CaseReader.read(Array(text.utf8), file: "two.json")
    let runs = cases.flatMap { subject in CaseRun.paths.map { CaseRun(of: subject, at: $0) } }

    #expect(
      SyncPointReport.summary(of: runs) == "4 runs of 2 cases\n\n2 passed, 2 failed, 0 skipped\n")
  }

  private static let wrong = """
    {"type": "set", "path": "a", "data": 1, "events": [{"path": "a", "type": "value", "data": 1}]}
    """
}
