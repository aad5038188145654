import Foundation
import Runs
import Scenario
import System
import TestKit
import Testing

@Suite struct FileReplayTests {
  private final class Log {
    var reports: [String] = []
    var warnings: [String] = []
  }

  private let root = SourceTree.root.path

  private var recordings: String { root + "/Tests/RecordingsTests/Recordings" }

  private func replay(_ settings: ReplaySettings, _ log: Log) throws(Failure) -> ExitCode {
    let observer = FileReplay.Observer(
      report: { (text) throws(Failure) in log.reports.append(text) },
      warn: { log.warnings.append($0) }, walk: { _ throws(Failure) in })
    var replay = try FileReplay(settings, observer: observer)
    return try replay.run()
  }

  @Test func `recordings in a directory are compared, and the figures come last`() throws {
    let log = Log()

    let code = try replay(ReplaySettings(paths: [recordings]), log)

    #expect(code == .success)
    #expect(log.reports.last?.contains(" passed, 0 failed, 0 skipped") == true)
    #expect(log.warnings == [])
  }

  @Test func `a client with a defect differs`() throws {
    let log = Log()
    var settings = ReplaySettings(paths: [recordings])
    settings.fleet.rest = "lost-echo"

    #expect(try replay(settings, log) == .divergence)
    #expect(log.reports.count > 1)
  }

  @Test func `what needs a trace refuses recordings`() throws {
    let file = try #require(try RecordedFile.all(at: [recordings], kind: "recording").first?.path)
    var settings = ReplaySettings(paths: [file])
    settings.isStepping = true

    #expect {
      _ = try replay(settings, Log())
    } throws: {
      "\($0)" == "--step is for traces; \(file) is none"
    }
  }

  @Test func `a directory without recordings is refused`() {
    #expect {
      _ = try RecordedFile.all(at: [root + "/Specs"], kind: "recording")
    } throws: {
      "\($0)".hasPrefix("there is no recording (*.jsonl) in \(root)/Specs; 'kennel run")
    }
  }

  @Test func `a recording is told as a scenario`() throws {
    let file = try #require(try RecordedFile.all(at: [recordings], kind: "recording").first?.path)

    let session = try SessionScenario(of: [file])

    #expect(session.text.contains("kennel: 1"))
    #expect(!session.similarity.isEmpty)
    try session.requireNoProblems(in: "a.yaml")
    #expect(try session.scenario(as: "a.yaml").clients.count == 1)
  }
}
