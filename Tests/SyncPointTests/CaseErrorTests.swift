import SyncPoint
import Testing

@Suite struct CaseErrorTests {
  private func message(_ text: String) -> String? {
    do {
      _ = try CaseReader.read(Array(text.utf8), file: "cases.json")
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (
      "[{\"name\": \"one\",\n", "2:1",
      "the text ends inside the mapping that begins at 1:2; expected its end; "
        + "add the closing bracket"
    ),
    (
      "name: one", "1:1",
      "\"name\" is no JSON value; expected true, false, null, a number or a string; "
        + "put a string in double quotes"
    ),
    ("{}", "1:1", "the file is a mapping; expected a list"),
    ("[1]", "1:2", "the case is a number; expected a mapping"),
    ("[{\"steps\": []}]", "1:2", "the case has no \"name\"; expected one"),
    ("[{\"name\": 1, \"steps\": []}]", "1:11", "\"name\" is a number; expected a string"),
    ("[{\"name\": \"one\"}]", "1:2", "the case has no \"steps\"; expected one"),
    ("[{\"name\": \"one\", \"steps\": {}}]", "1:27", "\"steps\" is a mapping; expected a list"),
  ])
  func `a file that is no list of cases is told`(text: String, position: String, problem: String) {
    #expect(message(text) == "cases.json:\(position): \(problem)")
  }

  @Test(arguments: [
    ("[]", 1, "the step is a list; expected a mapping"),
    (#"{"path": ""}"#, 1, "the step has no \"type\"; expected one"),
    (
      #"{"type": "serverupdate"}"#, 10,
      "unknown step type \"serverupdate\"; did you mean \"serverUpdate\"?"
    ),
    (
      #"{"type": "wait"}"#, 10,
      "unknown step type \"wait\"; expected one of listen, unlisten, serverUpdate, serverMerge, "
        + "set, update, ackUserWrite, suppressWarning"
    ),
    (#"{"type": "listen"}"#, 1, "the listen step has no \"path\"; expected one"),
    (#"{"type": "listen", "path": 4}"#, 28, "\"path\" is a number; expected a string"),
    (#"{"type": "listen", "path": ""}"#, 1, "the listen step has no \"events\"; expected one"),
    (
      #"{"type": "unlisten", "path": ""}"#, 1,
      "the unlisten step has no \"callbackId\"; expected one"
    ),
    (
      #"{"type": "unlisten", "path": "", "callbackId": "a"}"#, 48,
      "\"callbackId\" is a string; expected a whole number from 0"
    ),
    (#"{"type": "set", "path": ""}"#, 1, "the set step has no \"data\"; expected one"),
    (
      #"{"type": "set", "path": "", "data": 1, "visible": 0}"#, 51,
      "\"visible\" is a number; expected true or false"
    ),
    (
      #"{"type": "update", "path": "", "data": 1}"#, 40,
      "\"data\" is a number; expected a mapping of paths to values"
    ),
    (
      #"{"type": "serverUpdate", "path": "", "data": 1, "tag": -1}"#, 56,
      "\"tag\" is -1; expected a whole number from 0"
    ),
    (
      #"{"type": "ackUserWrite", "writeId": 0}"#, 37,
      "write 0 is answered here, but the steps before make none"
    ),
  ])
  func `a step that is malformed is told`(step: String, column: Int, problem: String) {
    let text = "[{\"name\": \"one\", \"steps\": [\n\(step)]}]"

    #expect(message(text) == "cases.json:2:\(column): \(problem)")
  }

  @Test(arguments: [
    (1, 1, "write 1 is answered here, but the steps before make only write 0"),
    (2, 5, "write 5 is answered here, but the steps before make only writes 0 to 1"),
  ])
  func `an answer to a write of the future is told`(writes: Int, answer: Int, problem: String) {
    let set = #"{"type": "set", "path": "", "data": 1, "events": []}, "#
    let steps = String(repeating: set, count: writes)
    let text = """
      [{"name": "one", "steps": [\(steps)
      {"type": "ackUserWrite", "writeId": \(answer), "events": []}]}]
      """

    #expect(message(text) == "cases.json:2:37: \(problem)")
  }

  @Test(arguments: [
    ("7", 1, "the event is a number; expected a mapping"),
    (#"{"type": "value"}"#, 1, "the event has no \"path\"; expected one"),
    (#"{"path": ""}"#, 1, "the event has no \"type\"; expected one"),
    (
      #"{"path": "", "type": "child_add"}"#, 22,
      "unknown event type \"child_add\"; did you mean \"child_added\"?"
    ),
    (#"{"path": "", "type": "value"}"#, 1, "the event has no \"data\"; expected one"),
    (
      #"{"path": "", "type": "child_added", "data": 1}"#, 1,
      "the child_added event has no \"name\"; expected one"
    ),
    (
      #"{"path": "", "type": "child_added", "data": 1, "name": "a", "prevName": 1}"#, 73,
      "\"prevName\" is a number; expected a string"
    ),
  ])
  func `an event that is malformed is told`(event: String, column: Int, problem: String) {
    let text = """
      [{"name": "one", "steps": [{"type": "listen", "path": "", "events": [
      \(event)]}]}]
      """

    #expect(message(text) == "cases.json:2:\(column): \(problem)")
  }

  @Test(arguments: [
    ("[]", 1, "\"params\" is a list; expected a mapping"),
    (
      #"{"limitToLats": 1}"#, 2,
      "unknown query parameter \"limitToLats\"; did you mean \"limitToLast\"?"
    ),
    (#"{"limitToFirst": 0}"#, 18, "\"limitToFirst\" is 0; expected a whole number from 1"),
    (#"{"orderBy": 1}"#, 13, "\"orderBy\" is a number; expected a string"),
    (#"{"startAt": 1}"#, 13, "\"startAt\" is a number; expected a mapping"),
    (#"{"endAt": {}}"#, 11, "\"endAt\" has no \"index\"; expected one"),
    (
      #"{"equalTo": {"index": []}}"#, 23, "\"index\" is a list; expected a scalar or null"
    ),
    (
      #"{"endBefore": {"index": 1, "name": 2}}"#, 36, "\"name\" is a number; expected a string"
    ),
  ])
  func `a query that is malformed is told`(params: String, column: Int, problem: String) {
    let text = """
      [{"name": "one", "steps": [{"type": "listen", "path": "", "params":
      \(params), "events": []}]}]
      """

    #expect(message(text) == "cases.json:2:\(column): \(problem)")
  }
}
