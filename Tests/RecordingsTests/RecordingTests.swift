import ClientInterface
import Document
import Recordings
import Testing

@Suite struct RecordingTests {
  private static let header =
    #"{"recording":1,"client":"firebase","seed":1,"name":"A","epoch":0}"# + "\n"

  @Test func `a recording is read in groups, each with its input and line`() throws {
    let recording = try Recording(
      Self.header + #"""
        {"t":0,"out":{"connect":{}}}
        {"t":1.5,"in":{"opened":{}}}
        {"t":2,"in":{"closed":{}}}
        {"t":2,"out":{"connect":{}}}

        """#, file: "x.jsonl")

    #expect(recording.profile == .firebase)
    #expect(recording.name == "A")
    #expect(recording.groups.map(\.line) == [2, 3, 4])
    #expect(recording.groups.map(\.input) == [nil, .opened, .closed])
    #expect(recording.groups.map(\.outputs.count) == [1, 0, 1])
    #expect(recording.groups[1].time == Interval(nanoseconds: 1_500_000))
  }

  @Test(arguments: [
    ("", 1, "the line is empty; expected a JSON object"),
    (
      "recording\n", 1,
      "\"recording\" is no JSON value; expected true, false, null, a number or a string;"
        + " put a string in double quotes"
    ),
    ("[]\n", 1, "the line is a list; expected a JSON object"),
    ("{}\n", 1, "this is no recording: the first line has no number \"recording\""),
    (
      #"{"recording":2,"client":"firebase"}"#, 1,
      "the recording has version 2; this kit reads up to 1"
    ),
    (
      #"{"recording":1,"client":"other"}"#, 1,
      "there is no profile for the client \"other\"; there are wilddog and firebase"
    ),
    (
      header + #"{"t":0,"in":{"opened""#, 2,
      "the text ends inside the mapping that begins at 2:13; expected its end; add the closing"
        + " bracket"
    ),
    (
      header + "\n" + #"{"t":0,"in":{"opened":{}}}"#, 2, "the line is empty; expected a JSON object"
    ),
    (header + #"{"in":{"opened":{}}}"#, 2, "the line has no number \"t\", the time"),
    (header + #"{"t":0}"#, 2, "the line has neither \"in\" nor \"out\" with one verb"),
    (header + #"{"t":0,"out":{}}"#, 2, "the line has neither \"in\" nor \"out\" with one verb"),
    (header + #"{"t":0,"in":{}}"#, 2, "\"in\" is a mapping, expected a mapping with one verb"),
    (
      header + #"{"t":0,"in":{"wake":{}}}"#, 2,
      "\"wake\" is not an input; expected call, opened, refused, frame or closed"
    ),
    (
      header + #"{"t":0,"in":{"call":{"id":"c1","op":"jump","path":"/"}}}"#, 2,
      "\"jump\" is not an operation"
    ),
    (
      header + #"{"t":0,"in":{"call":{"id":"c1","op":"set"}}}"#, 2, "\"path\" is missing"
    ),
    (
      header + #"{"t":5,"in":{"opened":{}}}"# + "\n" + #"{"t":4,"in":{"closed":{}}}"#, 3,
      "the time goes back, to 4"
    ),
  ])
  func `what is no recording is refused with file and line`(
    text: String, line: Int, message: String
  ) {
    #expect(throws: SourceError(.init(file: "x.jsonl", line: line), message)) {
      try Recording(text, file: "x.jsonl")
    }
    #expect(
      SourceError(.init(file: "x.jsonl", line: line), message).description
        == "x.jsonl:\(line): \(message)")
  }

  @Test(arguments: ["9e18", "1e15", "-9e18", "1e300"])
  func `a time that no clock shows is refused with its place`(time: String) {
    let line = #"{"t":\#(time),"in":{"opened":{}}}"#
    let late = #expect(throws: SourceError.self) {
      try Recording(Self.header + line, file: "x.jsonl")
    }
    #expect(late?.description.hasPrefix("x.jsonl:2:6: \"t\" is ") == true)
    #expect(late?.message.hasSuffix(", expected milliseconds, less than 100 years of them") == true)

    let header = Self.header.replacing("\"epoch\":0", with: "\"epoch\":\(time)")
    let start = #expect(throws: SourceError.self) { try Recording(header, file: "x.jsonl") }
    #expect(start?.description.hasPrefix("x.jsonl:1:") == true)
    #expect(start?.message.hasPrefix("\"epoch\" is ") == true)
    #expect(start?.message.hasSuffix(" since 1970, of a moment from 1880 to 2060") == true)
  }
}
