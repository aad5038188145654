/// What is reported of one run for people: what is wrong, and how to see it again.
///
/// Runs that went the same way in several profiles have the same findings, and differ in the commands.
public struct RunReport: Hashable, Sendable {
  /// A text of whole lines for each thing that is wrong; none where nothing is reported.
  public var findings: [String]
  /// The commands that show the run again, the best one first.
  public var commands: [String]

  /// A report that says nothing, unless something is given.
  public init(findings: [String] = [], commands: [String] = []) {
    self.findings = findings
    self.commands = commands
  }

  /// All of it, ending with a line feed; nothing at all where nothing is reported.
  public var text: String {
    let replay = commands.map(Self.line).joined()
    let end = replay.isEmpty ? "" : "\n" + replay
    return findings.map { $0 + end }.joined(separator: "\n")
  }

  /// A command on the line that reports have for it.
  static func line(of command: String) -> String { "  replay  \(command)\n" }
}
