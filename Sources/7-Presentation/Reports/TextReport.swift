public import ClientInterface
public import Conformance
public import Document
public import Scenario
internal import Search
internal import Trace
internal import TraceFiles
package import Tree

/// Results as text for people: ASCII, at most 100 columns.
///
/// A failure is reported in one order, always: verdict and title, where, the difference in a
/// sentence, what led there, expected and observed, the rule, how to see it again.
public struct TextReport {
  package static let width = lineWidth

  /// A text in lines that are indented; all of them fit into the width of a report.
  package static func paragraph(_ text: String, indentation: Int = 2) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    return ascii(text).wrapped(to: width - indentation).map { margin + $0 }
  }

  /// How many frames of an exception are shown.
  private static let frames = 12

  /// Where the report looks up the text of a rule that a divergence cites.
  public var rules: RuleBook
  /// Whether the text may have colour; `.plain` writes no escape sequences.
  public var palette: Palette
  /// How many of the divergences of a scenario are shown.
  public var extent: Extent

  /// The command that makes a run again, and its options behind the scenario.
  public var command = "run"
  /// The options of that command for a run.
  public var options: (RepeatedRun) -> [String] = {
    ["--profile", $0.profile, "--seed", "\($0.seed)"]
      + ($0.isMetamorphic ? ["--metamorphic"] : [])
  }

  /// The end of a command line behind which the client under test is: how long its answers may take, `--`, and
  /// the program with its arguments; empty for a client of the kit.
  public var adapter: [String] = []

  /// What plays a client; nil where one implementation plays all.
  public var implementation: ((String) -> String)?

  /// Where commands are run, so that they name files as these are called there.
  public var pathDisplay = PathDisplay()

  /// The program as commands name it, for a shell.
  public var program = programName

  /// Where traces of runs were written to.
  public var traceFiles: [RunName: String] = [:]

  /// Whether scenarios were run with changes that must not matter.
  public var isMetamorphic = false

  /// Whether the messages of a failing run are shown.
  public var showsWire = false

  /// Makes a conforming client for a profile.
  public typealias Reference = (Profile) -> any SyncClient

  /// Makes the client with which failing runs are compared; `nil` compares nothing, and looks for no
  /// clues.
  public var reference: Reference?

  /// How much of a failing scenario is reported.
  public enum Extent: Hashable, Sendable {
    /// The first; later ones often follow from it and are counted.
    case first
    case all
  }

  /// A report without colour that shows the first divergence, unless stated otherwise.
  public init(rules: RuleBook, palette: Palette = .plain, extent: Extent = .first) {
    self.rules = rules
    self.palette = palette
    self.extent = extent
  }

  /// The report on one result; an empty one for a pass and for what is unsupported.
  public func report(on result: ScenarioResult) -> RunReport {
    let result = citing(result)
    return report(on: result, clues(in: result))
  }

  /// The result with the rule first that is broken, as far as a comparison with the reference shows.
  func citing(_ result: ScenarioResult) -> ScenarioResult {
    guard let reference else { return result }
    return result.citing(causes: result.possibleCauses { reference(result.profile) })
  }

  /// The same, with the clues to the first divergence.
  func report(on result: ScenarioResult, _ clues: Clues?) -> RunReport {
    switch result.verdict {
    case .pass, .unsupported: return RunReport()
    default: break
    }
    let commands = commands(repeating: result)
    guard !result.divergences.isEmpty else {
      return RunReport(findings: [unjudged(result)], commands: commands)
    }
    let shown = extent == .first ? result.divergences.prefix(1) : result.divergences[...]
    let later = result.divergences.count - shown.count
    let findings = shown.enumerated().map { index, divergence in
      let clues = index == 0 ? clues : self.clues(to: divergence, in: result)
      return finding(divergence, clues, in: result, later: later)
    }
    return RunReport(findings: findings, commands: commands)
  }

  /// The report on one result, ending with a line feed; nothing at all for a pass and for what is
  /// unsupported.
  public func text(of result: ScenarioResult) -> String { report(on: result).text }

  /// The reports on one scenario in several profiles, each followed by an empty line; what went the
  /// same way in several is reported once.
  public func text(of results: [ScenarioResult]) -> String {
    Self.merged(results.map { (report(on: $0), $0.profile.name) })
  }

  /// Reports on one scenario in several profiles, each followed by an empty line.
  static func merged(_ reports: [(report: RunReport, profile: String)]) -> String {
    let groups = reports.filter { !$0.report.findings.isEmpty }.grouped(by: \.report.findings)
    return groups.map { group in
      let others = group.dropFirst().map(\.profile).joined(separator: ", ")
      return group[0].report.text + (others.isEmpty ? "\n" : "  also in \(others)\n\n")
    }.joined()
  }

  /// One line on a result: `pass  writes/merge  wilddog-2`.
  public func line(of result: ScenarioResult) -> String {
    let verdict = padded(result.verdict.rawValue, to: 11)
    let run = "\(verdict)  \(ascii(result.scenario.id))  \(result.profile.name)"
    let room = max(0, Self.width - run.count - 4)
    let reason = result.reason.map { "  (\(Truncation.clauses(of: ascii($0), to: room)))" } ?? ""
    return Truncation.middle(of: run + reason, to: Self.width) + "\n"
  }

  /// What tells most about the first divergence.
  func clues(in result: ScenarioResult) -> Clues? {
    result.divergences.first.flatMap { clues(to: $0, in: result) }
  }

  /// What tells most about a divergence; `nil` where there is no reference to compare with.
  func clues(to divergence: Divergence, in result: ScenarioResult) -> Clues? {
    reference.map { Clues(to: divergence, in: result, comparedWith: $0) }
  }

  /// The divergences as reports for programs and files have them.
  package func divergences(of result: ScenarioResult) -> [JSON] {
    let result = citing(result)
    return result.divergencesJSON(clues(in: result))
  }

  private func joined(_ lines: [String]) -> String {
    lines.map { trimmedEnd($0) + "\n" }.joined()
  }

  /// Where an exception was thrown, with an empty line before it; nothing for anything else.
  func stack(of divergence: Divergence) -> [String] {
    block(divergence.stack.prefix(Self.frames).flatMap { folded("  " + $0) })
  }

  /// The whole line, in pieces that fit.
  private func folded(_ line: String) -> [String] {
    var rest = Substring(ascii(line))
    var pieces: [String] = []
    while !rest.isEmpty || pieces.isEmpty {
      let margin = pieces.isEmpty ? "  " : "      "
      pieces.append(margin + rest.prefix(Self.width - margin.count))
      rest = rest.dropFirst(Self.width - margin.count)
    }
    return pieces
  }

  private func unjudged(_ result: ScenarioResult) -> Finding {
    let lines =
      ["      " + ascii(result.scenario.file), ""]
      + Self.paragraph(result.reason ?? "no reason is known")
      + playerLines(result)
      + block(result.context.map { "  " + ascii($0) })
      + block(differenceLines(result)) + block(wire(result))
    let (title, columns) = heading(of: result)
    return Finding(title: title, columns: columns, body: joined(lines))
  }

  private func finding(
    _ divergence: Divergence, _ clues: Clues?, in result: ScenarioResult, later: Int
  ) -> Finding {
    let (title, columns) = heading(of: result)
    return Finding(
      title: title, columns: columns,
      step: "step \(divergence.step) of \(result.scenario.steps.count)",
      body: joined(lines(of: divergence, clues, in: result, later: later)),
      rules: rule(divergence, result).map { [$0] } ?? [])
  }

  private func lines(
    of divergence: Divergence, _ clues: Clues?, in result: ScenarioResult, later: Int
  ) -> [String] {
    let comparison = Comparison(divergence, extent == .all ? .everything : .first, palette)
    var lines = ["      \(ascii(divergence.file)):\(divergence.position.line)", ""]
    lines += Self.paragraph(divergence.sentence)
    lines += divergence.consequence.map { Self.paragraph($0) } ?? []
    lines += clues?.sentences.flatMap { Self.paragraph($0) } ?? []
    if let alternative = divergence.alternative, alternative.count > 1 {
      lines += Self.paragraph(
        "none of \(alternative.count) alternatives holds; number \(alternative.number), at line "
          + "\(alternative.position.line), comes nearest")
    }
    lines.append(Truncation.middle(of: "  on  " + ascii(divergence.subject.text), to: Self.width))
    lines += result.context.flatMap { Self.paragraph($0) } + playerLines(result)
    lines += stack(of: divergence)
    lines += block(Causes(of: divergence, in: result, missing: clues?.absence).lines)
    lines += block(comparison.lines + omission(later + comparison.omitted))
    return lines + block(wire(result))
  }

  /// Verdict and title, and how many columns they take.
  private func heading(of result: ScenarioResult) -> (text: String, columns: Int) {
    let verdict = result.verdict.rawValue.uppercased()
    let title = Truncation.middle(
      of: trimmedEnd(ascii(result.scenario.title)), to: Self.width - verdict.count - 2)
    let painted =
      palette.paint(verdict, result.verdict == .advice ? .strong : .bad) + "  "
      + palette.paint(title, .strong)
    return (painted, verdict.count + 2 + title.count)
  }

  /// Which implementation played which client, where there are several.
  private func playerLines(_ result: ScenarioResult) -> [String] {
    let players = players(of: result).map { "\($0.client): \($0.implementation)" }
    return players.isEmpty ? [] : Self.paragraph("played by " + players.joined(separator: ", "))
  }

  /// What played each client of a run, where there are several implementations.
  public func players(of result: ScenarioResult) -> [(client: String, implementation: String)] {
    implementation.map { name in result.scenario.clients.map { ($0, name($0)) } } ?? []
  }

  private func omission(_ count: Int) -> [String] {
    count > 0 ? ["      ... \(counted(count, "later difference")) not shown (--all)"] : []
  }

  /// Lines with an empty one before them, or nothing.
  private func block(_ lines: [String]) -> [String] { lines.isEmpty ? [] : [""] + lines }

  /// The rule that is broken; `nil` where none is known.
  func rule(_ divergence: Divergence, _ result: ScenarioResult) -> RuleNote? {
    divergence.rules.first.map { RuleNote($0, in: result.profile.name, rules) }
  }
}

/// What distinguishes one run from all others of the same command.
public struct RunName: Hashable, Sendable {
  /// The path of the scenario's file.
  public var file: String
  /// The id of the scenario.
  public var scenario: String
  /// The name of the profile in which it ran.
  public var profile: String
  /// The seed of the run.
  public var seed: UInt64

  /// Names the run that gave this result.
  public init(_ result: ScenarioResult) {
    file = result.scenario.file
    scenario = result.scenario.id
    profile = result.profile.name
    seed = result.seed
  }
}

/// A run that is to be made again by a command.
public struct RepeatedRun: Hashable, Sendable {
  /// The name of the profile in which it ran.
  public var profile: String
  /// The seed of the run.
  public var seed: UInt64
  /// Whether the scenario was run with changes that must not matter.
  public var isMetamorphic: Bool
  /// The clients of the scenario.
  public var clients: [String]
}

extension TextReport {
  /// How to see a result again: commands that can be pasted in the project's directory.
  func commands(repeating result: ScenarioResult) -> [String] {
    let run = RepeatedRun(
      profile: result.profile.name, seed: result.seed, isMetamorphic: isMetamorphic,
      clients: result.scenario.clients)
    let commands = [[command, selector(of: result.scenario)] + options(run)]
    let trace = traceFiles[RunName(result)].map { [["replay", pathDisplay.name(of: $0)]] } ?? []
    // A trace does not start the program behind which the client is.
    return (commands + trace).map {
      ([program] + ($0 + adapter).map(shellWord)).joined(separator: " ")
    }
  }

  /// The id of one of the project's scenarios; of any other its file, with the parameters.
  private func selector(of scenario: Scenario) -> String {
    let file = pathDisplay.name(of: scenario.file)
    if file.hasPrefix("Scenarios/") { return scenario.id }
    return file + scenario.id[(scenario.id.firstIndex(of: "[") ?? scenario.id.endIndex)...]
  }

  /// What is worth a word about a run that need not have failed: choices that its scenario states
  /// and that came to nothing.
  static func notes(on result: ScenarioResult) -> [String] {
    lines(of: result.unusedChoices, "nothing asked for")
      + lines(of: result.loweredChoices, "more than can be chosen; the most that can was")
  }

  /// The notes on runs of one scenario as text.
  public static func text(ofNotesOn results: [ScenarioResult]) -> String {
    text(ofNotes: results.map { ($0.scenario.id, notes(on: $0), $0.profile.name) })
  }

  /// The notes on runs as text. What is the same for one scenario in several profiles is reported
  /// once.
  static func text(
    ofNotes runs: [(id: String, notes: [String], profile: String)]
  ) -> String {
    runs.filter { !$0.notes.isEmpty }.grouped { [$0.id] + $0.notes }.map { group in
      "note  \(ascii(group[0].id))  \(group.map(\.profile).joined(separator: ", "))\n"
        + group[0].notes.map { "      " + $0 + "\n" }.joined() + "\n"
    }.joined()
  }

  /// How many choices are reported.
  private static let reportedChoices = 10

  /// Choices below a line that says what is wrong with them; nothing when there are none.
  static func lines(of choices: [Scenario.Choice], _ heading: String) -> [String] {
    if choices.isEmpty { return [] }
    let reported = choices.prefix(reportedChoices).map { choice in
      Truncation.middle(of: "  " + ascii(choice.description), to: width - 6)
    }
    let rest = choices.count - reported.count
    return [heading] + reported + (rest > 0 ? ["  ... and \(rest) more"] : [])
  }

  /// Both sides of the first event that another run did not share.
  func differenceLines(_ result: ScenarioResult) -> [String] {
    guard let difference = result.firstDifference else { return [] }
    return DifferenceTable(
      difference, in: result.trace, clients: result.scenario.clients, result.profile.dialect
    ).lines("(- this run, + the other one)")
  }

  /// Every message that a client sent, got or lost, as JSON on one line; nothing unless it is asked
  /// for.
  func wire(_ result: ScenarioResult) -> [String] {
    guard showsWire else { return [] }
    let names = result.scenario.clients
    let rows = result.trace.events.compactMap { event -> [String]? in
      let json = event.json(clients: names, result.profile.dialect)
      let frame: String
      switch event.kind {
      case .output(_, .send): frame = (json["out"]?["send"] ?? .null).text
      case .input(_, .frame): frame = (json["in"]?["frame"] ?? .null).text
      case .lostToServer, .lostToClient: frame = event.text
      default: return nil
      }
      return [event.time.shortText, ascii(event.route(names: names)), ascii(frame)]
    }
    return ["  wire"] + TextTable(rows, right: [0]).lines.map { "    " + $0 }
  }
}
