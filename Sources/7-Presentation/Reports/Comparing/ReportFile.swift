public import Conformance
public import Document
public import Trace
package import Tree

/// A report as lines of JSON, read again.
public struct ReportFile: Sendable {
  /// One run, as far as a comparison needs it.
  public struct Run: Hashable, Sendable {
    /// The id of the scenario.
    public var scenario: String
    /// The name of the profile in which it ran.
    public var profile: String
    /// The verdict that the report gives for the run.
    public var verdict: Verdict
    /// What the failure has in common with others; the verdict where nothing is reported.
    public var signature: String
    /// The rules that the scenario cites.
    public var rules: [String]
    /// The rule that the failure is about.
    public var rule: String?
    /// What went wrong, in a sentence; the verdict where nothing is reported.
    public var sentence: String
    /// How it compared with the list of known failures.
    public var knownStatus: String?
    /// Its class, as that list says.
    public var kind: String?
    /// What else that list says of it: the cause.
    public var note: String?
    /// Where that list says that it is written down.
    public var issue: String?

    /// Whether it failed, known or not.
    public var fails: Bool { verdict.count == .failed }
    /// Whether it failed as a list of known failures says.
    public var isKnown: Bool { knownStatus == "known" }
    /// Whether it made its run red.
    public var isRed: Bool { (fails && !isKnown) || knownStatus == "stale" }
  }

  /// In the order of the file; of several runs of a scenario in a profile, the first that failed.
  public private(set) var runs: [Run] = []
  /// How many runs counted so, by the last line of the run.
  public var passed: Int { count("passed") }
  /// How many runs failed without being known, by the last line of the report.
  public var failed: Int { count("failed") }
  /// How many runs were skipped, by the last line of the report.
  public var skipped: Int { count("skipped") }
  /// How many of the runs that passed did not do all that clients should, by the last line.
  public var advised: Int { count("advice") }
  /// How many runs failed as a list of known failures says, by the last line of the report.
  public var known: Int { count("known") }
  /// The last line.
  private(set) var summary = JSON.null

  /// What the last line says of where the runs come from, as far as it does.
  package var origin: [String] { Self.origin(of: summary) }

  /// How the client introduced itself, the version of the kit and the day, as far as a summary says.
  package static func origin(of summary: JSON) -> [String] {
    [
      summary["introduction"]?.string, (summary["kit"]?.string).map { "kennel \($0)" },
      (summary["start"]?.string).map { String($0.prefix(10)) },
    ].compactMap(\.self)
  }

  /// The families of the rules that the scenario of a run cites, in alphabetical order.
  package static func families(of run: JSON) -> [String] {
    families(of: run["rules"]?.elements?.compactMap(\.string) ?? [])
  }

  static func families(of rules: [String]) -> [String] {
    Set(rules.map { String($0.prefix { $0 != "-" }) }).sorted()
  }

  private func count(_ name: String) -> Int { summary[name]?.integer ?? 0 }

  /// - Parameters:
  ///   - text: The lines.
  ///   - file: What mistakes name as the file.
  /// - Throws: `SourceError` at the first line that is none of a report, and without a summary.
  public init(_ text: String, file: String) throws(SourceError) {
    var indices: [[String]: Int] = [:]
    var hasSummary = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let location = FileLocation(file: file, line: index + 1)
      guard !hasSummary else {
        throw SourceError(location, "found a line behind the summary; expected one report")
      }
      let json = try Self.json(line, at: location)
      if let summary = json["summary"] {
        hasSummary = true
        guard ["passed", "failed", "skipped"].allSatisfy({ summary[$0]?.integer != nil }) else {
          throw SourceError(location, "the summary has no counts")
        }
        self.summary = summary
      } else if let run = Run(json) {
        add(run, &indices)
      } else {
        throw Self.noLine(json, line, at: location)
      }
    }
    if !hasSummary {
      throw Self.lacksSummary(file)
    }
  }

  /// Says that a report ends without its last line.
  package static func lacksSummary(_ file: String) -> SourceError {
    SourceError(
      FileLocation(file: file),
      "the report has no summary; expected one in the last line; was the run cut off?")
  }

  /// The value of a line of a report.
  package static func json(
    _ line: Substring, at start: FileLocation
  ) throws(SourceError) -> JSON {
    do throws(DocumentError) {
      return try JSON(parsing: String(line))
    } catch {
      var location = start
      location.column = error.position.column
      throw SourceError(location, error.message)
    }
  }

  /// Says why a line is none of a report.
  ///
  /// - Parameters:
  ///   - json: Its value.
  ///   - line: The line.
  ///   - location: Where it is.
  /// - Returns: What is wrong with its verdict, if that is all that can be.
  package static func noLine(
    _ json: JSON, _ line: Substring, at location: FileLocation
  ) -> SourceError {
    if let verdict = json["verdict"]?.string, Verdict(rawValue: verdict) == nil,
      json["scenario"]?.string != nil, json["profile"]?.string != nil
    {
      var location = location
      location.column = JSONLines.column(of: ["verdict"], in: line.utf8)
      let known = Verdict.allCases.map(\.rawValue)
      let hint = didYouMean(
        closestMatches(to: verdict, in: known), orElse: "; expected \(alternatives(known))")
      return SourceError(location, "unknown verdict \"\(verdict)\"\(hint)")
    }
    return SourceError(
      location, "this is no line of a report; expected what 'kennel run --jsonl' writes")
  }

  private mutating func add(_ run: Run, _ indices: inout [[String]: Int]) {
    let key = [run.scenario, run.profile]
    guard let index = indices[key] else {
      indices[key] = runs.count
      runs.append(run)
      return
    }
    if !runs[index].fails, run.fails { runs[index] = run }
  }
}

extension ReportFile.Run {
  fileprivate init?(_ json: JSON) {
    guard let scenario = json["scenario"]?.string, let profile = json["profile"]?.string,
      let verdict = (json["verdict"]?.string).flatMap({ Verdict(rawValue: $0) })
    else { return nil }
    (self.scenario, self.profile, self.verdict) = (scenario, profile, verdict)
    signature = json["signature"]?.string ?? verdict.rawValue
    rules = json["rules"]?.elements?.compactMap(\.string) ?? []
    let divergence = json["divergences"]?.elements?.first
    rule = divergence?["rules"]?.elements?.first?.string
    sentence = divergence?["sentence"]?.string ?? json["reason"]?.string ?? signature
    let known = json["known"]
    knownStatus = known?["standing"]?.string
    (kind, note) = (known?["kind"]?.string, known?["note"]?.string)
    issue = known?["issue"]?.string
  }
}

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
  /// - Throws: `SourceError` for what is no report, for a run that two of them have, and where a part is missing.
  public init(of parts: [(text: String, file: String)]) throws(SourceError) {
    var numbered: [(part: RunHeader.Part, file: String)] = []
    for (text, file) in parts {
      let report = try ReportFile(text, file: file)
      if let part = RunHeader.Part(report.summary["part"]) { numbered.append((part, file)) }
      tally += Tally(
        passed: report.passed, failed: report.failed, skipped: report.skipped, known: report.known)
      for run in report.runs {
        if let other = origins.updateValue(file, forKey: "\(run.scenario) \(run.profile)"),
          other != file
        {
          throw SourceError(
            FileLocation(file: file),
            "\(run.scenario) in \(run.profile) is also in \(other); expected parts of one run")
        }
      }
      lines += text.split(separator: "\n").dropLast()
      let members = report.summary.members ?? []
      summary = summary.isEmpty ? members : Self.sum(summary, members)
    }
    try Self.requireAll(numbered)
    summary.removeAll { $0.name == "part" }
  }

  /// Makes sure that no part is missing: what it would show would be lost without a word.
  private static func requireAll(
    _ parts: [(part: RunHeader.Part, file: String)]
  ) throws(SourceError) {
    guard let (last, file) = parts.last else { return }
    if let (other, otherFile) = parts.first(where: { $0.part.count != last.count }) {
      throw SourceError(
        FileLocation(file: file),
        "it is part \(last.number) of \(last.count), and \(otherFile) is part \(other.number) of "
          + "\(other.count); expected parts of one run")
    }
    let present = Set(parts.map(\.part.number))
    // One more than is shown.
    let missing = Array((1...last.count).lazy.filter { !present.contains($0) }.prefix(5))
    guard let first = missing.first else { return }
    let text = missing.prefix(4).map(String.init).joined(separator: ", ")
    throw SourceError(
      FileLocation(file: file),
      "it is part \(last.number) of \(last.count), and of the others \(text)\(missing.count > 4 ? ", ..." : "") "
        + "\(missing.count == 1 ? "is" : "are") missing; expected the reports of all parts: "
        + "'kennel run --shard \(first)/\(last.count) --jsonl FILE' makes that of part \(first)")
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
