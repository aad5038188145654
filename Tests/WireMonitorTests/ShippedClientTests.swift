import RunModel
import TestKit
import Testing
import Trace

/// What the monitor says of the recordings of shipped clients.
@Suite struct ShippedClientTests {
  private func transcripts(_ folder: String) throws -> [WireTranscript] {
    let files = try SourceTree.files(
      below: "Tests/RecordingsTests/Recordings/\(folder)", ending: ["jsonl"])
    return try files.map { try WireTranscript(SourceTree.text(of: $0), file: $0) }
  }

  @Test(arguments: ["firebase-js-12.18", "wilddog-js-2.0.0"])
  func `the recordings of shipped clients have no finding`(folder: String) throws {
    let transcripts = try transcripts(folder)

    #expect(transcripts.map(\.tally.passed).reduce(0, +) > 10)
    #expect(transcripts.flatMap(\.locatedFindings).filter { !$0.finding.isNote } == [])
  }

  @Test func `those that were made have one about the version of their server`() throws {
    let findings = try transcripts("made").flatMap(\.locatedFindings).map(\.finding)

    #expect(Set(findings.filter { !$0.isNote }.map(\.check)) == [.version])
  }
}
