internal import Conformance
internal import Document
internal import Scenario
internal import Tree

/// What is reported of one run for people: what is wrong, and how to see it again.
///
/// Runs that went the same way in several profiles have the same findings, and differ in the commands.
public struct RunReport: Hashable, Sendable {
  /// Each thing that is wrong; none where nothing is reported.
  public var findings: [Finding]
  /// The commands that show the run again, the best one first.
  public var commands: [String]

  /// A report that says nothing, unless something is given.
  public init(findings: [Finding] = [], commands: [String] = []) {
    self.findings = findings
    self.commands = commands
  }

  /// All of it, ending with a line feed; nothing at all where nothing is reported.
  public var text: String {
    let replay = commands.map(Self.line).joined()
    let end = replay.isEmpty ? "" : "\n" + replay
    return findings.map { $0.text + end }.joined(separator: "\n")
  }

  /// A command on the line that reports have for it.
  static func line(of command: String) -> String { "  replay  \(command)\n" }
}

/// One thing that is wrong with a run, as reports for people show it.
public struct Finding: Hashable, Sendable {
  /// Verdict and title, painted, and how many columns they take.
  var title: String
  var columns: Int
  /// At which step; empty where none is known.
  var step: String
  /// What follows the heading: whole lines.
  var body: String
  /// The rules that it is about; the heading names the first.
  var rules: [RuleNote]

  /// Whole lines: the heading, what follows it, and what the rules say.
  public var text: String {
    let details = [step, rules.first?.name ?? ""].filter { !$0.isEmpty }.joined(separator: "   ")
    let fits = columns + 3 + details.count <= TextReport.width
    let separator = details.isEmpty ? "" : fits ? "   " : "\n      "
    let texts = rules.map(\.text).filter { !$0.isEmpty }
    return title + separator + details + "\n" + body + (texts.isEmpty ? "" : "\n")
      + texts.joined()
  }

  init(title: String, columns: Int, step: String = "", body: String, rules: [RuleNote] = []) {
    (self.title, self.columns, self.step, self.body) = (title, columns, step, body)
    self.rules = rules
  }
}

/// A rule that a report names, and what it says.
public struct RuleNote: Hashable, Sendable {
  /// `rule WRT-3`, or `likely rule WRT-3`.
  var name: String
  /// Whole lines.
  var text: String

  /// The rule as the rule book of a report has it.
  ///
  /// - Parameters:
  ///   - id: The id of the rule.
  ///   - qualifier: What stands before `rule`.
  ///   - profile: What the rule says of this profile is added.
  ///   - rules: Where it is looked up; `nil` where a report has none.
  init(_ id: String, _ qualifier: String = "", in profile: String, _ rules: RuleBook?) {
    name = qualifier + "rule \(id)"
    let rule = RuleID(id).flatMap { rules?[$0] }
    let said = rule.map { $0.text.split(separator: "\n").first.map(String.init) ?? $0.title }
    let own = rule?.differs.filter { $0.hasPrefix(profile + ":") } ?? []
    let missing = rules == nil ? "" : ": not among the rules that were read"
    let lines =
      TextReport.paragraph(name + (said.map { ": " + $0 } ?? missing))
      + own.flatMap { TextReport.paragraph($0) }
    text = lines.map { $0 + "\n" }.joined()
  }
}

extension Finding {
  /// For another process of the same program.
  var transfer: JSON {
    [
      "title": .string(title), "columns": .count(columns), "step": .string(step),
      "body": .string(body), "rules": .array(rules.map { .strings([$0.name, $0.text]) }),
    ]
  }

  /// Reads what another process handed over; `nil` for anything else.
  init?(transfer: JSON) {
    guard let title = transfer["title"]?.string, let columns = transfer["columns"]?.integer,
      let step = transfer["step"]?.string, let body = transfer["body"]?.string,
      let rules = transfer["rules"]?.elements
    else { return nil }
    self.init(
      title: title, columns: columns, step: step, body: body,
      rules: rules.compactMap { RuleNote(transfer: $0) })
  }
}

extension RuleNote {
  fileprivate init?(transfer: JSON) {
    guard let parts = transfer.elements?.compactMap(\.string), parts.count == 2 else { return nil }
    (name, text) = (parts[0], parts[1])
  }
}
