internal import ClientInterface
public import Conformance
public import Document
internal import Documentation
public import Reports
public import Scenario
internal import Trace
internal import TraceFiles
public import Tree

/// The report of one run, or of the runs of several implementations side by side, as a page.
public struct ReportPage {
  private let columns: [ReportColumn]
  private let header: ReportHeader

  /// A page with one column for each implementation, in this order.
  public init(_ columns: [ReportColumn], _ header: ReportHeader = ReportHeader()) {
    self.columns = columns
    self.header = header
  }

  /// The whole file.
  public var html: String {
    HTMLPage(
      title: "\(title) - Kennel",
      styles: [
        PackageResources.page_css, PackageResources.report_css, Array(SpaceTime.style.utf8),
      ], scripts: [PackageResources.common_js, PackageResources.report_js], data: data, body: body
    ).html
  }

  /// What it is about: `ours, theirs and others compared`.
  private var title: String {
    let names = columns.map(\.name)
    guard names.count > 1, let last = names.last else { return "Conformance of \(names.joined())" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last) compared"
  }

  private var data: JSON {
    let runs = ReportRuns(columns)
    return [
      "columns": .array(columns.map { .string($0.name) }),
      "origins": .array(columns.map { .strings($0.origin) }),
      "badges": .strings(columns.count > 1 ? columns.map(\.badge.svg) : []),
      "families": Self.titles(of: runs.rows.flatMap(\.families)),
      "facts": header.json,
      "rules": header.texts(of: runs.rules),
      "scenarios": .array(
        runs.rows.map { row in
          [
            "id": .string(row.id), "title": row.title, "families": .strings(row.families),
            "runs": .array(row.runs.map { .array($0) }),
          ]
        }),
    ]
  }

  /// What the rules of each of these families are about.
  private static func titles(of families: [String]) -> JSON {
    .object(
      Set(families).sorted().compactMap { family in
        RuleBook.families.first { $0.prefixes.contains(family) }.map { file, _ in
          let words = file.replacing("-", with: " ")
          return .init(family, .string(words.prefix(1).uppercased() + words.dropFirst()))
        }
      })
  }

  /// What a failure has in common with others that need no explanation of their own; nil for what
  /// did not fail.
  static func cause(of run: JSON) -> String? {
    if run["known"]?["standing"]?.string == "stale" { return "stale" }
    guard outcome(of: run) == "failed" else { return nil }
    return (run["cause"] ?? run["signature"])?.string ?? run["verdict"]?.string ?? ""
  }

  /// How a run counts: `passed`, `advised`, `failed`, `known` or `skipped`.
  static func outcome(of run: JSON) -> String {
    switch run["known"]?["standing"]?.string {
    case "known": return "known"
    case .some: return "failed"
    case nil: break
    }
    let verdict = Verdict(rawValue: run["verdict"]?.string ?? "")
    switch verdict?.count {
    case _ where verdict == .advice: return "advised"
    case .passed: return "passed"
    case .skipped: return "skipped"
    case .failed, nil: return "failed"
    }
  }

  private func body(_ body: inout MarkupWriter) {
    body.element("header") { header in
      header.element("h1", ["id": "heading"], title)
      header.element("dl", ["id": "facts"]) { _ in }
      header.element("div", ["id": "totals"]) { _ in }
    }
    body.element("main") { main in
      main.element("section", ["id": "overview"]) { part in
        let isComparison = columns.count > 1
        for id in isComparison
          ? ["families", "causes", "known", "skips"] : ["causes", "known", "families", "skips"]
        {
          part.element("div", ["id": id]) { _ in }
        }
        part.element("form", ["id": "filters", "role": "search", "aria-label": "Filter"], filters)
        part.element("div", ["class": "scroll", "tabindex": "0"]) { scroll in
          scroll.element("table", ["id": "matrix"]) { table in
            table.element("thead") { _ in }
          }
        }
      }
      main.element("section", ["id": "scenario", "hidden": "", "aria-live": "polite"]) { _ in }
    }
  }

  private func filters(_ form: inout MarkupWriter) {
    form.element("label") { field in
      field.raw("search ")
      field.empty(
        "input",
        [
          "id": "search", "type": "search", "autocomplete": "off",
          "placeholder": "id, title or message",
        ])
    }
    for id in ["outcome", "topic", "family", "profile"] {
      form.element("label") { field in
        field.raw(id + " ")
        field.element("select", ["id": id]) { $0.element("option", "all") }
      }
    }
    if columns.count > 1 {
      form.element("label") { field in
        field.empty("input", ["id": "differs", "type": "checkbox"])
        field.raw(" only where implementations differ")
      }
    }
    form.element("button", ["type": "reset"], "all")
    form.element("span", ["id": "count", "class": "soft", "role": "status"]) { _ in }
  }
}

/// What a report says about its runs as a whole.
public struct ReportHeader {
  private var facts: [(name: String, value: String)] = []
  private let rules: RuleBook

  /// A header with rules alone, for reports of several runs, which each have an origin.
  public init(rules: RuleBook = RuleBook(files: [])) {
    self.rules = rules
  }

  /// - Parameters:
  ///   - run: The run.
  ///   - command: The command line, as a reader would repeat it; empty when it is not known.
  ///   - date: The day, when one was given: without it the same runs give the same page.
  ///   - rules: The rules whose text the page shows where they are cited.
  public init(_ run: RunHeader, command: String, date: String?, rules: RuleBook) {
    facts = [("client", run.client), ("seed", run.seedText), ("kennel", run.kit)]
    if let introduction = run.introduction { facts.insert(("version", introduction), at: 1) }
    if let date { facts.append(("date", date)) }
    if let stop = run.stop { facts.append(("incomplete", stop)) }
    if !command.isEmpty { facts.append(("command", command)) }
    self.rules = rules
  }

  var json: JSON { .array(facts.map { .array([.string($0.name), .string($0.value)]) }) }

  /// The title and the text of each of these rules that is known, by its id.
  func texts(of ids: Set<String>) -> JSON {
    .object(
      ids.sorted().compactMap { id in
        RuleID(id).flatMap { rules[$0] }.map { rule in
          .init(id, .array([.string(rule.title), .string(rule.text)]))
        }
      })
  }
}

/// The runs of one implementation in a report.
public struct ReportColumn {
  /// What the implementation is called.
  public var name: String
  /// The runs, as reports in lines of JSON have them, each with its details where they are known.
  var runs: [JSON]
  /// What its last line says of where it comes from: the client, the kit and the day.
  private(set) var origin: [String] = []
  /// Whether it has its last line: the report of a run that was cut off has not.
  public private(set) var hasSummary = true

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
    hasSummary = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let location = FileLocation(file: file, line: index + 1)
      let json = try ReportFile.json(line, at: location)
      if let summary = json["summary"] {
        hasSummary = true
        origin = ReportFile.origin(of: summary)
        continue
      }
      guard json["scenario"]?.string != nil, json["profile"]?.string != nil,
        Verdict(rawValue: json["verdict"]?.string ?? "") != nil
      else { throw ReportFile.noLine(json, line, at: location) }
      runs.append(Self.withoutFolders(json))
    }
    if runs.isEmpty { throw SourceError(FileLocation(file: file), "the report has no runs") }
  }

  /// What the runs came to, on one small picture.
  public var badge: Badge {
    var counts: [String: Int] = [:]
    for run in runs { counts[ReportPage.outcome(of: run), default: 0] += 1 }
    let count = { counts[$0, default: 0] }
    return Badge(
      of: Tally(
        passed: count("passed") + count("advised"), failed: count("failed"),
        skipped: count("skipped"), known: count("known")), advised: count("advised"), label: name)
  }
}

extension ReportColumn {
  /// A run with files as they are called on every machine: from the folder of the scenarios on, or by
  /// their names alone.
  fileprivate static func withoutFolders(_ run: JSON) -> JSON {
    var run = run
    if let divergences = run["divergences"]?.elements {
      run = run.replacing("divergences", with: .array(divergences.map(withoutFolder)))
    }
    return run["known"].map { run.replacing("known", with: withoutFolder($0)) } ?? run
  }

  private static func withoutFolder(_ part: JSON) -> JSON {
    guard let file = part["file"]?.string, file.hasPrefix("/") else { return part }
    let parts = file.split(separator: "/")
    let start = parts.lastIndex(of: "Scenarios") ?? parts.index(before: parts.endIndex)
    return part.replacing("file", with: .string(parts[start...].joined(separator: "/")))
  }
}

/// The runs of a report, as its page has them: what went the same way in several profiles once, and
/// details as far as there is room.
struct ReportRuns {
  /// A scenario, with its runs by implementation.
  struct Row {
    var id: String
    var title: JSON
    /// The families of the rules that it cites.
    var families: [String]
    var runs: [[JSON]]
  }

  private(set) var rows: [Row] = []
  /// The rules that what failed is about.
  private(set) var rules: Set<String> = []

  /// The size of a page, in bytes, that details do not exceed.
  static let limit = 880_000

  init(_ columns: [ReportColumn]) {
    var indices: [String: Int] = [:]
    for (column, runs) in columns.map(\.runs).enumerated() {
      for run in runs {
        guard let id = run["scenario"]?.string else { continue }
        let index = indices[id] ?? rows.count
        if index == rows.count {
          indices[id] = index
          rows.append(
            Row(
              id: id, title: run["title"] ?? .null, families: ReportFile.families(of: run),
              runs: columns.map { _ in [] }))
        }
        Self.merge(Self.compact(run), into: &rows[index].runs[column])
      }
    }
    spend()
    collectRules()
  }

  /// Adds a run, or only its profile to one that went the same way.
  private static func merge(_ run: JSON, into runs: inout [JSON]) {
    let same = runs.firstIndex { known in
      ["outcome", "verdict", "reason", "known"].allSatisfy { known[$0] == run[$0] }
        && known["divergences"]?.elements?.map(withoutLocation)
          == run["divergences"]?.elements?.map(withoutLocation)
    }
    guard let same else { return runs.append(run) }
    let profiles = (runs[same]["profiles"]?.elements ?? []) + (run["profiles"]?.elements ?? [])
    runs[same] = runs[same].replacing("profiles", with: .array(profiles))
  }

  private static func withoutLocation(_ divergence: JSON) -> [JSON?] {
    [divergence["sentence"], divergence["rows"], divergence["step"]]
  }

  private static func compact(_ run: JSON) -> JSON {
    let kept = ["verdict", "reason", "known", "likelyRule", "divergences", "text", "details"]
      .compactMap { name in
        run[name].flatMap { value -> JSON.Member? in
          value == .null || value == .array([]) || value == "" ? nil : .init(name, value)
        }
      }
    let profiles = JSON.Member("profiles", .array([run["profile"] ?? .null]))
    let outcome = JSON.Member("outcome", .string(ReportPage.outcome(of: run)))
    let cause = ReportPage.cause(of: run).map { JSON.Member("cause", .string($0)) }
    return .object([profiles, outcome] + (cause.map { [$0] } ?? []) + kept)
  }

  /// Which run of the page.
  private struct Spot {
    var row: Int
    var column: Int
    var run: Int
  }

  /// Keeps details until the page is full: of the first failure of each cause, of all failures, and
  /// of what passed, as a whole or the steps alone.
  private mutating func spend() {
    var spots: (first: [Spot], failed: [Spot], others: [Spot]) = ([], [], [])
    var causes: Set<String> = []
    var left = Self.limit
    for row in rows.indices {
      left -= rows[row].id.utf8.count + rows[row].title.text.utf8.count + 40
      left -= rows[row].families.reduce(0) { $0 + $1.utf8.count + 3 }
      for column in rows[row].runs.indices {
        for (index, run) in rows[row].runs[column].enumerated() {
          left -= 120
          let spot = Spot(row: row, column: column, run: index)
          guard let cause = run["cause"]?.string else {
            spots.others.append(spot)
            continue
          }
          if causes.insert(cause).inserted {
            spots.first.append(spot)
          } else {
            spots.failed.append(spot)
          }
        }
      }
    }
    let failures = spots.first + spots.failed
    left -= failures.reduce(0) { $0 + Self.leastOfFailure(self[$1]).text.utf8.count }
    for spot in failures { keepFailure(spot, &left) }
    keepOthers(spots.others, left)
  }

  private subscript(spot: Spot) -> JSON {
    get { rows[spot.row].runs[spot.column][spot.run] }
    set { rows[spot.row].runs[spot.column][spot.run] = newValue }
  }

  /// Keeps as much of a failure as there is room for, beyond the least.
  private mutating func keepFailure(_ spot: Spot, _ left: inout Int) {
    let run = self[spot]
    let least = Self.leastOfFailure(run)
    self[spot] = least
    for choice in [run, run.removing(["details"]), run.removing(["details", "text"])] {
      let size = choice.text.utf8.count - least.text.utf8.count
      guard size <= left else { continue }
      left -= size
      self[spot] = choice
      return
    }
  }

  /// A failure with no more than its first sentence.
  private static func leastOfFailure(_ run: JSON) -> JSON {
    run.removing(["details", "text"]).replacing("divergences", with: brief(run))
  }

  /// What is wrong in a sentence, without the rows.
  private static func brief(_ run: JSON) -> JSON {
    .array((run["divergences"]?.elements ?? []).prefix(1).map { $0.removing(["rows"]) })
  }

  private mutating func keepOthers(_ spots: [Spot], _ left: Int) {
    func size(_ member: (JSON) -> JSON?) -> Int {
      spots.reduce(0) { $0 + (self[$1]["details"].flatMap(member)?.text.utf8.count ?? 0) }
    }
    if size({ $0 }) <= left { return }
    let hasSteps = size({ $0["steps"] }) <= left
    for spot in spots {
      guard let details = self[spot]["details"] else { continue }
      let steps = hasSteps ? details["steps"] : nil
      self[spot] =
        steps.map { self[spot].replacing("details", with: ["steps": $0]) }
        ?? self[spot].removing(["details"])
    }
  }

  private mutating func collectRules() {
    for run in rows.flatMap({ $0.runs.joined() }) where run["cause"] != nil {
      if let rule = run["likelyRule"]?.string { rules.insert(rule) }
      for divergence in run["divergences"]?.elements ?? [] {
        rules.formUnion((divergence["rules"]?.elements ?? []).compactMap(\.string))
      }
    }
  }
}

extension JSON {
  /// The same object with another value of one member, which it gets if it has none.
  fileprivate func replacing(_ name: String, with value: JSON) -> JSON {
    .object((members ?? []).filter { $0.name != name } + [.init(name, value)])
  }

  fileprivate func removing(_ names: Set<String>) -> JSON {
    .object((members ?? []).filter { !names.contains($0.name) })
  }
}

/// What the report shows of one run when it is looked at closely: its steps, events, frames and picture.
public struct RunDetails {
  private let result: ScenarioResult
  private let divergences: [JSON]?

  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - divergences: What was wrong, where more is known of it than the run says itself.
  public init(of result: ScenarioResult, divergences: [JSON]? = nil) {
    (self.result, self.divergences) = (result, divergences)
  }

  /// How much of a frame is kept.
  private static let frameLimit = 4000

  /// The steps, at most 2000 events and the count of all, the number of the event that shows the
  /// first divergence, and the picture; the last two are null where there is none.
  public var json: JSON {
    let picture = SpaceTime(of: PicturedRun(result, divergences: divergences))
    let isPictured = result.trace.count > 0
    return [
      "steps": .array(
        result.trace.events.compactMap { event in
          if case let .step(text) = event.kind {
            .string(Truncation.middle(of: text, toBytes: 2000))
          } else {
            nil
          }
        }),
      "events": .array(result.trace.events.prefix(2000).map(json)),
      "count": .count(result.trace.count),
      "wrong": result.divergences.first?.evidence.map { .count($0) } ?? .null,
      "picture": isPictured ? .string(picture.svg(id: "picture", hasStyle: false)) : .null,
    ]
  }

  /// Time, step, who, text, and the frame where a client sends or gets one.
  private func json(_ event: TraceEvent) -> JSON {
    let clients = result.scenario.clients
    var cells: [JSON] = [
      .number(event.time.milliseconds), .count(event.step),
      .string(event.route(names: clients)), .string(event.text),
    ]
    switch event.kind {
    case .output(_, .send), .input(_, .frame):
      let json = event.json(clients: clients, result.profile.dialect)
      let frame = json["out"]?["send"] ?? json["in"]?["frame"] ?? .null
      cells.append(.string(Truncation.middle(of: frame.text, toBytes: Self.frameLimit)))
    default: break
    }
    return .array(cells)
  }
}
