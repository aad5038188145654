internal import Conformance
public import Document
public import Reports
internal import Tree

/// The runs of one implementation in a report.
public struct ReportColumn {
  /// What the implementation is called.
  public var name: String
  /// The runs, as reports in lines of JSON have them, each with its details where they are known.
  var runs: [JSON]

  /// A column with runs that were just made.
  public init(name: String, _ records: [RunRecord]) {
    self.name = name
    runs = records.map { record in
      .object(
        (record.object.members ?? []) + [
          .init("text", .string(record.text)), .init("details", record.details ?? .null),
        ])
    }
  }

  /// A column with the runs of a report in lines of JSON.
  ///
  /// - Parameters:
  ///   - name: What the implementation is called.
  ///   - text: The lines.
  ///   - file: The name that errors give to it.
  /// - Throws: `SourceError` at the first line that is none of a report.
  public init(name: String, _ text: String, file: String) throws(SourceError) {
    self.name = name
    runs = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let location = FileLocation(file: file, line: index + 1)
      let json = try ReportFile.json(line, at: location)
      if json["summary"] != nil { continue }
      guard json["scenario"]?.string != nil, json["profile"]?.string != nil,
        Verdict(rawValue: json["verdict"]?.string ?? "") != nil
      else { throw ReportFile.noLine(at: location) }
      runs.append(json)
    }
    if runs.isEmpty { throw SourceError(FileLocation(file: file), "the report has no runs") }
  }
}
