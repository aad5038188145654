import Conformance
import Foundation
import Recordings
import ScenarioFiles
import TestKit
import Testing

/// Recordings of clients that nobody here wrote.
@Suite struct RecordedClientTests {
  private static let folder = "Tests/RecordingsTests/Recordings"

  @Test func `every recording becomes a scenario that can be read`() throws {
    var same = 0
    var requests = 0
    var passed = 0
    var lines: [String] = []
    for name in try SourceTree.files(below: Self.folder, ending: ["jsonl"]) {
      let recording = try Recording(SourceTree.text(of: name), file: name)
      let extracted = ExtractedScenario(of: try ObservedSession([recording]), title: name)
      let text = extracted.yaml(from: [name])
      let read = Kit.read(text, file: name)
      #expect(read.problems.isEmpty, "\(name): \(read.problems)")
      guard let scenario = read.scenarios.first else { continue }
      let result = Kit.run(scenario, in: extracted.profile)
      requests += extracted.similarity.requests
      same += extracted.similarity.same
      passed += result.verdict == .pass ? 1 : 0
      lines.append("\(name) \(result.verdict) \(extracted.similarity.sentence)")
    }
    // These clients have accidents, and times that only they have: few do exactly the same.
    #expect(same * 100 >= requests * 60, "\(same) of \(requests) \(passed)\n\(lines)")
  }

  @Test func `a recording that is cut off anywhere is told as far as it goes`() throws {
    let name = "firebase-js-12.18/mixed-0003-B.jsonl"
    let text = try SourceTree.text(of: "\(Self.folder)/\(name)")
    for count in stride(from: 200, to: text.utf8.count, by: text.utf8.count / 12) {
      let part = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
      let recording = try Recording.readable(part, file: name)
      #expect((recording.cut == nil) == part.hasSuffix("\n") || part.hasSuffix("}"))
      let session = try ObservedSession([recording])
      #expect(session.warnings.count == (recording.cut == nil ? 0 : 1))
      let extracted = ExtractedScenario(of: session, title: "cut")
      let yaml = extracted.yaml(from: [name])
      let read = Kit.read(yaml, file: name)
      #expect(read.problems.isEmpty, "\(read.problems)")
    }
  }
}
