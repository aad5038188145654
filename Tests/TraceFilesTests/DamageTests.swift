import Document
import Testing
import TraceFiles

/// What is said about files that are no whole traces.
@Suite struct DamageTests {
  @Test(arguments: [
    ("", "1:1", "the line is empty; expected a JSON object"),
    ("[]", "1:1", "the line is a list; expected a JSON object"),
    (#"{"recording":1}"#, "1:1", "this is no trace: the first line has no number \"trace\""),
    (#"{"trace":2}"#, "1:10", "the trace has version 2; this kit reads up to 1"),
    (#"{"trace":1}"#, "1:1", "\"profile\" is missing"),
    (
      #"{"trace":1,"profile":"firefly"}"#, "1:22",
      "there is no profile \"firefly\"; there are wilddog-1, wilddog-2, firebase"
    ),
    (
      #"{"trace":1,"profile":"firebase","seed":"-1"}"#, "1:40",
      "\"seed\" is \"-1\", expected a whole number of 64 bits"
    ),
    (
      #"{"trace":1,"profile":"firebase","seed":"1","clients":7}"#, "1:54",
      "\"clients\" is a number, expected a list"
    ),
    (
      header().replacing("expectations", with: "chance"), "1:148",
      "\"judge\" is \"chance\", expected expectations or invariants"
    ),
    (
      header().replacing("[\"alice\"]", with: "[5]"), "1:130",
      "\"clients\" has a number in it, expected strings"
    ),
    (
      header(choices: #"[{"message":1,"from":"carol","late":"1ms"}]"#), "1:194",
      "choices: unknown client \"carol\"; expected alice"
    ),
    (
      header() + "\n", "1:1",
      "the trace ends after 0 events without its last line, {\"end\": ...}; it was cut off"
    ),
    (
      header() + "\n{\"n\":0,\"t\":0,\n", "2:14",
      "the text ends inside the mapping that begins at 2:1; expected its end; add the closing "
        + "bracket"
    ),
  ])
  func `what is wrong is told with the line`(text: String, position: String, message: String) {
    #expect(Self.error(of: text)?.description == "x:\(position): \(message)")
  }

  @Test(arguments: [
    (
      #"{"n":1,"t":0,"step":0,"begins":"x"}"#,
      "this is event 1, expected event 0; lines are missing"
    ),
    (
      #"{"n":0,"cause":0,"t":0,"step":0,"begins":"x"}"#,
      "event 0 has the cause 0, which is not before it"
    ),
    (#"{"n":0,"t":"0","step":0,"begins":"x"}"#, "\"t\" is a string, expected milliseconds"),
    (
      #"{"n":0,"t":4e12,"step":0,"begins":"x"}"#,
      "\"t\" is 4000000000000, expected milliseconds, less than 100 years of them"
    ),
    (#"{"n":0,"t":0,"step":0.5,"begins":"x"}"#, "\"step\" is 0.5, expected a whole number"),
    (#"{"n":0,"t":0,"step":0,"begins":4}"#, "\"begins\" is a number, expected a string"),
    (
      #"{"n":0,"t":0,"step":0}"#,
      "the line contains no event; expected one of begins, in, out, serverIn, "
        + "serverOut, lostToServer, lostToClient, serverOpened, serverClosed, fault, serverWrite, "
        + "serverUpdate"
    ),
    (#"{"n":0,"t":0,"step":0,"out":{"connect":{}}}"#, "\"client\" is missing"),
    (
      #"{"n":0,"t":0,"step":0,"client":"zoe","out":{"connect":{}}}"#,
      "there is no client \"zoe\"; there are alice"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","out":{"conect":{}}}"#,
      "\"conect\" is not an output; expected connect, send, disconnect, setTimer, cancelTimer, "
        + "event, cancelled, completed, answered, threw, updateRan, calling, returned, store, erase, "
        + "uncaught or log"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","in":{"opend":{}}}"#,
      "\"opend\" is not an input; expected open, call, opened, refused, frame, closed, timer or "
        + "close"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","in":5}"#,
      "an input is 5, expected a mapping with one verb"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","in":{"open":{"seed":"x"}}}"#,
      "\"seed\" is \"x\", expected a whole number of 64 bits"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","in":{"open":{"host":"h","seed":"1","storage":[3]}}}"#,
      "3 is no stored item, expected [key, text]"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","in":{"timer":{"timer":"x"}}}"#,
      "\"timer\" is \"x\", expected a whole number"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","out":{"setTimer":{"timer":1,"label":"x","after":1}}}"#,
      "\"x\" is no purpose of a timer; expected back-off, keep-alive, idle or other"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","out":{"setTimer":{"timer":1,"label":"other","after":"1"}}}"#,
      "\"after\" is a string, expected milliseconds"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","out":{"event":{"type":"valu"}}}"#,
      "\"valu\" is not an event type"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","out":{"event":{"listener":"l","type":"value","key":null,"value":1,"children":3}}}"#,
      "\"children\" is a number, expected a list"
    ),
    (
      #"{"n":0,"t":0,"step":0,"serverUpdate":{"path":"/a","value":3}}"#,
      "\"value\" is a number, expected a mapping of paths to values"
    ),
    (
      #"{"n":0,"t":0,"step":0,"client":"alice","serverIn":{"t":"x","d":{}}}"#,
      "the client sent a message the protocol does not allow: \"t\" of the message is \"x\", "
        + "expected \"c\" or \"d\"; received: {\"t\":\"x\",\"d\":{}}"
    ),
  ])
  func `an event that cannot be read is told with what was expected`(
    line: String, message: String
  ) throws {
    let error = try #require(Self.error(of: Self.header() + "\n" + line))
    #expect(error.message == message)
    #expect(error.position.line == 2)
    // The line itself or a value in it.
    let before = Array(line.unicodeScalars.prefix(error.position.column - 1))
    #expect(before.isEmpty || before.last == ":")
  }

  @Test(arguments: ["9e18", "1e15", "-9e18", "1e300"])
  func `a time that no clock shows is refused with its place`(time: String) {
    let event = #"{"n":0,"t":\#(time),"step":0,"begins":"x"}"#
    let error = Self.error(of: Self.header() + "\n" + event)
    #expect(error?.description.hasPrefix("x:2:12: \"t\" is ") == true)

    let live = Self.header().dropLast() + #","live":{"epoch":\#(time)}}"#
    let start = Self.error(of: live + "\n")
    #expect(start?.message.hasPrefix("\"epoch\" is ") == true)
    #expect(start?.message.hasSuffix(" since 1970, of a moment from 1880 to 2060") == true)
  }

  @Test func `a trace that was changed, cut or continued is refused`() throws {
    let text = try Runs.trace(Runs.race).text
    let lines = text.split(separator: "\n").map(String.init)
    let end = lines.count
    func message(_ lines: [String]) -> String {
      Self.error(of: lines.map { $0 + "\n" }.joined())?.description ?? "no error"
    }
    var changed = lines
    changed[5] = changed[5].replacing("\"t\":5", with: "\"t\":6").replacing("session1", with: "s")

    #expect(message(changed).hasPrefix("x:\(end):28: the events have the hash "))
    #expect(message(changed).hasSuffix("; the file was changed"))
    #expect(
      message(lines + ["{}"])
        == "x:\(end + 1):1: there is a line after {\"end\": ...}; expected it to be the last")
    #expect(
      message(Array(lines[..<8]) + Array(lines[9...]))
        == "x:9:6: this is event 8, expected event 7; lines are missing")
    #expect(
      message(Array(lines[..<8]) + [lines[end - 1]])
        == "x:9:18: the trace has 7 events, but should have \(end - 2); lines are missing")
    let checked = lines[end - 1].replacing("\"checkpoints\":[", with: "\"checkpoints\":[\"0\"")
    #expect(
      message(lines[..<(end - 1)] + [checked]).hasSuffix(
        ": the events have other checkpoints than this line; the file was changed"))
    let misjudged = lines[end - 1].replacing("\"pass\"", with: "\"passed\"")
    #expect(
      message(lines[..<(end - 1)] + [misjudged])
        == "x:\(end):74: there is no verdict \"passed\"; there are pass, advice, fail, "
        + "unsupported, inconclusive, crash, hang, broken-protocol, nondeterministic, vacuous, kit-error"
    )
  }

  private static func header(choices: String = "[]") -> String {
    #"{"trace":1,"kennel":"0.1.0","scenario":"s","title":"T","file":"f","profile":"firebase","#
      + #""seed":"1","client":"reference","clients":["alice"],"judge":"expectations","choices":\#(choices),"sources":[]}"#
  }

  private static func error(of text: String) -> SourceError? {
    do throws(SourceError) {
      _ = try TraceFile(text, file: "x")
      return nil
    } catch {
      return error
    }
  }
}
