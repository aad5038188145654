import AdapterSessions
import ClientInterface
import Conformance
import Document
import Reports
package import Runs
import Scenario
import ScenarioFiles
import Search
package import System
import TraceFiles
import Tree
import WebPages
import Workspace

/// The scenarios of a project, its client, and what was run last.
///
/// Whatever it is asked, it answers with JSON or pages: nothing here knows of sockets.
package final class Workbench {
  /// Which run is meant.
  struct Key: Hashable {
    var scenario: String
    var profile: String
    var seed: UInt64
    /// Which of the orders that the scenario leaves open; empty for the usual one.
    var order = ""
  }

  let settings: RunSettings
  private(set) var library: ScenarioLibrary
  private var session: RunSession
  /// Which failures are known.
  private var gate: CIGate
  /// What was run last, for the viewer; the oldest first.
  private var results: [(key: Key, result: ScenarioResult, text: String)] = []
  private var watch: FileWatch?
  /// How often files have changed.
  private(set) var version = 0

  /// How many runs are kept for the viewer. Others are made again.
  private static let limit = 64

  /// - Throws: `Failure` when scenarios cannot be read, or the client does not start.
  package init(_ settings: RunSettings) throws(Failure) {
    var settings = settings
    settings.keepsGoing = true
    self.settings = settings
    (library, session, gate) = try Self.load(settings)
    watch = try? FileWatch(try Self.watched(settings))
  }

  private static func load(
    _ settings: RunSettings
  ) throws(Failure) -> (ScenarioLibrary, RunSession, CIGate) {
    var library = try ScenarioLibrary(settings.selectors)
    try library.select(settings.selection)
    let gate = try CIGate(
      settings.gate, library, isWhole: settings.selectors.isEmpty, of: settings)
    return (library, try RunSession(settings, library, palette: .plain), gate)
  }

  /// The folders of the scenarios, and the files of the client's command.
  private static func watched(_ settings: RunSettings) throws(Failure) -> [String] {
    let selectors = settings.selectors.filter(Files.exists)
    let program = (settings.adapter?.command ?? []).filter(Files.exists)
    return (selectors.isEmpty ? [try Home.find().scenarios] : selectors) + program
      + [settings.gate.list].compactMap(\.self)
  }

  /// Reads everything again and starts the client again, when a file has changed.
  ///
  /// - Throws: `Failure` when that is not possible; what was read before remains.
  func refresh() throws(Failure) {
    guard watch?.hasChanged() == true else { return }
    try reload()
  }

  func reload() throws(Failure) {
    version += 1
    results = []
    (library, session, gate) = try Self.load(settings)
  }

  /// The scenario with this id.
  func scenario(_ id: String) -> Scenario? { library.scenarios.first { $0.id == id } }

  /// The text of a scenario's own file.
  func text(of scenario: Scenario) -> String {
    library.sources[scenario.file]?.first?.text ?? ""
  }

  /// Everything that is wrong with a text, as `kennel check` finds it, and its scenarios.
  func read(_ text: String, file: String) -> ScenarioReader.Result {
    ScenarioReader.read(
      file: file, bytes: Array(text.utf8),
      load: { path in try ScenarioLibrary.fragment(path).map { Array($0.utf8) } },
      rules: library.rules)
  }

  /// Runs a scenario and keeps the run for the viewer.
  ///
  /// - Throws: `Failure` when the client does not start.
  func run(
    _ scenario: Scenario, in profile: Profile, seed: UInt64, order: String = "", text: String
  ) throws(Failure) -> ScenarioResult {
    let result =
      order.isEmpty
      ? try session.run(scenario, in: profile, seed: seed)
      : try run(scenario, in: profile, seed: seed, order: order)
    let key = Key(scenario: scenario.id, profile: profile.name, seed: seed, order: order)
    results.removeAll { $0.key == key }
    results.append((key, result, text))
    if results.count > Self.limit { results.removeFirst() }
    return result
  }

  private func run(
    _ scenario: Scenario, in profile: Profile, seed: UInt64, order: String
  ) throws(Failure) -> ScenarioResult {
    let explorer = Explorer(session.runner(seed: seed))
    guard let chosen = Order(text: order),
      let outcome = explorer.run(scenario, in: profile, order: chosen)
    else { throw .unusable("\(scenario.id) has no order \"\(order)\"") }
    return outcome.result
  }

  /// What reports keep of a run.
  func record(of result: ScenarioResult) -> RunRecord {
    gate.compared(RunRecord(result, session.report))
  }

  /// The viewer of a run; the run is made again when it is not kept.
  ///
  /// - Throws: `Failure` when there is no such scenario, or the client does not start.
  func page(of key: Key) throws(Failure) -> String {
    if let kept = results.last(where: { $0.key == key }) { return page(kept.result, kept.text) }
    guard let scenario = scenario(key.scenario), let profile = Profile(named: key.profile) else {
      throw .unusable("there is no scenario \(key.scenario)")
    }
    let text = text(of: scenario)
    let result = try run(scenario, in: profile, seed: key.seed, order: key.order, text: text)
    return page(result, text)
  }

  private func page(_ result: ScenarioResult, _ text: String) -> String {
    var sources = library.sources[result.scenario.file] ?? []
    if sources.first?.text != text {
      sources = [TraceFile.Source(file: result.scenario.file, text: text)] + sources.dropFirst()
    }
    var file = TraceFile(of: result, client: settings.subject, kit: kitVersion, sources: sources)
    file.end.divergences = session.report.divergences(of: result)
    return ViewerPage(of: file, name: result.scenario.file).html
  }
}
