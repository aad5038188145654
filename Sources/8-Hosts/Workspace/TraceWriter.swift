import ClientInterface
package import Conformance
import Document
package import Recordings
package import Reports
package import Scenario
package import System
import Trace
import TraceFiles
import Tree

/// Writes a file for each run into a directory.
package struct TraceWriter {
  private let directory: String
  private let client: String
  private let sources: [String: [TraceFile.Source]]
  private var names: Set<String> = []

  /// The longest name that every file system takes, less what the profile and the suffix need.
  private static let nameLimit = 200

  /// - Parameters:
  ///   - directory: Where the files go; it is made where there is none.
  ///   - client: The client under test; nil means the reference client.
  ///   - library: Has the texts of the scenarios that are run.
  /// - Throws: `Failure.results` when it cannot be made.
  package init(_ directory: String, client: String?, _ library: ScenarioLibrary) throws(Failure) {
    try Files.makeDirectory(directory)
    self.directory = directory
    self.client = client ?? "reference"
    sources = library.sources
  }

  /// Writes the trace of a run; nothing for a scenario that was not run.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - report: Looks for what tells most about a failure.
  ///   - suffix: What follows the profile in the name of the file.
  ///   - choices: The choices that make the run, where these are not all its own.
  /// - Returns: The path of the file; `nil` when there is none.
  /// - Throws: `Failure.output` when the file cannot be written.
  package mutating func write(
    _ result: ScenarioResult, _ report: TextReport, suffix: String = "",
    choices: [Scenario.Choice]? = nil
  ) throws(Failure) -> String? {
    guard result.trace.count > 0 else { return nil }
    var file = TraceFile(
      of: result, client: client, kit: kitVersion, sources: sources[result.scenario.file] ?? [],
      choices: choices)
    file.end.divergences = report.divergences(of: result)
    let path = Files.join(directory, name(of: result, suffix))
    try FileKind.write(file.text, to: path, as: .trace)
    return path
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "-_.=,[]".contains(character))
  }

  /// `writes_merge.firebase.trace.jsonl`; another name where two scenarios would share one.
  private mutating func name(of result: ScenarioResult, _ suffix: String) -> String {
    let id = String(result.scenario.id.map { Self.isPlain($0) ? $0 : "_" })
    var stem = id
    if id.count > Self.nameLimit {
      var fingerprint = Fingerprint()
      fingerprint.combine(result.scenario.id)
      stem = "\(id.prefix(Self.nameLimit - 17))-\(fingerprint)"
    }
    let rest = ".\(result.profile.name)\(suffix)"
    var name = stem + rest
    var number = 2
    while !names.insert(name).inserted {
      name = "\(stem)-\(number)\(rest)"
      number += 1
    }
    return name + ".trace.jsonl"
  }
}

/// Reads what was recorded of one session: a trace, or a recording of each client.
///
/// - Returns: The session. Its warnings list what could not be read of it.
/// - Throws: `Failure` for files that cannot be read, the last line apart, and `Failure.unusable` for some
///   that do not belong together.
package func recordedSession(from paths: [String]) throws(Failure) -> ObservedSession {
  var recordings: [Recording] = []
  for path in paths {
    try requireFile(path)
    let text = try FileKind.text(of: path, expecting: FileKind.recorded)
    if TraceFile.isTrace(text) {
      guard paths.count == 1 else {
        throw .unusable("\(path) is a trace, which has all clients; give it alone")
      }
      return ObservedSession(try readTrace(text, path))
    }
    do throws(SourceError) {
      recordings.append(try Recording.readable(text, file: path))
    } catch {
      throw .mistake(error)
    }
  }
  do throws(ObservedSession.Mismatch) {
    return try ObservedSession(recordings)
  } catch {
    throw .unusable("\(error)")
  }
}

/// - Throws: `Failure.file` for a folder, with a trace in it.
private func requireFile(_ path: String) throws(Failure) {
  guard Files.isDirectory(path) else { return }
  let files = try Files.files(below: path, suffix: ".jsonl")
  let example = files.first { $0.hasSuffix(".trace.jsonl") } ?? files.first
  throw .file(
    path: path,
    reason: "it is a folder; expected a trace or a recording"
      + (example.map { ", such as \(shellWord($0))" } ?? ""))
}

private func readTrace(_ text: String, _ path: String) throws(Failure) -> TraceFile {
  do throws(SourceError) {
    return try TraceFile(text, file: path)
  } catch {
    throw .mistake(error)
  }
}
