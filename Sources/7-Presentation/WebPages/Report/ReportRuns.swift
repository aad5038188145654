internal import Conformance
internal import Reports
internal import Tree

/// The runs of a report, as its page has them: what went the same way in several profiles once, and
/// details as far as there is room.
struct ReportRuns {
  /// A scenario, with its runs by implementation.
  struct Row {
    var id: String
    var title: JSON
    var runs: [[JSON]]
  }

  private(set) var rows: [Row] = []
  /// The rules that what failed is about.
  private(set) var rules: Set<String> = []

  /// The size of a page, in bytes, that details do not exceed.
  static let limit = 900_000

  init(_ columns: [ReportColumn]) {
    var indices: [String: Int] = [:]
    for (column, runs) in columns.map(\.runs).enumerated() {
      for run in runs {
        guard let id = run["scenario"]?.string else { continue }
        let index = indices[id] ?? rows.count
        if index == rows.count {
          indices[id] = index
          rows.append(
            Row(id: id, title: run["title"] ?? .null, runs: columns.map { _ in [] }))
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
    let kept = ["verdict", "reason", "known", "divergences", "text", "details"].compactMap { name in
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
