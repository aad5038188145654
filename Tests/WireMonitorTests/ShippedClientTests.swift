import Foundation
import Testing
import Trace
import WireMonitor

/// What the monitor says of the recordings of shipped clients.
@Suite struct ShippedClientTests {
  private func transcripts(_ folder: String) throws -> [WireTranscript] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let directory = tests.appending(path: "RecordingsTests/Recordings/\(folder)")
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    return try files.filter { $0.hasSuffix(".jsonl") }.map { file in
      try WireTranscript(
        String(contentsOf: directory.appending(path: file), encoding: .utf8), file: file)
    }
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
