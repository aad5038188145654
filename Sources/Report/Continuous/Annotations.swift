internal import Document
public import KnownFailures

/// Failures as commands of a GitHub workflow, which show them beside the line of the file.
public enum Annotations {
  /// How many of each kind a step shows.
  static let limit = 10

  /// A line for each failure, one for each known failure that is about to expire, and one that counts
  /// what is beyond the limit.
  ///
  /// - Parameters:
  ///   - records: The runs.
  ///   - warnings: What is about to expire.
  ///   - name: How a file is called from the root of the repository.
  /// - Returns: the lines.
  public static func text(
    of records: [RunRecord], warnings: [KnownFailures.Warning] = [], name: (String) -> String
  ) -> String {
    let failed = records.filter { $0.outcome == .failed }
    var lines = failed.prefix(limit).map { annotation(of: $0, name) }
    lines += warnings.prefix(limit).map { warning in
      command(
        "warning", file: name(warning.entry.file), line: warning.entry.position.line,
        column: warning.entry.position.column, title: "Known failure expires soon",
        warning.message)
    }
    let rest = max(0, failed.count - limit) + max(0, warnings.count - limit)
    if rest > 0 { lines.append("::notice title=Kennel::\(rest) more are told in the log\n") }
    return lines.joined()
  }

  private static func annotation(of record: RunRecord, _ name: (String) -> String) -> String {
    let title = "\(record.scenario) (\(record.profile))"
    if case let .stale(entry) = record.standing {
      return command(
        "error", file: name(entry.file), line: entry.position.line, column: entry.position.column,
        title: title, record.message)
    }
    let rule = record.rule.map { " (rule \($0))" } ?? ""
    return command(
      "error", file: name(record.place.file), line: record.place.line,
      column: record.place.column, title: title, record.message + rule)
  }

  private static func command(
    _ kind: String, file: String, line: Int, column: Int, title: String, _ message: String
  ) -> String {
    "::\(kind) file=\(property(file)),line=\(line),col=\(column),title=\(property(title))"
      + "::\(data(message))\n"
  }

  /// Text behind the command.
  private static func data(_ text: String) -> String { escaped(text, "%\r\n") }

  /// The value of a property, which ends at a comma or colon.
  private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

  /// Text with its bytes for some characters. Scalar by scalar: a line feed behind a carriage return
  /// is a character of its own here.
  private static func escaped(_ text: String, _ special: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if special.unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
