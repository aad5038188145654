/// Writes into a file of transcripts what its commands say now, for review.
package enum TranscriptUpdate {
  /// Runs all parts of a file. What matches stays as it is, with its wildcards. Returns whether
  /// anything was changed.
  package static func apply(to file: String, kennel: Program = .kennel) throws -> Bool {
    let text = try SourceTree.text(of: file)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let parts = Transcript.parts(of: text, file: file)
    // From the end, so that the numbers of the lines before stay right.
    for part in parts.reversed() {
      let run = try TranscriptRun(part, kennel: kennel)
      let observed = run.observed.dropFirst(part.setup.count)
      for (command, found) in zip(part.commands, observed).reversed() {
        replace(command, by: found, in: &lines)
      }
    }
    if let first = parts.first {
      let run = try TranscriptRun(first, kennel: kennel)
      for (command, found) in zip(first.setup, run.observed).reversed() {
        replace(command, by: found, in: &lines)
      }
    }
    let updated = lines.joined(separator: "\n")
    guard updated != text else { return false }
    try SourceTree.write(updated, to: file)
    return true
  }

  private static func replace(
    _ command: Transcript.Command, by found: [String], in lines: inout [String]
  ) {
    guard !TranscriptPattern.matches(command.expected, found) else { return }
    let height = command.text.split(separator: "\n", omittingEmptySubsequences: false).count
    let start = command.line - 1 + height
    lines.replaceSubrange(
      start..<start + command.expected.count,
      with: found.map { $0.isEmpty ? "" : Transcript.indentation + withoutTime($0) })
  }

  /// How long a run took differs each time: `12 scenarios: 12 pass   seed 0   0.1 s`.
  private static func withoutTime(_ line: String) -> String {
    line.replacing(#/(   seed \d+   )[0-9.]+ s$/#) { $0.output.1 + "[..]" }
  }
}
