public import ClientInterface
public import Conformance
internal import Document
public import Rules
internal import Scenario
public import Text
internal import Wording

/// Results as text for people: ASCII, at most 100 columns.
///
/// A failure is reported in one order, always: verdict and title, where, the difference in a
/// sentence, what led there, expected and observed, the rule, how to see it again.
public struct TextReport {
  package static let width = lineWidth

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
  }

  /// The program behind which the client under test is, with its arguments; empty for none.
  public var adapter: [String] = []

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

  /// Makes the client with which runs are compared that lack something; `nil` compares nothing.
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
    switch result.verdict {
    case .pass, .unsupported: return RunReport()
    default: break
    }
    let commands = commands(repeating: result)
    guard !result.divergences.isEmpty else {
      return RunReport(findings: [joined(unjudged(result))], commands: commands)
    }
    let shown = extent == .first ? result.divergences.prefix(1) : result.divergences[...]
    let later = result.divergences.count - shown.count
    return RunReport(
      findings: shown.map { joined(lines(of: $0, in: result, later: later)) }, commands: commands)
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
    var reported: [(report: RunReport, profiles: [String])] = []
    for (report, profile) in reports where !report.findings.isEmpty {
      if let index = reported.firstIndex(where: { $0.report.findings == report.findings }) {
        reported[index].profiles.append(profile)
      } else {
        reported.append((report, []))
      }
    }
    return reported.map { report, profiles in
      report.text + (profiles.isEmpty ? "\n" : "  also in \(profiles.joined(separator: ", "))\n\n")
    }.joined()
  }

  /// One line on a result: `pass  writes/merge  wilddog-2`.
  public func line(of result: ScenarioResult) -> String {
    let reason = result.reason.map { "  (\(ascii($0)))" } ?? ""
    let verdict = padded(result.verdict.rawValue, to: 11)
    return Truncation.middle(
      of:
        "\(verdict)  \(ascii(result.scenario.id))  \(result.profile.name)\(reason)", to: Self.width)
      + "\n"
  }

  private func joined(_ lines: [String]) -> String {
    lines.map { trimmedEnd($0) + "\n" }.joined()
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

  private func unjudged(_ result: ScenarioResult) -> [String] {
    let reason = ascii(result.reason ?? "no reason is known").wrapped(to: Self.width - 2)
    return header(of: result, []) + ["      " + ascii(result.scenario.file), ""]
      + reason.map { "  " + $0 } + block(result.context.map { "  " + ascii($0) })
      + block(differenceLines(result)) + block(wire(result))
  }
}

extension TextReport {
  private func lines(
    of divergence: Divergence, in result: ScenarioResult, later: Int
  ) -> [String] {
    let comparison = Comparison(divergence, extent == .all ? .everything : .first, palette)
    let cited = divergence.rules.first.map { ["rule \($0)"] } ?? []
    let absence = Absence(of: divergence, in: result, comparedWith: reference)
    var lines = header(
      of: result, ["step \(divergence.step) of \(result.scenario.steps.count)"] + cited)
    lines += ["      \(ascii(divergence.file)):\(divergence.position.line)", ""]
    lines += paragraph(ascii(divergence.sentence))
    lines += divergence.consequence.map(paragraph) ?? []
    lines += absence.map { paragraph(ascii($0.sentence)) } ?? []
    if let alternative = divergence.alternative, alternative.count > 1 {
      lines += paragraph(
        "none of \(alternative.count) alternatives holds; number \(alternative.number), at line "
          + "\(alternative.position.line), comes nearest")
    }
    lines.append(Truncation.middle(of: "  on  " + ascii(divergence.subject.text), to: Self.width))
    lines += result.context.flatMap { paragraph(ascii($0)) }
    lines += block(divergence.stack.prefix(Self.frames).flatMap { folded("  " + $0) })
    lines += block(Causes(of: divergence, in: result, missing: absence).lines)
    lines += block(comparison.lines + omission(later + comparison.omitted))
    return lines + block(wire(result)) + block(ruleLines(divergence, result))
  }

  /// Verdict and title, with the rest beside them or, where there is no room, below them.
  private func header(of result: ScenarioResult, _ details: [String]) -> [String] {
    let verdict = result.verdict.rawValue.uppercased()
    let title = Truncation.middle(
      of: ascii(result.scenario.title), to: Self.width - verdict.count - 2)
    let painted =
      palette.paint(verdict, result.verdict == .advice ? .strong : .bad) + "  "
      + palette.paint(title, .strong)
    let rest = details.joined(separator: "   ")
    let fits = verdict.count + 2 + title.count + 3 + rest.count <= Self.width
    guard !rest.isEmpty else { return [painted] }
    return fits ? [painted + "   " + rest] : [painted, "      " + rest]
  }

  private func omission(_ count: Int) -> [String] {
    count > 0 ? ["      ... \(counted(count, "later difference")) not shown (--all)"] : []
  }

  /// Lines with an empty one before them, or nothing.
  private func block(_ lines: [String]) -> [String] { lines.isEmpty ? [] : [""] + lines }

  private func paragraph(_ text: String) -> [String] {
    text.wrapped(to: Self.width - 2).map { "  " + $0 }
  }

  private func ruleLines(_ divergence: Divergence, _ result: ScenarioResult) -> [String] {
    guard let id = divergence.rules.first else { return [] }
    guard let rule = RuleID(id).flatMap({ rules[$0] }) else {
      return ["  rule \(id): not among the rules that were read"]
    }
    let text = rule.text.split(separator: "\n").first.map(String.init) ?? rule.title
    let own = rule.differs.filter { $0.hasPrefix(result.profile.name + ":") }
    return paragraph(ascii("rule \(id): \(text)")) + own.flatMap { paragraph(ascii($0)) }
  }
}
