internal import Conformance
internal import KnownFailures
internal import Text
internal import Tree

/// Results in the Test Anything Protocol, version 14: a test point for each run.
///
/// A known failure is one that is to be done, what is unsupported is skipped. Advice stands below a
/// point that passes.
public enum TAPReport {
  /// All lines.
  public static func text(of records: [RunRecord], _ header: RunHeader) -> String {
    var text = "TAP version 14\n1..\(records.count)\n"
    text +=
      "# kennel \(singleLine(header.kit)), client \(singleLine(header.client)), seed \(header.seed)\n"
    for (index, record) in records.enumerated() { text += point(record, number: index + 1) }
    if header.left > 0 { text += "# \(header.left) selected and not run\n" }
    if let stop = header.stop { text += "Bail out! \(singleLine(stop))\n" }
    return text
  }

  private static func point(_ record: RunRecord, number: Int) -> String {
    let name = "\(number) - \(escaped(record.scenario)) \(record.profile)"
    switch record.outcome {
    case .passed: return "ok \(name)\n"
    case .advised: return "ok \(name)\n" + diagnostics(record)
    case .skipped: return "ok \(name) # SKIP \(escaped(record.message))\n"
    case .known:
      return "not ok \(name) # \(toBeDone) \(escaped(record.knownStatus.sentence ?? ""))\n"
    case .failed: return "not ok \(name)\n" + diagnostics(record)
    }
  }

  /// The directive of a test point that is expected to fail.
  private static let toBeDone = "TO" + "DO"

  /// What is known of a failure, as a block of YAML. The values are in double quotes, which every
  /// consumer can read.
  private static func diagnostics(_ record: RunRecord) -> String {
    let lines = [
      ("message", quoted(record.message)), ("kind", quoted(record.kind)),
      ("verdict", quoted(record.verdict.rawValue)), ("file", quoted(record.location.file)),
      ("line", String(record.location.line)), ("seed", quoted(String(record.seed))),
    ]
    let report = record.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    var text = "  ---\n" + lines.map { "  \($0): \($1)\n" }.joined()
    if !report.isEmpty {
      text += "  report:\n" + report.map { "    - \(quoted(String($0)))\n" }.joined()
    }
    return text + "  ...\n"
  }

  /// Text on the line of a test point, where `#` begins a directive.
  private static func escaped(_ text: String) -> String { marked(singleLine(text), "\\#") }

  /// Text with a backslash before some characters, each a scalar of its own.
  private static func marked(_ text: String, _ special: String) -> String {
    text.replacingScalars { special.unicodeScalars.contains($0) ? "\\\($0)" : nil }
  }

  /// Text in double quotes, as YAML and the consumers of TAP read it: without what is not ASCII,
  /// and with no escapes but those for quotes and backslashes.
  private static func quoted(_ text: String) -> String {
    "\"" + marked(ascii(text), "\\\"") + "\""
  }
}
