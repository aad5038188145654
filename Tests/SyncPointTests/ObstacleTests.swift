import ClientInterface
import Recordings
import Testing

@Suite struct ObstacleTests {
  private static func obstacle(_ steps: [String], name: String = "shelf") throws -> String? {
    let file = "[{\"name\": \"\(name)\", \"steps\": [\(steps.joined(separator: ",\n"))]}]"
    let cases = try CaseReader.read(Array(file.utf8), file: "shelf.json")
    let subject = try #require(cases.first)
    do throws(UntranslatableCase) {
      _ = try subject.scenarioText(for: [.firebase])
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static let listen = #"{"type": "listen", "path": "shelf", "events": []}"#
  private static let set = #"{"type": "set", "path": "shelf/jam", "data": 3, "events": []}"#
  private static let limited = """
    {"type": "listen", "path": "shelf", "params": {"tag": 1, "limitToFirst": 1}, "events": []}
    """

  @Test(arguments: [
    (
      [#"{"type": "set", "path": "a", "data": 1, "visible": false, "events": []}"#],
      "1:30: only a transaction hides its write, and it may run again"
    ),
    (
      [listen, #"{"type": "serverUpdate", "path": "box", "data": 1, "events": []}"#],
      "2:1: the server sends data to which the client does not listen"
    ),
    (
      [listen, #"{"type": "serverUpdate", "path": "shelf", "tag": 7, "data": 1, "events": []}"#],
      "2:1: the server sends data to which the client does not listen"
    ),
    (
      [listen, #"{"type": "serverMerge", "path": "shelf", "data": {"jam": 1}, "events": []}"#],
      "2:1: the server sends a part of the data before the whole"
    ),
    (
      [
        limited,
        """
        {"type": "serverUpdate", "path": "shelf", "tag": 1, "data": {"jam": 1}, "events": []}
        """,
        #"{"type": "listen", "path": "shelf/ale", "events": []}"#,
        #"{"type": "serverUpdate", "path": "shelf/ale", "data": 1, "events": []}"#,
      ],
      "4:1: the server sends other data than its queries would select"
    ),
    (
      [
        set, listen, #"{"type": "serverUpdate", "path": "shelf", "data": null, "events": []}"#,
      ],
      "3:1: the server answers before it has answered an earlier request"
    ),
    (
      [set, set, #"{"type": "ackUserWrite", "writeId": 1, "events": []}"#],
      "3:1: the server answers before it has answered an earlier request"
    ),
    (
      [
        set, #"{"type": "ackUserWrite", "writeId": 0, "events": []}"#,
        #"{"type": "ackUserWrite", "writeId": 0, "events": []}"#,
      ],
      "3:1: the server answers before it has answered an earlier request"
    ),
    (
      [
        listen, #"{"type": "serverUpdate", "path": "shelf", "data": null, "events": []}"#, set,
        #"{"type": "ackUserWrite", "writeId": 0, "events": []}"#,
      ],
      "4:1: the server accepts a write and has other data than it would lead to"
    ),
    (
      [
        #"{"type": "listen", "path": "shelf/jam", "events": []}"#, listen,
        #"{"type": "serverUpdate", "path": "shelf", "data": {"jam": 1}, "events": []}"#,
      ],
      "3:1: the server sends at once what answers several listens"
    ),
    (
      [
        set, #"{"type": "ackUserWrite", "writeId": 0, "revert": true, "events": []}"#, set,
        #"{"type": "ackUserWrite", "writeId": 1, "events": []}"#,
      ],
      "4:1: the server accepts a write where it has refused another"
    ),
    (
      [
        limited,
        """
        {"type": "serverUpdate", "path": "shelf", "data": {"jam": 1, "tea": 1}, "events": []}
        """, set,
      ],
      "3:1: the write depends on data that the server would not send for a query"
    ),
    (
      [
        """
        {"type": "set", "path": "a", "data": 1, "events": [
          {"path": "a", "type": "value", "data": 1}]}
        """
      ],
      "1:30: the case does not say which listener receives the events"
    ),
    (
      [
        listen, limited,
        """
        {"type": "serverUpdate", "path": "shelf", "data": 1, "events": [
          {"path": "shelf", "type": "value", "data": {"a": 1}}]}
        """,
      ],
      "3:1: the case does not say which listener receives the events"
    ),
  ])
  func `what no scenario can express is named where it is`(
    steps: [String], message: String
  ) throws {
    #expect(try Self.obstacle(steps) == "shelf.json:" + message)
  }

  @Test func `what the reader of scenarios refuses is named with the case`() throws {
    let steps = [#"{"type": "set", "path": "a", "data": "$(x)", "events": []}"#]

    #expect(try Self.obstacle(steps)?.hasPrefix("shelf.json:1:2: ") == true)
  }
}
