internal import Document
internal import Tree

/// A list of known failures, brought up to date with what runs have shown.
///
/// Works on the text of the file, so that comments, order and layout stay as they are. A comment
/// directly above an entry belongs to it and goes with it.
public struct KnownFailuresUpdate {
  /// The text as it should be.
  public private(set) var text: String
  /// What was changed, a line each, in the order of the file.
  public private(set) var changes: [String] = []
  /// How many failures are not listed, because no issue was given.
  public private(set) var unlisted = 0

  /// What is written of failures that were not listed.
  public struct Terms: Sendable {
    /// The kind that new entries get.
    public var kind: KnownFailure.Kind
    /// Where they are written down; `nil` leaves them out.
    public var issue: String?
    /// The last day on which new entries hold; `nil` for as long as they fail.
    public var until: CalendarDate?

    /// Sets what new entries say; without an issue none are written and they count as unlisted.
    public init(kind: KnownFailure.Kind, issue: String?, until: CalendarDate?) {
      self.kind = kind
      self.issue = issue
      self.until = until
    }
  }

  /// The start of a list that was not there before.
  public static let emptyList = """
    # Failures that are known; see Specs/guides/continuous-integration.md of Kennel.
    kennel: 1
    known: []

    """

  private let list: KnownFailures
  private let runs: [RunEnd]
  private let context: KnownFailuresReader.Context
  /// The scenarios to which entries have followed.
  private var renamed: Set<String> = []

  /// - Parameters:
  ///   - list: As it was read from the text.
  ///   - text: The text of the file.
  ///   - runs: What was run, in order.
  ///   - context: All scenarios that there are.
  ///   - terms: What is written of failures that were not listed.
  public init(
    of list: KnownFailures, text: String, runs: [RunEnd], _ context: KnownFailuresReader.Context,
    _ terms: Terms
  ) {
    self.text = text
    self.list = list
    self.runs = runs
    self.context = context
    var layout = ListLayout(text, list.entries)
    for (index, entry) in list.entries.enumerated() { settle(entry, index, &layout) }
    append(terms, &layout)
    self.text = layout.text
  }

  private mutating func settle(_ entry: KnownFailure, _ index: Int, _ layout: inout ListLayout) {
    let name = "\(entry.location): \(entry.scenario)"
    if entry.mismatch != nil { return rename(entry, index, name, &layout) }
    let failures = runs.filter { lists(entry, $0) }.compactMap { ListedRun($0) }
    let passes = runs.count { $0.end == .passed && lists(entry, $0) }
    let isAsListed = failures.allSatisfy {
      $0.signature == entry.signature && (entry.rule == nil || entry.rule == $0.rule)
    }
    // What comes and goes is listed until it is removed.
    let mayPass = entry.kind == .flaky && isAsListed
    if mayPass || failures.isEmpty && passes == 0 || passes == 0 && isAsListed { return }
    guard isWhollyRun(entry) else {
      changes.append("left as it is, because not all of it was run: \(name)")
      return
    }
    if failures.isEmpty {
      layout.remove(index)
      changes.append("removed, because it passes: \(name)")
      return
    }
    let signatures = Set(failures.map(\.signature)), rules = Set(failures.map(\.rule))
    if passes == 0, signatures.count == 1, entry.rule == nil || rules.count == 1 {
      layout.change(
        index, signature: failures[0].signature, rule: entry.rule == nil ? nil : failures[0].rule)
      changes.append("changed to \"\(failures[0].signature)\": \(name)")
      return
    }
    let terms = Terms(kind: entry.kind, issue: entry.issue, until: entry.until)
    layout.replace(index, with: entries(of: failures, terms, note: entry.note))
    changes.append("narrowed down to what still fails: \(name)")
  }

  /// Follows a scenario to its new name, where only one fails so and is not listed.
  private mutating func rename(
    _ entry: KnownFailure, _ index: Int, _ name: String, _ layout: inout ListLayout
  ) {
    let names = Set(unlistedRuns.filter(entry.isRenamed).map(\.scenario)).subtracting(renamed)
    guard names.count == 1, let new = names.first else {
      changes.append("left as it is, because there is no such scenario: \(name)")
      return
    }
    renamed.insert(new)
    layout.rename(index, to: new)
    changes.append("renamed to \(new): \(name)")
  }

  private var unlistedRuns: [RunEnd] {
    runs.filter { list.entry(for: $0.scenario, in: $0.profile) == nil }
  }

  private mutating func append(_ terms: Terms, _ layout: inout ListLayout) {
    let new = unlistedRuns.compactMap { ListedRun($0) }.filter { !renamed.contains($0.scenario) }
    guard terms.issue != nil else {
      unlisted = new.count
      return
    }
    for entry in entries(of: new, terms, note: nil) {
      layout.append(entry)
      changes.append("added: \(entry.scenario), \"\(entry.signature)\"")
    }
  }

  private func lists(_ entry: KnownFailure, _ run: RunEnd) -> Bool {
    entry.lists(run.scenario, in: run.profile)
  }

  /// Whether every run that an entry lists was made.
  private func isWhollyRun(_ entry: KnownFailure) -> Bool {
    let made = Set(runs.map { [$0.scenario, $0.profile] })
    return context.scenarios.allSatisfy { subject in
      subject.profiles.allSatisfy { profile in
        !entry.lists(subject.id, in: profile) || made.contains([subject.id, profile])
      }
    }
  }

  /// An entry for each scenario and each way in which it fails.
  private func entries(of runs: [ListedRun], _ terms: Terms, note: String?) -> [NewEntry] {
    let groups = runs.grouped {
      $0.scenario == $1.scenario && $0.signature == $1.signature && $0.rule == $1.rule
    }
    return groups.map { runs in
      let all = context.scenarios.first { $0.id == runs[0].scenario }?.profiles ?? []
      let profiles = runs.map(\.profile)
      return NewEntry(
        scenario: runs[0].scenario, profiles: Set(all) == Set(profiles) ? [] : profiles,
        rule: runs[0].rule, signature: runs[0].signature, kind: terms.kind,
        issue: terms.issue, until: terms.until, note: note)
    }
  }
}

/// A run that failed.
private struct ListedRun {
  var scenario: String
  var profile: String
  var signature: String
  var rule: String?

  init?(_ run: RunEnd) {
    guard case let .failed(signature, rule) = run.end else { return nil }
    (scenario, profile) = (run.scenario, run.profile)
    (self.signature, self.rule) = (signature, rule)
  }
}

/// The lines of a list, and which of them belong to which entry.
struct ListLayout {
  /// What becomes of the lines of an entry.
  private enum EntryChange {
    case kept
    case removed
    case replaced([NewEntry])
  }

  private var lines: [String]
  /// The lines of each entry, without the comments above it.
  private let ranges: [Range<Int>]
  private var fates: [EntryChange]
  private var added: [NewEntry] = []

  init(_ text: String, _ entries: [KnownFailure]) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    let starts = entries.map { entry in
      var line = entry.position.line - 1
      // A dash can stand on a line of its own above the first key.
      while line > 0, !Self.hasDash(lines[line]) { line -= 1 }
      return line
    }
    ranges = starts.enumerated().map { index, start in
      Self.range(from: start, next: index + 1 < starts.count ? starts[index + 1] : nil, lines)
    }
    fates = ranges.map { _ in .kept }
    self.lines = lines
  }

  /// The lines of an entry: to the last one that is further in than its dash.
  private static func range(from start: Int, next: Int?, _ lines: [String]) -> Range<Int> {
    let limit = max(next ?? lines.count, start + 1)
    let margin = margin(of: lines[start])
    let end = (start + 1..<limit).last {
      !lines[$0].allSatisfy(\.isWhitespace) && Self.margin(of: lines[$0]) > margin
    }
    return start..<(end.map { $0 + 1 } ?? start + 1)
  }

  mutating func remove(_ index: Int) { fates[index] = .removed }

  mutating func replace(_ index: Int, with entries: [NewEntry]) {
    fates[index] = .replaced(entries)
  }

  mutating func append(_ entry: NewEntry) { added.append(entry) }

  /// Writes another signature, and another rule where one is given.
  mutating func change(_ index: Int, signature: String, rule: String?) {
    for line in ranges[index] {
      lines[line] = Self.setting("signature", to: signature, in: lines[line])
      if let rule { lines[line] = Self.setting("rule", to: rule, in: lines[line]) }
    }
  }

  /// Writes another scenario.
  mutating func rename(_ index: Int, to scenario: String) {
    for line in ranges[index] {
      lines[line] = Self.setting("scenario", to: quotedWhereNeeded(scenario), in: lines[line])
    }
  }

  /// The whole text.
  var text: String {
    var dropped: Set<Int> = []
    var replacements: [Int: [String]] = [:]
    for (range, fate) in zip(ranges, fates) {
      switch fate {
      case .kept: continue
      case .removed:
        var start = range.lowerBound
        while start > 0, Self.isComment(lines[start - 1]) { start -= 1 }
        dropped.formUnion(start..<range.upperBound)
      case let .replaced(entries):
        dropped.formUnion(range)
        replacements[range.lowerBound] = entries.flatMap {
          $0.lines(indentation: Self.margin(of: lines[range.lowerBound]))
        }
      }
    }
    var result: [String] = []
    for (index, line) in lines.enumerated() {
      result += replacements[index] ?? []
      if !dropped.contains(index) { result.append(line) }
    }
    return finished(
      result, isEmpty: fates.allSatisfy { if case .removed = $0 { true } else { false } })
  }

  /// With what is added behind the last entry, and with a list that is empty where nothing is left.
  private func finished(_ lines: [String], isEmpty: Bool) -> String {
    var lines = lines
    if isEmpty, let head = lines.firstIndex(where: { $0.hasPrefix("known:") }) {
      let comment = lines[head].firstIndex(of: "#").map { "  " + lines[head][$0...] } ?? ""
      lines[head] = (added.isEmpty ? "known: []" : "known:") + comment
    }
    let indentation = ranges.first.map { Self.margin(of: self.lines[$0.lowerBound]) } ?? 2
    lines += added.flatMap { $0.lines(indentation: indentation) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func margin(of line: String) -> Int { line.prefix { $0 == " " }.count }

  private static func hasDash(_ line: String) -> Bool {
    let text = line.drop { $0 == " " }
    return text == "-" || text.hasPrefix("- ")
  }

  private static func isComment(_ line: String) -> Bool {
    line.drop { $0 == " " }.hasPrefix("#")
  }

  /// The line with another value behind a key; the same line when it has no such key.
  private static func setting(_ key: String, to value: String, in line: String) -> String {
    guard let range = line.firstRange(of: key + ": ") else { return line }
    let before = line[..<range.lowerBound].last { $0 != " " }
    guard before == nil || "-{,".contains(before ?? " ") else { return line }
    var rest = line[range.upperBound...].drop { $0 == " " }
    if let quote = rest.first, quote == "'" || quote == "\"" {
      rest = rest.dropFirst().drop { $0 != quote }.dropFirst()
    } else {
      rest = rest.drop { !",}#".contains($0) }
      if rest.first == "#" { rest = "  " + rest }
    }
    return line[..<range.upperBound] + value + rest
  }
}

/// An entry that is to be written.
struct NewEntry {
  var scenario: String
  /// Empty for all that the scenario is for.
  var profiles: [String]
  var rule: String?
  var signature: String
  var kind: KnownFailure.Kind
  var issue: String?
  var until: CalendarDate?
  var note: String?

  /// The lines, with a dash before the first.
  func lines(indentation: Int) -> [String] {
    var fields = [("scenario", quotedWhereNeeded(scenario))]
    if !profiles.isEmpty { fields.append(("profiles", "[\(profiles.joined(separator: ", "))]")) }
    if let rule { fields.append(("rule", rule)) }
    fields += [("signature", signature), ("kind", kind.rawValue)]
    if let issue { fields.append(("issue", quotedWhereNeeded(issue))) }
    if let until { fields.append(("until", until.description)) }
    if let note { fields.append(("note", JSON.string(note).text)) }
    let margin = String(repeating: " ", count: indentation)
    return fields.enumerated().map { index, field in
      "\(margin)\(index == 0 ? "- " : "  ")\(field.0): \(field.1)"
    }
  }
}

/// Ids of a matrix and links can have characters that mean something to YAML.
private func quotedWhereNeeded(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy {
    $0.isLetterOrDigit || "-_./:?=&#%+~[]".utf8.contains($0)
  }
  let first = text.utf8.first
  let begins =
    first.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "z") && $0 != 0x5B } ?? false
  let isSafe = isPlain && begins && !text.hasSuffix(":")
  return isSafe ? text : JSON.string(text).text
}
