internal import Document
internal import Tree

/// Which states of the model a campaign has reached, how fast they became more, and what is missing.
public struct CoverageReport: Sendable {
  private let table: [StateTable.Entry]
  private let estimate: CoverageEstimate
  /// The smallest seed that reaches each state, ascending.
  private let first: [UInt64]

  /// Takes what so many runs have reached.
  public init(_ table: StateTable, runs: Int) {
    self.table = table.entries
    estimate = CoverageEstimate(table, runs: runs)
    first = self.table.compactMap(\.seeds.first).sorted()
  }

  /// A few lines for the end of a hunt; none without a run.
  public var summary: [String] {
    guard estimate.runs > 0, !table.isEmpty else { return [] }
    let runs = estimate.runs
    let more = Int(estimate.expected(in: runs).rounded())
    return [
      "coverage  \(counted(table.count, "state")) of the model, the last tenth of them after "
        + "\(counted(late, "scenario"))",
      "          about \(more) more in as many scenarios again, at least "
        + "\(Int(estimate.missing.rounded())) missing"
        + (estimate.isSaturated ? "; more seeds are unlikely to reach anything new" : ""),
    ]
  }

  /// After how many scenarios nine of ten states were reached, if seeds count up from the first.
  private var late: Int { Int(first[first.count * 9 / 10] - first[0]) + 1 }

  /// How many states there were after some of the seeds: ten steps of equal length.
  var growth: [(seeds: Int, states: Int)] {
    guard let start = first.first, let end = first.last else { return [] }
    let length = Int(end - start) + 1
    return (1...10).map { step in
      let count = length * step / 10
      return (count, first.count { Int($0 - start) < count })
    }
  }

  /// What no run has reached, by the rules about clients in such a state: of all pairs of values of
  /// two fields both in words, such as `query limit, fault stall`. `CON-9` is before `CON-10`.
  /// Pairs without a rule are left out.
  ///
  /// Some pairs cannot be: a client that listens to nothing, for example, knows nothing.
  var missing: [(rule: String, pairs: [String])] {
    var byRule: [String: [String]] = [:]
    for (position, a) in ModelField.all.enumerated() {
      for b in ModelField.all.dropFirst(position + 1) {
        let known = Set(table.map { [a.number(in: $0.state), b.number(in: $0.state)] })
        for (x, left) in a.values.enumerated() {
          for (y, right) in b.values.enumerated() where !known.contains([x, y]) {
            let text = "\(a.name) \(left.name), \(b.name) \(right.name)"
            for rule in left.rules + right.rules where byRule[rule]?.last != text {
              byRule[rule, default: []].append(text)
            }
          }
        }
      }
    }
    return byRule.map { (rule: $0, pairs: $1) }.sorted {
      ($0.rule.prefix(4), $0.rule.utf8.count, $0.rule)
        < ($1.rule.prefix(4), $1.rule.utf8.count, $1.rule)
    }
  }
}

// MARK: - Formats

extension CoverageReport {
  /// The whole report in the form that the name of a file states: `.json`, `.html`, or text.
  public func text(for file: String) -> String {
    if file.hasSuffix(".json") { return json.text + "\n" }
    return file.hasSuffix(".html") ? page : plain
  }

  private var plain: String {
    var lines = summary + ["", "growth"]
    lines += growth.map { "  \(padded("\($0.seeds)", to: 12, .right)) seeds  \($0.states) states" }
    for field in values {
      lines += ["", field.name]
      lines += field.counts.map { "  \(padded($0.name, to: 22)) \($0.count) states" }
    }
    lines += ["", "never reached, by rule; some of it cannot be"]
    for (rule, pairs) in missing {
      lines.append("  \(rule)")
      lines += pairs.map { "    \($0)" }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// How many states have each value of each field.
  private var values: [(name: String, counts: [(name: String, count: Int)])] {
    ModelField.all.map { field in
      var counts = Array(repeating: 0, count: 1 << field.bits)
      for entry in table { counts[field.number(in: entry.state)] += 1 }
      return (field.name, zip(field.values, counts).map { ($0.name, $1) })
    }
  }

  private var json: JSON {
    func number(_ value: Int) -> JSON { .number(Double(value)) }
    return [
      "scenarios": number(estimate.runs), "states": number(table.count),
      "expected": .number(estimate.expected(in: estimate.runs).rounded()),
      "missing": .number(estimate.missing.rounded()), "saturated": .bool(estimate.isSaturated),
      "growth": .array(growth.map { [number($0.seeds), number($0.states)] }),
      "values": .object(
        values.map { field in
          .init(field.name, .object(field.counts.map { .init($0.name, number($0.count)) }))
        }),
      "never": .object(
        missing.map { .init($0.rule, .array($0.pairs.map { .string($0) })) }),
    ]
  }

  private var page: String {
    var writer = MarkupWriter()
    writer.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
    writer.element("title", "Coverage of a hunt")
    writer.raw("<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;")
    writer.raw("padding:0 1rem}td,th{text-align:left;padding:.1rem 1rem .1rem 0}</style></head>")
    writer.element("body") { body in
      body.element("h1", "Coverage of a hunt")
      for line in summary { body.element("p", line) }
      for field in values {
        body.element("h2", field.name)
        body.element("table") { table in
          for (name, count) in field.counts {
            table.element("tr") { row in
              row.element("th", name)
              row.element("td", count == 0 ? "never" : "\(count) states")
            }
          }
        }
      }
      body.element("h2", "Never reached, by rule; some of it cannot be")
      for (rule, pairs) in missing {
        body.element("details") { details in
          details.element("summary", "\(rule): \(counted(pairs.count, "pair"))")
          details.element("ul") { list in for pair in pairs { list.element("li", pair) } }
        }
      }
    }
    return writer.text + "</html>\n"
  }
}

/// What is likely still missing, from how often states were reached.
///
/// States that one run alone has reached show how many there are that no run has reached: the
/// probability that the next run reaches something new is about their share (Good and Turing), and
/// the number of states that are missing is at least what Chao's estimate says. Both take runs for
/// independent, which drawn ones are; runs that are guided find more.
struct CoverageEstimate {
  /// How many runs there were.
  let runs: Int
  /// How many states they reached.
  let states: Int
  /// How many states one run alone reached, and how many two.
  let once: Int
  let twice: Int

  /// Counts how often the states of a table were reached, in so many runs.
  init(_ table: StateTable, runs: Int) {
    self.runs = runs
    let counts = table.entries.map(\.seeds.count)
    states = counts.count
    once = counts.count { $0 == 1 }
    twice = counts.count { $0 == 2 }
  }

  /// At least how many states can be reached that were not: Chao's estimate.
  var missing: Double {
    guard runs > 0 else { return 0 }
    let (one, two) = (Double(once), Double(twice))
    let share = Double(runs - 1) / Double(runs)
    return twice > 0 ? share * one * one / (2 * two) : share * one * (one - 1) / 2
  }

  /// About how many new states so many more runs will reach.
  func expected(in more: Int) -> Double {
    guard runs > 0, missing > 0 else { return 0 }
    let rate = Double(once) / (Double(runs) * missing + Double(once))
    var left = 1.0
    var (base, power) = (1 - rate, more)
    while power > 0 {
      if power % 2 == 1 { left *= base }
      base *= base
      power /= 2
    }
    return missing * (1 - left)
  }

  /// Whether as many runs again are likely to reach less than one state in a hundred more.
  var isSaturated: Bool { runs > 0 && expected(in: runs) * 100 < Double(states) }
}
