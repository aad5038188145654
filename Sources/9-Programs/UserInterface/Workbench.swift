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
package import Workspace

/// The scenarios of a project, its client, and what was run.
///
/// Whatever it is asked, it answers with JSON or pages: nothing here knows of sockets.
package final class Workbench {
  /// Which run is meant.
  struct Key: Hashable {
    var scenario: String
    var profile: String
    var seed: UInt64
    /// Which way it goes of those that an exploration has found; empty for the usual one.
    var order = ""
    /// What plays its clients, as `Players` has it; empty for what plays them in all runs.
    var players = ""
  }

  let settings: RunSettings
  private(set) var library: ScenarioLibrary
  private(set) var list: ScenarioList
  private(set) var progress = RunProgress()
  private var session: RunSession
  /// What can play clients in place of what does.
  var players: Players
  /// What was chosen last for a scenario to play its clients, and what runs it.
  private var chosen: (players: String, session: RunSession)?
  /// Which failures are known.
  private var gate: CIGate
  /// What was run last, for the viewer; the oldest first.
  private var kept: [(key: Key, result: ScenarioResult, text: String)] = []
  private var scenarioWatch: FileWatch?
  /// The files on which every run depends.
  private var clientWatch: FileWatch?
  /// Whether one of these has changed since everything was started last.
  private var hasNewClient = false
  /// How often files have changed.
  private(set) var version = 0
  /// Why the scenarios could not be read again, or the client does not run; nil for nothing.
  private(set) var trouble: String?
  /// New files that the page has written, which the command line does not name.
  private var added: [String] = []
  /// What was asked for last beside runs.
  var tool: ToolProcess?

  /// How many runs are kept for the viewer. Others are made again.
  private static let limit = 64

  /// - Throws: `Failure` when scenarios cannot be read, or the client does not start.
  package convenience init(_ settings: RunSettings) throws(Failure) {
    try self.init(settings, of: try ProjectFile.find(RunSettings.inProjects))
  }

  /// - Parameters:
  ///   - settings: The scenarios and the client.
  ///   - project: The project file; nil for none.
  ///   - agreed: The commands that the user has agreed to.
  /// - Throws: As without a project.
  package init(
    _ settings: RunSettings, of project: ProjectFile?, agreed: AgreedCommands = AgreedCommands()
  ) throws(Failure) {
    var settings = settings
    settings.keepsGoing = true
    settings.named = project?.clients ?? NamedClients()
    self.settings = settings
    players = Players(settings, of: project, agreed: agreed)
    (library, session, gate) = try Self.load(settings)
    list = ScenarioList(library)
    scenarioWatch = try? FileWatch(try Self.scenarios(settings))
    clientWatch = try? FileWatch(client)
    progress.start(places)
  }

  private static func load(
    _ settings: RunSettings, with added: [String] = []
  ) throws(Failure) -> (ScenarioLibrary, RunSession, CIGate) {
    let selectors = try selectors(settings, with: added)
    var library = try ScenarioLibrary(selectors)
    try library.select(settings.selection)
    let gate = try CIGate(
      settings.gate, library, isWhole: settings.selectors.isEmpty, of: settings)
    return (library, try RunSession(settings, library, palette: .plain), gate)
  }

  private static func selectors(
    _ settings: RunSettings, with added: [String]
  ) throws(Failure) -> [String] {
    if added.isEmpty || !settings.selectors.isEmpty { return settings.selectors + added }
    return [try Home.find().scenarios] + added
  }

  /// The folders and files of the scenarios.
  private static func scenarios(
    _ settings: RunSettings, with added: [String] = []
  ) throws(Failure) -> [String] {
    let selectors = settings.selectors.filter(Files.exists)
    return (selectors.isEmpty ? [try Home.find().scenarios] : selectors) + added
  }

  /// The files of all commands that can play clients, and the list of known failures.
  private var client: [String] {
    let commands = (settings.adapter?.command ?? []) + players.all.flatMap(\.command)
    return commands.filter(Files.exists) + [settings.gate.list].compactMap(\.self)
  }

  /// The profiles in which a scenario is run.
  func profiles(of entry: ScenarioList.Entry) -> [Profile] {
    entry.scenario.map { settings.asFound($0).profiles(of: $0) } ?? []
  }

  /// The seed of the run that counts for a scenario: 0, or that with which a hunt has found it.
  func usualSeed(of entry: ScenarioList.Entry?) -> UInt64 {
    entry?.scenario.flatMap { settings.asFound($0).seed } ?? 0
  }

  /// Every run that counts: each scenario whose file has no mistakes, in each of its profiles.
  var places: [RunProgress.Place] {
    list.entries.filter { !$0.isBroken }.flatMap { places(of: $0) }
  }

  private func places(of entry: ScenarioList.Entry) -> [RunProgress.Place] {
    profiles(of: entry).map { RunProgress.Place(scenario: entry.id, profile: $0.name) }
  }
}

// Changes of files.

extension Workbench {
  /// Reads everything again and starts the client again, when a file has changed; then all is run again that
  /// depends on it.
  func refresh() {
    let changed = [clientWatch, scenarioWatch].map { $0?.hasChanged() == true }
    hasNewClient = hasNewClient || changed[0]
    if changed.contains(true) { reload() }
  }

  /// Does the same after this program has written a scenario file itself.
  ///
  /// - Returns: Whether the command line names the file.
  func refresh(afterWriting file: String) -> Bool {
    let isNew = library.sources[file] == nil
    // What was written is noticed here; what changes from here on is noticed later.
    _ = (scenarioWatch?.hasChanged(), clientWatch?.hasChanged())
    reload()
    let isNamed = library.sources[file] != nil && !added.contains(file)
    if isNew, !isNamed {
      added.append(file)
      scenarioWatch = (try? Self.scenarios(settings, with: added)).flatMap { try? FileWatch($0) }
      reload()
    }
    return isNamed
  }

  /// What has changed is run first, then what waited before, or everything with a new client.
  private func reload() {
    version += 1
    kept = []
    chosen = nil
    let before = list
    do throws(Failure) {
      (library, session, gate) = try Self.load(settings, with: added)
      list = ScenarioList(library, after: before)
      trouble = nil
    } catch {
      trouble = error.lines
    }
    let old = Dictionary(before.entries.map { ($0.id, $0.sources) }) { first, _ in first }
    let changed = list.entries.filter { $0.isBroken || $0.sources != old[$0.id] }
    let first = Set(changed.flatMap { places(of: $0) })
    progress.revise(Set(list.entries.flatMap { places(of: $0) })) { place in
      hasNewClient || first.contains(place)
    }
    guard trouble == nil else { return }
    let due = first.union(progress.waiting)
    progress.start(
      places.filter { hasNewClient || due.contains($0) || progress[$0]?.isOld == true },
      first: first)
    hasNewClient = false
  }
}

// Runs.

extension Workbench {
  /// Has all these run in place of what waits.
  func start(_ places: [RunProgress.Place]) { progress.start(places) }

  /// Makes the next of the runs that wait.
  ///
  /// - Returns: Whether more wait.
  package func advance() -> Bool {
    guard let place = progress.takeNext() else { return false }
    guard let entry = list[place.scenario], let scenario = entry.scenario,
      let profile = Profile(named: place.profile)
    else { return progress.next != nil }
    do throws(Failure) {
      let text = entry.sources.first?.text ?? ""
      let key = Key(
        scenario: scenario.id, profile: profile.name, seed: usualSeed(of: entry))
      progress.take(try record(of: run(scenario, in: profile, as: key, text: text)))
    } catch {
      trouble = error.lines
      progress.start([])
    }
    return progress.next != nil
  }

  /// Runs a scenario as it is in its file; the run counts if it is the usual one.
  ///
  /// - Throws: `Failure` when there is no such scenario, and when the client does not start.
  func run(_ key: Key) throws(Failure) -> RunProgress.Result {
    let (scenario, profile, text) = try parts(of: key)
    let record = try record(of: run(scenario, in: profile, as: key, text: text), as: key)
    let entry = list[key.scenario]
    let counts =
      key.seed == usualSeed(of: entry) && key.order.isEmpty && key.players.isEmpty
      && entry?.isBroken == false
    return counts ? progress.take(record) : RunProgress.Result(number: 0, record: record)
  }

  private func parts(of key: Key) throws(Failure) -> (Scenario, Profile, text: String) {
    guard let entry = list[key.scenario], let profile = Profile(named: key.profile) else {
      throw .unusable("there is no scenario \(key.scenario) in the profile \(key.profile)")
    }
    guard let scenario = entry.scenario else {
      throw .mistakes(entry.problems.map(\.description), "nothing was run")
    }
    return (scenario, profile, entry.sources.first?.text ?? "")
  }

  /// Everything that is wrong with a text, as `kennel check` finds it, and its scenarios.
  func read(_ text: String, file: String) -> ScenarioReader.Result {
    ScenarioReader.read(
      file: file, bytes: Array(text.utf8),
      load: { path in try ScenarioLibrary.fragment(path).map { Array($0.utf8) } },
      rules: library.rules)
  }

  /// What runs scenarios with the players of a choice.
  private func session(_ players: String) throws(Failure) -> RunSession {
    if players.isEmpty { return session }
    if let chosen, chosen.players == players { return chosen.session }
    var settings = settings
    settings.fleet = try self.players.fleet(players)
    let session = try RunSession(settings, library, palette: .plain)
    chosen = (players, session)
    return session
  }

  /// Runs a scenario and keeps the run for the viewer.
  ///
  /// - Throws: `Failure` when the client does not start.
  func run(
    _ scenario: Scenario, in profile: Profile, as key: Key, text: String
  ) throws(Failure) -> ScenarioResult {
    var session = try session(key.players)
    let result =
      key.order.isEmpty
      ? try session.run(scenario, in: profile, seed: key.seed)
      : try run(scenario, in: profile, as: key, session)
    var key = key
    key.scenario = scenario.id
    kept.removeAll { $0.key == key }
    kept.append((key, result, text))
    if kept.count > Self.limit { kept.removeFirst() }
    return result
  }

  /// What a page puts before the name of an order in which deliveries are open too.
  private static let opened = "deliveries:"
  /// What a page puts before the name of a fault at one moment of the usual order.
  private static let struck = "fault:"

  private func run(
    _ scenario: Scenario, in profile: Profile, as key: Key, _ session: RunSession
  ) throws(Failure) -> ScenarioResult {
    let order = key.order
    let runner = session.runner(of: scenario, seed: key.seed)
    if order.hasPrefix(Self.struck) {
      let injection = Sweep.FaultInjection(text: String(order.dropFirst(Self.struck.count)))
      if let run = injection.flatMap({ Sweeper(runner).run(scenario, in: profile, with: $0) }) {
        return run.result
      }
    } else {
      var explorer = Explorer(runner)
      let isOpened = order.hasPrefix(Self.opened)
      if isOpened { explorer.scope = .deliveries }
      let name = isOpened ? String(order.dropFirst(Self.opened.count)) : order
      let chosen = Order(text: name)
      if let run = chosen.flatMap({ explorer.run(scenario, in: profile, order: $0) }) {
        return run.result
      }
    }
    throw .unusable("\(scenario.id) has no order \"\(order)\"")
  }

  /// What reports keep of a run.
  ///
  /// - Throws: `Failure` when what plays its clients does not start.
  func record(of result: ScenarioResult, as key: Key? = nil) throws(Failure) -> RunRecord {
    gate.compared(RunRecord(result, try session(key?.players ?? "").report))
  }

  /// The viewer of a run; the run is made again when it is not kept. With `isDraft` the run of a text is
  /// meant that is not saved.
  ///
  /// - Throws: `Failure` when there is no such scenario, or the client does not start.
  func page(of key: Key, isDraft: Bool) throws(Failure) -> String {
    let last = kept.last { $0.key == key }
    if let last, isDraft || last.text == list[key.scenario]?.sources.first?.text {
      return try page(last.result, last.text, key)
    }
    let (scenario, profile, text) = try parts(of: key)
    return try page(run(scenario, in: profile, as: key, text: text), text, key)
  }

  private func page(
    _ result: ScenarioResult, _ text: String, _ key: Key
  ) throws(Failure) -> String {
    let report = try session(key.players).report
    var sources = list[result.scenario.id]?.sources ?? []
    if sources.first?.text != text {
      sources = [TraceFile.Source(file: result.scenario.file, text: text)] + sources.dropFirst()
    }
    var file = TraceFile(of: result, client: settings.subject, kit: kitVersion, sources: sources)
    file.end.divergences = report.divergences(of: result)
    let players = report.players(of: result).map(\.implementation)
    return ViewerPage(
      of: file, name: result.scenario.file, players: players, isWithinPage: true
    ).html
  }
}

extension Failure {
  /// All that is printed of it, without the name of the program.
  var lines: String {
    guard case let .mistakes(lines, summary?) = self else { return description }
    return (lines + [summary]).joined(separator: "\n")
  }
}
