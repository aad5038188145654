import ClientInterface
import Document
import Recordings
import TestKit
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

  @Test(arguments: try Mistake.files(of: "recordings"))
  func `what is no recording is refused with file and line`(mistake: Mistake) throws {
    let text = try mistake.text
    let error = #expect(throws: SourceError.self) { try Recording(text, file: "x.jsonl") }
    try mistake.check([error.map { "\($0.description.trimmingPrefix("x.jsonl:"))" } ?? ""])
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
