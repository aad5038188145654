internal import Document
internal import Mutants
internal import Scenario
internal import Tree

extension Strength {
  /// The report for a terminal; ends with a line feed. The last line counts what must be tested.
  public var text: String {
    var lines = rows.filter { !$0.ties.isEmpty }.flatMap(\.lines) + [""]
    for section in sections where !section.rows.isEmpty {
      let table = TextTable(section.rows)
      lines += ["\(section.title): \(section.rows.count)"] + table.lines.map { "  " + $0 } + [""]
    }
    return (lines + [lastLine]).map { ascii($0) + "\n" }.joined()
  }

  private var lastLine: String {
    let required = rows.filter(\.isRequired)
    let tested = required.filter(\.isTested)
    return "\(tested.count) of \(required.count) MUST rules that bind clients violated by a mutant "
      + "that one of their scenarios notices"
  }

  private var sections: [(title: String, rows: [[String]])] {
    [
      (
        "rules that no mutant violates",
        untested.filter(\.ties.isEmpty).map { row in
          let witness = row.undeclared.map { "as yet \($0.mutant.name) fails \($0.witnessText)" }
          return ["\(row.rule.id)", row.rule.title, witness ?? row.location]
        }
      ),
      (
        "rules whose scenarios nothing has failed",
        idle.map { ["\($0.rule.id)", $0.rule.title, $0.location] }
      ),
      (
        "mutants that no scenario of the rule notices",
        unnoticed.map { ["\($0.rule.id)", $0.mutant.name] }
      ),
    ]
      + Rule.profileNames.map { profile in
        (
          "rules that nothing violates in \(profile)",
          untested(in: profile).map { ["\($0.rule.id)", $0.rule.title] }
        )
      } + [
        (
          "rules tested otherwise",
          rows.filter { $0.rule.level == .must && $0.rule.tested != .scenarios && !$0.isTested }
            .map { ["\($0.rule.id)", $0.rule.tested.rawValue, $0.rule.title] }
        )
      ]
  }
}

extension Strength.Row {
  fileprivate var lines: [String] {
    ["\(rule.id)  \(rule.level.rawValue)  \(rule.title)"]
      + ties.map { "    \($0.mutant.name)  \($0.witnessText)" }
  }

  fileprivate var location: String { "\(rule.file):\(rule.line)" }
}

extension Strength.Tie {
  /// `events/order in wilddog-1 wilddog-2, events/more in firebase`.
  fileprivate var witnessText: String {
    var groups: [(scenario: String, profiles: [String])] = []
    for run in runs {
      if let index = groups.firstIndex(where: { $0.scenario == run.scenario }) {
        groups[index].profiles.append(run.profile)
      } else {
        groups.append((run.scenario, [run.profile]))
      }
    }
    let parts = groups.map { "\($0.scenario) in \($0.profiles.joined(separator: " "))" }
    return parts.isEmpty ? "noticed by no scenario of the rule" : parts.joined(separator: ", ")
  }
}

extension Strength {
  /// The report as one JSON object on a line of its own.
  public var json: String {
    let object: JSON = [
      "rules": .array(rows.map(\.json)),
      "rulesWithoutMutant": .array(
        untested.filter(\.ties.isEmpty).map { .string($0.rule.id.description) }),
      "rulesThatNothingFailed": .array(idle.map { .string($0.rule.id.description) }),
      "unnoticed": .array(
        unnoticed.map {
          ["rule": .string($0.rule.id.description), "mutant": .string($0.mutant.name)]
        }),
      "complete": .bool(isComplete),
    ]
    return object.text + "\n"
  }
}

extension Strength.Row {
  fileprivate var json: JSON {
    [
      "id": .string(rule.id.description), "level": .string(rule.level.rawValue),
      "title": .string(rule.title), "required": .bool(isRequired), "tested": .bool(isTested),
      "mutants": .array(ties.map(\.json)),
    ]
  }
}

extension Strength.Tie {
  fileprivate var json: JSON {
    [
      "mutant": .string(mutant.name),
      "runs": .array(
        runs.map { ["scenario": .string($0.scenario), "profile": .string($0.profile)] }),
    ]
  }
}
