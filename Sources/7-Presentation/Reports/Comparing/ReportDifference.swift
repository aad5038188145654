internal import Conformance
public import Document
internal import Tree

/// What two runs do not have in common.
public struct ReportDifference: Sendable {
  /// One run in both reports, or in one of them.
  public struct Change: Hashable, Sendable {
    /// The id of the scenario.
    public var scenario: String
    /// The name of the profile in which it ran.
    public var profile: String
    /// What it came to, in a word or its signature.
    public var old: String?
    /// The outcome in the newer report, in the same form; `nil` where that does not have the run.
    public var new: String?
    /// Whether it makes the newer run red.
    public var isRed: Bool
  }

  /// In which way a run differs between the two reports.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// It fails and did not.
    case regression
    /// It does not fail any more.
    case fix
    /// It fails in another way.
    case different
    /// It passed, and does not do all that clients should any more.
    case advice
    /// It was judged, and is not any more.
    case unjudged
    /// It is in the newer report only.
    case new
    /// It is in the older report only.
    case gone
  }

  private var changes: [Kind: [Change]] = [:]

  /// Compares run by run, matched by scenario and profile.
  public init(from old: ReportFile, to new: ReportFile) {
    let before = Self.byName(old)
    let after = Self.byName(new)
    for run in new.runs {
      guard let other = before[[run.scenario, run.profile]] else {
        add(.new, nil, run)
        continue
      }
      switch (other.fails, run.fails) {
      case (false, true): add(.regression, other, run)
      case (true, false) where run.verdict.count == .passed: add(.fix, other, run)
      case (true, true) where other.signature != run.signature: add(.different, other, run)
      case (false, false) where run.verdict == .advice && other.verdict != .advice:
        add(.advice, other, run)
      case _ where other.verdict.count != .skipped && run.verdict.count == .skipped:
        add(.unjudged, other, run)
      default: break
      }
    }
    for run in old.runs where after[[run.scenario, run.profile]] == nil { add(.gone, run, nil) }
  }

  private static func byName(_ file: ReportFile) -> [[String]: ReportFile.Run] {
    Dictionary(file.runs.map { ([$0.scenario, $0.profile], $0) }, uniquingKeysWith: { a, _ in a })
  }

  private mutating func add(_ kind: Kind, _ old: ReportFile.Run?, _ new: ReportFile.Run?) {
    guard let run = new ?? old else { return }
    changes[kind, default: []].append(
      Change(
        scenario: run.scenario, profile: run.profile, old: old.map(Self.word),
        new: new.map(Self.word), isRed: new?.isRed ?? false))
  }

  private static func word(_ run: ReportFile.Run) -> String {
    (run.fails ? run.signature : run.verdict.rawValue) + (run.isKnown ? " (known)" : "")
  }

  /// The changes of a kind, in the order of the reports.
  public func changes(_ kind: Kind) -> [Change] { changes[kind] ?? [] }

  /// Whether something fails that did not fail so before, and is not known.
  public var isRed: Bool {
    [.regression, .different, .new].contains { changes($0).contains(where: \.isRed) }
  }

  /// For people; the last line has all counts.
  public func text(_ palette: Palette = .plain) -> String {
    var text = ""
    for kind in Kind.allCases {
      let changes = changes(kind)
      if changes.isEmpty { continue }
      let isBad = changes.contains(where: \.isRed)
      text += palette.paint("\(kind.title): \(changes.count)", isBad ? .bad : .strong) + "\n"
      let rows = changes.map { [ascii($0.scenario), $0.profile, ascii($0.way)] }
      text += TextTable(rows).lines.map { "  \($0)\n" }.joined() + "\n"
    }
    return text + counts + "\n"
  }

  /// For the comments on a change.
  public var markdown: String {
    var text = "### Kennel: \(counts)\n\n"
    for kind in Kind.allCases {
      let changes = changes(kind)
      if changes.isEmpty { continue }
      text += "| \(kind.title) | Profile | |\n|---|---|---|\n"
      for change in changes.prefix(MarkdownReport.rows) {
        text +=
          "| \(MarkdownReport.code(change.scenario)) | \(change.profile) "
          + "| \(MarkdownReport.plain(change.way)) |\n"
      }
      if changes.count > MarkdownReport.rows {
        text += "\n... and \(changes.count - MarkdownReport.rows) more\n"
      }
      text += "\n"
    }
    return text
  }

  /// For programs: one object on a line.
  public var json: String {
    let members = Kind.allCases.map { kind in
      JSON.Member(
        kind.rawValue,
        .array(
          changes(kind).map { change in
            [
              "scenario": .string(change.scenario), "profile": .string(change.profile),
              "old": .optional(change.old),
              "new": .optional(change.new), "red": .bool(change.isRed),
            ]
          }))
    }
    return JSON.object(members).text + "\n"
  }

  /// `1 regression, 0 fixes, …`.
  private var counts: String {
    Kind.allCases.map { $0.counted(changes($0).count) }.joined(separator: ", ")
  }
}

extension ReportDifference.Change {
  /// `pass -> missing-event value`.
  fileprivate var way: String {
    [old, new].compactMap { $0 }.joined(separator: " -> ")
  }
}

extension ReportDifference.Kind {
  /// The title of a list of such changes, and the noun for one and for several.
  private var words: (title: String, one: String, many: String) {
    switch self {
    case .regression: ("Regressions", "regression", "regressions")
    case .fix: ("Fixes", "fix", "fixes")
    case .different: ("Fail in another way", "different", "different")
    case .advice: ("New advice", "new advice", "new advice")
    case .unjudged: ("Not judged any more", "not judged any more", "not judged any more")
    case .new: ("New", "new", "new")
    case .gone: ("Gone", "gone", "gone")
    }
  }

  fileprivate var title: String { words.title }

  /// `1 regression`, `2 regressions`.
  fileprivate func counted(_ count: Int) -> String {
    "\(count) \(count == 1 ? words.one : words.many)"
  }
}
