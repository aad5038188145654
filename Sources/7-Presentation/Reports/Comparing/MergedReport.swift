public import Document
public import Trace
internal import Tree

/// The reports on the parts of a run that several machines made, put together.
public struct MergedReport {
  private var lines: [Substring] = []
  private var summary: [JSON.Member] = []
  private var origins: [String: String] = [:]
  /// What all parts came to.
  public private(set) var tally = Tally()

  /// Reads reports in lines of JSON.
  ///
  /// - Parameter parts: Each with the name of its file.
  /// - Throws: `SourceError` for what is no report, and for a run that two of them have.
  public init(of parts: [(text: String, file: String)]) throws(SourceError) {
    for (text, file) in parts {
      let report = try ReportFile(text, file: file)
      tally += Tally(passed: report.passed, failed: report.failed, skipped: report.skipped)
      for run in report.runs {
        if let other = origins.updateValue(file, forKey: "\(run.scenario) \(run.profile)"),
          other != file
        {
          throw SourceError(
            FileLocation(file: file),
            "\(run.scenario) in \(run.profile) is also in \(other); expected parts of one run")
        }
      }
      for line in text.split(separator: "\n") {
        guard let json = try? JSON(parsing: String(line)), let members = json["summary"]?.members
        else {
          lines.append(line)
          continue
        }
        summary = summary.isEmpty ? members : Self.sum(summary, members)
      }
    }
  }

  /// The report on the whole.
  public var text: String {
    lines.map { $0 + "\n" }.joined() + JSON.object([.init("summary", .object(summary))]).text + "\n"
  }

  /// Counts are added and lists joined. The parts have one seed, and were made at the same time.
  private static func sum(_ first: [JSON.Member], _ second: [JSON.Member]) -> [JSON.Member] {
    var result = first
    for member in second {
      guard let index = result.firstIndex(where: { $0.name == member.name }) else {
        result.append(member)
        continue
      }
      switch (result[index].value, member.value, member.name) {
      case (_, _, "seed"): break
      case let (.number(a), .number(b), "milliseconds"): result[index].value = .number(max(a, b))
      case let (.number(a), .number(b), _): result[index].value = .number(a + b)
      case let (.array(a), .array(b), _): result[index].value = .array(a + b)
      case let (.object(a), .object(b), _): result[index].value = .object(sum(a, b))
      case (_, _, _): break
      }
    }
    return result
  }
}
