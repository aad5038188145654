import TestKit
import Testing

/// Everything below `Tests/Transcripts`: what is typed, and what comes back.
@Suite struct TranscriptTests {
  @Test(.enabled(if: !SourceTree.isRewriting), arguments: try Transcript.all())
  func `a session goes as it is written down`(_ transcript: Transcript) throws {
    let difference = try TranscriptRun(transcript).difference
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(
    .enabled(if: SourceTree.isRewriting),
    arguments: try SourceTree.files(below: Transcript.folder, ending: ["md"]))
  func `what comes back is written down again`(file: String) throws {
    _ = try TranscriptUpdate.apply(to: file)
  }
}
