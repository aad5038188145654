package import Document
internal import Tree

/// Failures as commands of a GitHub workflow, which show them beside the line of the file.
public enum Annotations {
  /// How many of each kind a step shows.
  static let limit = 10

  /// How many scenarios of a cause are named.
  static let named = 20

  /// A line for each cause of failures, and of advice, at the line where the first run shows it, with
  /// the number of runs and the scenarios; one for what was not run, one for each known failure that is
  /// about to expire, and one that counts what is beyond the limit.
  ///
  /// - Parameters:
  ///   - records: The runs.
  ///   - stop: Why the rest was not run, in a sentence; `nil` when enough had failed.
  ///   - warnings: What is about to expire.
  ///   - name: How a file is called from the root of the repository; nil for one outside of it, at which
  ///     nothing can be shown.
  /// - Returns: the lines.
  public static func text(
    of records: [RunRecord], stop: String? = nil, warnings: [KnownFailures.Warning] = [],
    name: (String) -> String?
  ) -> String {
    let failed = CauseGroup.groups(of: records.filter { $0.outcome == .failed })
    var lines = stop.map { ["::error title=Kennel::\(data($0))\n"] } ?? []
    lines += failed.prefix(limit).map { annotation("error", of: $0, name) }
    let advised = CauseGroup.groups(of: records.filter { $0.outcome == .advised })
    lines += advised.prefix(limit).map { annotation("notice", of: $0, name) }
    lines += warnings.prefix(limit).map { warning in
      command(
        "warning", file: name(warning.entry.file), line: warning.entry.position.line,
        column: warning.entry.position.column, title: warning.title,
        warning.message)
    }
    let rest = [failed.count, advised.count, warnings.count].reduce(0) { $0 + max(0, $1 - limit) }
    if rest > 0 { lines.append("::notice title=Kennel::\(rest) more are in the log\n") }
    return lines.joined()
  }

  /// What is wrong in the first run of a cause, and the others.
  private static func annotation(
    _ kind: String, of cause: CauseGroup, _ name: (String) -> String?
  ) -> String {
    guard let group = cause.groups.first else { return "" }
    let location = location(of: group.first)
    let others = cause.groups.dropFirst().map { "\($0.first.scenario) (\($0.names))" }
    var lines = [text(of: group.first)]
    if !others.isEmpty {
      lines.append("\(cause.cause): \(cause.extent), also")
      lines += others.prefix(named)
      if others.count > named { lines.append("... and \(others.count - named) more") }
    }
    return command(
      kind, file: name(location.file), line: location.line, column: location.column,
      title: "\(group.first.scenario) (\(group.names))", lines.joined(separator: "\n"))
  }

  /// Where it is shown: what is stale, in the list.
  private static func location(of record: RunRecord) -> RunRecord.Location {
    guard case let .stale(entry) = record.knownStatus else { return record.location }
    return .init(file: entry.file, line: entry.position.line, column: entry.position.column)
  }

  private static func text(of record: RunRecord) -> String {
    if case .stale = record.knownStatus { return record.message }
    return record.message + (record.namedRule.map { " (rule \($0))" } ?? "")
  }

  static func command(
    _ kind: String, file: String?, line: Int, column: Int, title: String, _ message: String
  ) -> String {
    let place = file.map { "file=\(property($0)),line=\(line),col=\(column)," } ?? ""
    return "::\(kind) \(place)title=\(property(title))::\(data(message))\n"
  }

  /// Text behind the command.
  private static func data(_ text: String) -> String { escaped(text, "%\r\n") }

  /// The value of a property, which ends at a comma or colon.
  private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

  /// Text with its bytes for some characters. Scalar by scalar: a line feed behind a carriage
  /// return is a character of its own here.
  private static func escaped(_ text: String, _ special: String) -> String {
    text.replacingScalars { scalar in
      special.unicodeScalars.contains(scalar)
        ? "%" + hexadecimal(scalar.value, digits: 2, .upper) : nil
    }
  }
}

extension KnownFailures.Warning {
  fileprivate var title: String {
    entry.mismatch == nil ? "Known failure expires soon" : "Known failure of no scenario"
  }
}

/// How mistakes in files are written, a line for each.
package enum ProblemFormat: String, CaseIterable {
  /// `FILE:LINE:COLUMN: TEXT`, as compilers write them.
  case text
  /// An object, for editors and scripts.
  case json
  /// The annotation of a GitHub workflow.
  case github

  /// A mistake, ended by a line feed.
  package func line(of problem: SourceError) -> String {
    switch self {
    case .text: "\(problem)\n"
    case .json:
      JSON.object([
        .init("file", .string(problem.file)),
        .init("line", .count(problem.position.line)),
        .init("column", .count(problem.position.column)),
        .init("message", .string(problem.message)),
      ]).text + "\n"
    case .github:
      Annotations.command(
        "error", file: problem.file, line: problem.position.line,
        column: problem.position.column, title: "kennel check", problem.message)
    }
  }
}
