import ClientInterface
import Conformance
import Foundation
import Recordings
import ReferenceClient
import Scenario
import ScenarioExtraction
import ScenarioFiles
import Testing
import Trace
import TraceFiles
import Tree

/// Recordings of clients that nobody here wrote.
@Suite struct RecordedClientTests {
  static func recordings() throws -> [(name: String, recording: Recording)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "RecordingsTests/Recordings").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
      $0.hasSuffix(".jsonl")
    }
    return try names.map { name in
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      return (name, try Recording(text, file: name))
    }
  }

  @Test func `every recording becomes a scenario that can be read`() throws {
    var same = 0
    var requests = 0
    var passed = 0
    var lines: [String] = []
    for (name, recording) in try Self.recordings() {
      let extracted = ExtractedScenario(of: try ObservedSession([recording]), title: name)
      let text = extracted.yaml(from: [name])
      let read = ScenarioReader.read(file: name, bytes: Array(text.utf8), load: { _ in nil })
      #expect(read.problems.isEmpty, "\(name): \(read.problems)")
      guard let scenario = read.scenarios.first else { continue }
      let result = Sessions.runner.run(scenario, in: extracted.profile)
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
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "RecordingsTests/Recordings").path
    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    for count in stride(from: 200, to: text.utf8.count, by: text.utf8.count / 12) {
      let part = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
      let recording = try Recording.readable(part, file: name)
      #expect((recording.cut == nil) == part.hasSuffix("\n") || part.hasSuffix("}"))
      let session = try ObservedSession([recording])
      #expect(session.warnings.count == (recording.cut == nil ? 0 : 1))
      let extracted = ExtractedScenario(of: session, title: "cut")
      let yaml = extracted.yaml(from: [name])
      let read = ScenarioReader.read(file: name, bytes: Array(yaml.utf8), load: { _ in nil })
      #expect(read.problems.isEmpty, "\(read.problems)")
    }
  }
}
