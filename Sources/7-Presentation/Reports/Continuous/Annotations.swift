internal import Document
public import KnownFailures
internal import Text

/// Failures as commands of a GitHub workflow, which show them beside the line of the file.
public enum Annotations {
  /// How many of each kind a step shows.
  static let limit = 10

  /// A line for each location where something fails, or where a client does not do what it should,
  /// with the profiles in which it does; one for
  /// what was not run, one for each known failure that is about to expire, and one that counts what
  /// is beyond the limit.
  ///
  /// - Parameters:
  ///   - records: The runs.
  ///   - stop: Why the rest was not run, in a sentence; `nil` when enough had failed.
  ///   - warnings: What is about to expire.
  ///   - name: How a file is called from the root of the repository.
  /// - Returns: the lines.
  public static func text(
    of records: [RunRecord], stop: String? = nil, warnings: [KnownFailures.Warning] = [],
    name: (String) -> String
  ) -> String {
    let failed = locations(of: records.filter { $0.outcome == .failed })
    var lines = stop.map { ["::error title=Kennel::\(data($0))\n"] } ?? []
    lines += failed.prefix(limit).map { annotation("error", of: $0, name) }
    let advised = locations(of: records.filter { $0.outcome == .advised })
    lines += advised.prefix(limit).map { annotation("notice", of: $0, name) }
    lines += warnings.prefix(limit).map { warning in
      command(
        "warning", file: name(warning.entry.file), line: warning.entry.position.line,
        column: warning.entry.position.column, title: "Known failure expires soon",
        warning.message)
    }
    let rest = [failed.count, advised.count, warnings.count].reduce(0) { $0 + max(0, $1 - limit) }
    if rest > 0 { lines.append("::notice title=Kennel::\(rest) more are in the log\n") }
    return lines.joined()
  }

  /// What fails in one scenario at the same location, together.
  private static func locations(of failed: [RunRecord]) -> [[RecordGroup]] {
    let alike = RecordGroup.groups(of: failed) {
      location(of: $0) == location(of: $1) && text(of: $0) == text(of: $1)
    }
    var locations: [[RecordGroup]] = []
    for group in alike {
      let isAtSamePath =
        locations.last?.allSatisfy { other in
          other.first.scenario == group.first.scenario
            && location(of: other.first) == location(of: group.first)
            && group.profiles.allSatisfy { !other.profiles.contains($0) }
        } ?? false
      if isAtSamePath {
        locations[locations.count - 1].append(group)
      } else {
        locations.append([group])
      }
    }
    return locations
  }

  /// What failed at one location: in one way, or in another one in each of some profiles.
  private static func annotation(
    _ kind: String, of groups: [RecordGroup], _ name: (String) -> String
  ) -> String {
    guard let first = groups.first?.first else { return "" }
    let location = location(of: first)
    let names = groups.flatMap(\.profiles).joined(separator: ", ")
    let texts = groups.map { group in
      groups.count > 1 ? "\(group.names): \(text(of: group.first))" : text(of: group.first)
    }
    return command(
      kind, file: name(location.file), line: location.line, column: location.column,
      title: "\(first.scenario) (\(names))", texts.joined(separator: "\n"))
  }

  /// Where it is shown: what is stale, in the list.
  private static func location(of record: RunRecord) -> RunRecord.Location {
    guard case let .stale(entry) = record.knownStatus else { return record.location }
    return .init(file: entry.file, line: entry.position.line, column: entry.position.column)
  }

  private static func text(of record: RunRecord) -> String {
    if case .stale = record.knownStatus { return record.message }
    return record.message + (record.rule.map { " (rule \($0))" } ?? "")
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

  /// Text with its bytes for some characters. Scalar by scalar: a line feed behind a carriage
  /// return is a character of its own here.
  private static func escaped(_ text: String, _ special: String) -> String {
    text.replacingScalars { scalar in
      special.unicodeScalars.contains(scalar)
        ? "%" + hexadecimal(scalar.value, digits: 2, .upper) : nil
    }
  }
}
