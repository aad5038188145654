internal import Conformance
internal import Document
internal import Tree

/// Results as JUnit XML, in the form that the schemas of Jenkins and of Ant have in common: a suite
/// for each profile, a case for each scenario in it.
///
/// Where there are several seeds, a case stands for all of them: the first way in which it fails, or
/// else goes. A known failure is a case that was skipped; one with advice passes, and the
/// output of the suite has it. Failures of one cause are explained once, in the simplest case of
/// them. A client that ended, hung or spoke nonsense is an
/// error, any other failure a failure.
public enum JUnitReport {
  /// The whole document.
  public static func text(of all: [RunRecord], _ header: RunHeader) -> String {
    let records = all.grouped(by: { [$0.scenario, $0.profile] }).compactMap { ways in
      ways.first { $0.outcome == .failed } ?? ways.first
    }
    let simplest = RunRecord.simplest(of: records.filter { $0.outcome == .failed })
    let cases = records.map { record in
      guard record.outcome == .failed, let first = simplest[record.cause],
        first.scenario != record.scenario || first.profile != record.profile
      else { return testCase(record) }
      return testCase(record, as: first)
    }
    // A run that was stopped before its first result has a suite too, which says so.
    let isStopped = records.isEmpty && header.stop != nil
    let profiles = isStopped ? ["none"] : records.map(\.profile).unique()
    let suites = profiles.enumerated().map { index, profile in
      let own = zip(records, cases).filter { $0.0.profile == profile }
      return suite(profile, number: index, own.map(\.0), own.map(\.1), header)
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites.joined()
      + "</testsuites>\n"
  }

  private static func suite(
    _ profile: String, number: Int, _ records: [RunRecord], _ cases: [String],
    _ header: RunHeader
  ) -> String {
    let failed = records.filter { $0.outcome == .failed }
    let errors = failed.count { isError($0) }
    let skipped = records.count { [.known, .skipped].contains($0.outcome) }
    let attributes = [
      ("name", profile), ("package", "kennel"), ("id", String(number)),
      ("timestamp", header.start), ("hostname", "localhost"), ("tests", String(records.count)),
      ("failures", String(failed.count - errors)), ("errors", String(errors)),
      ("skipped", String(skipped)), ("time", time(records.reduce(0) { $0 + $1.milliseconds })),
    ]
    let properties =
      [
        ("kit", header.kit), ("client", header.client), ("seed", seedText(header.seeds)),
        ("notRun", String(header.left)),
      ] + (header.stop.map { [("stopped", $0)] } ?? [])
    var text =
      "  <testsuite" + attributes.map(Escaping.xmlAttribute).joined() + ">\n    <properties>\n"
    for (name, value) in properties {
      text +=
        "      <property" + Escaping.xmlAttribute("name", name)
        + Escaping.xmlAttribute("value", value)
      text += "/>\n"
    }
    text += "    </properties>\n" + cases.joined()
    let advice = records.filter { $0.outcome == .advised }.map(\.text).joined(separator: "\n")
    return text + "    <system-out>\(Escaping.xml(advice))</system-out>\n"
      + "    <system-err/>\n  </testsuite>\n"
  }

  private static func testCase(_ record: RunRecord, as first: RunRecord? = nil) -> String {
    let folder = record.scenario.lastIndex(of: "/").map { String(record.scenario[..<$0]) }
    let className = folder.map { record.profile + "." + $0.replacing("/", with: ".") }
    let head =
      "    <testcase" + Escaping.xmlAttribute("name", record.scenario)
      + Escaping.xmlAttribute("classname", className ?? record.profile)
      + Escaping.xmlAttribute("time", time(record.milliseconds))
    let content = content(of: record, as: first)
    return content.isEmpty ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n"
  }

  private static func content(of record: RunRecord, as first: RunRecord?) -> String {
    switch record.outcome {
    case .passed, .advised: return ""
    case .known, .skipped:
      return "      <skipped" + Escaping.xmlAttribute("message", record.message) + "/>\n"
    case .failed:
      let name = isError(record) ? "error" : "failure"
      let report = first.map { explanation(of: record, as: $0) } ?? record.text
      let text = "\(record.location.file):\(record.location.line)\n\n\(report)"
      return "      <\(name)" + Escaping.xmlAttribute("message", record.message)
        + Escaping.xmlAttribute("type", record.kind) + ">" + Escaping.xml(text) + "</\(name)>\n"
    }
  }

  /// What is said of a failure whose cause another case explains: where, and how to see its own run.
  private static func explanation(of record: RunRecord, as first: RunRecord) -> String {
    let replay = record.report.commands.last.map(RunReport.line)
    let players = record.players.map { "  played by \($0)\n" }
    let rule = record.namedRule.map { " (rule \($0))" } ?? ""
    return "\(record.cause)\(rule), explained at \(first.scenario) (\(first.profile))\n"
      + (players ?? "") + (replay ?? "")
  }

  /// Whether there was no verdict on what the client did.
  private static func isError(_ record: RunRecord) -> Bool {
    record.verdict != .fail && record.verdict.count == .failed
  }

  /// In seconds, to the millisecond.
  private static func time(_ milliseconds: Double) -> String {
    canonicalText(of: milliseconds.rounded() / 1000)
  }
}

extension RunRecord {
  /// Why it counts as failed, in a few words: the signature, or how it compares with the known
  /// failures.
  var kind: String {
    if case .stale = knownStatus { return "stale" }
    return signature ?? verdict.rawValue
  }
}
