import AdapterSessions
import ClientInterface
import Conformance
import Document
import Glibc
import Hunting
import Scenario
package import System
import Trace
import TraceFiles
import Tree

/// Compares runs with those of another process.
///
/// Swift orders sets and dictionaries differently in each process, so a client whose behaviour
/// depends on such an order can be found only with a second process.
struct Audit {
  /// What the other process came to.
  private struct Run {
    var hash: String
    var checkpoints: [String]
  }

  private let settings: RunSettings
  private var runs: [String: Run] = [:]
  /// For how many runs the very event is still looked for.
  private var lookups = 20

  /// How often a process is tried that is to differ again: it need not do so every time.
  private static let attempts = 5

  /// Has another process run everything.
  ///
  /// - Throws: `Failure.notStarted` when it does not start, `Failure.fault` when it does not come to
  ///   an end of its own.
  init(_ settings: RunSettings) throws(Failure) {
    self.settings = settings
    let output = try OtherProcess.output(
      of: ["run", "--format", "json", "--all"] + settings.wordsOfAudit)
    let lines = output.split(separator: "\n")
    guard let last = lines.last, let summary = try? JSON(parsing: String(last)),
      summary["summary"] != nil
    else { throw .fault("the process of the audit ended without a summary") }
    for line in lines.dropLast() {
      guard let json = try? JSON(parsing: String(line)), let id = json["scenario"]?.string,
        let path = json["file"]?.string, let profile = json["profile"]?.string,
        let hash = json["hash"]?.string,
        let seed = json["seed"]
      else { continue }
      runs["\(path) \(id) \(profile) \(seed.string ?? seed.text)"] = Run(
        hash: hash, checkpoints: (json["checkpoints"]?.elements ?? []).compactMap(\.string))
    }
  }

  /// Makes the verdict `nondeterministic` when the other process differed.
  ///
  /// - Parameters:
  ///   - result: A run, with its events.
  ///   - seed: The seed that it was given.
  /// - Throws: `Failure` when a process that is to report where does not start or end.
  mutating func judge(_ result: inout ScenarioResult, seed: UInt64) throws(Failure) {
    guard result.verdict != .unsupported else { return }
    let scenario = result.scenario
    let name = "\(scenario.file) \(scenario.id) \(result.profile.name) \(result.seed)"
    guard let other = runs[name] else {
      result.hasDiverged(from: "another process", at: nil, near: "before it began")
      return
    }
    guard other.hash != result.hash.description else { return }
    let firstDifference = try self.firstDifference(of: result, seed: seed)
    result.hasDiverged(
      from: "another process", at: firstDifference,
      near: Self.range(result.trace.checkpoints.map(\.description), other.checkpoints))
  }

  /// Between which events the runs parted, by their checkpoints.
  private static func range(_ ours: [String], _ theirs: [String]) -> String {
    let same = zip(ours, theirs).prefix { $0 == $1 }.count
    let start = same * Trace.checkpointSpacing
    return "at one of the events from \(start) to \(start + Trace.checkpointSpacing - 1)"
  }

  /// Where the run of another process parts from this one.
  private mutating func firstDifference(
    of result: ScenarioResult, seed: UInt64
  ) throws(Failure) -> TraceDifference? {
    guard lookups > 0 else { return nil }
    lookups -= 1
    for _ in 0..<Self.attempts {
      guard let trace = try otherTrace(of: result, seed: seed) else { return nil }
      if let difference = TraceDifference(result.trace, trace) { return difference }
    }
    return nil
  }

  /// The run as one more process makes it; nil when it leaves no trace of it.
  private func otherTrace(of result: ScenarioResult, seed: UInt64) throws(Failure) -> Trace? {
    let folder = try TemporaryDirectory()
    var settings = settings
    settings.seed = seed
    settings.seeds = nil
    settings.profiles = [result.profile.name]
    settings.selectors = [result.scenario.file]
    _ = try OtherProcess.output(
      of: ["run", "--format", "json", "--trace", folder.path] + settings.wordsOfAudit)
    for name in try Files.entries(of: folder.path) {
      let text = try Files.text(of: Files.join(folder.path, name))
      if let file = try? TraceFile(text, file: name), file.header.scenario == result.scenario.id {
        return file.trace
      }
    }
    return nil
  }
}

extension RunSettings {
  /// The same runs, which need not be compared with a reference client again.
  fileprivate var wordsOfAudit: [String] {
    var settings = self
    settings.hasShadow = false
    return settings.wordsOfRuns
  }
}

/// Another process of this program.
private enum OtherProcess {
  /// What it writes to standard output. Its sets and dictionaries are ordered by a seed of its own,
  /// even when this process was asked to do without.
  static func output(of arguments: [String]) throws(Failure) -> String {
    let process = try FinishedProcess(
      arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "0"])
    // With 2 a process ends also when all that it ran is unsupported; then it has said so.
    switch process.ending {
    case .exited(0), .exited(1), .exited(3): return process.output
    case .exited(2) where !process.output.isEmpty: return process.output
    case .exited, .killed:
      let words = process.errorOutput.split(separator: "\n").last
      throw .fault(
        "the process of the audit ended with \(process.ending)" + (words.map { ": \($0)" } ?? ""))
    }
  }
}

/// A directory that disappears with this value.
package final class TemporaryDirectory {
  package let path: String

  package init() throws(Failure) {
    var template = Array("/tmp/kennel-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .output(path: "/tmp", reason: Files.lastReason())
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in (try? Files.entries(of: path)) ?? [] { unlink(Files.join(path, name)) }
    rmdir(path)
  }
}
