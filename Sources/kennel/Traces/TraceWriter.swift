import ClientInterface
import Conformance
import Report
import Scenario
import Trace
import TraceFiles
import Tree

/// Writes a file for each run into a directory.
struct TraceWriter {
  private let directory: String
  private let client: String
  private let sources: [String: [TraceFile.Source]]
  private var names: Set<String> = []

  /// The longest name that every file system takes, less what the profile and the suffix need.
  private static let nameLimit = 200

  /// - Parameters:
  ///   - directory: Where the files go.
  ///   - client: The client under test; nil means the reference client.
  ///   - library: Has the texts of the scenarios that are run.
  /// - Throws: `Failure.unusable` when there is no such directory.
  init(_ directory: String, client: String?, _ library: ScenarioLibrary) throws(Failure) {
    guard Files.isDirectory(directory) else {
      throw .unusable("there is no directory \(directory) to write traces into")
    }
    self.directory = directory
    self.client = client ?? "reference"
    sources = library.sources
  }

  /// Writes the trace of a run; nothing for a scenario that was not run.
  ///
  /// - Throws: `Failure.output` when the file cannot be written.
  mutating func write(_ result: ScenarioResult) throws(Failure) {
    guard result.trace.count > 0 else { return }
    let file = TraceFile(
      of: result, client: client, kit: kitVersion, sources: sources[result.scenario.file] ?? [])
    try Files.write(file.text, to: Files.join(directory, name(of: result)))
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "-_.=,[]".contains(character))
  }

  /// `writes_merge.firebase.trace.jsonl`; another name where two scenarios would share one.
  private mutating func name(of result: ScenarioResult) -> String {
    let id = String(result.scenario.id.map { Self.isPlain($0) ? $0 : "_" })
    var stem = id
    if id.count > Self.nameLimit {
      var fingerprint = Fingerprint()
      fingerprint.combine(result.scenario.id)
      stem = "\(id.prefix(Self.nameLimit - 17))-\(fingerprint)"
    }
    var name = "\(stem).\(result.profile.name)"
    var number = 2
    while !names.insert(name).inserted {
      name = "\(stem)-\(number).\(result.profile.name)"
      number += 1
    }
    return name + ".trace.jsonl"
  }
}
