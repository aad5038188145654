internal import Rules
internal import Trace
internal import Tree

extension Coverage {
  /// The report as one JSON object on a line of its own.
  public var json: String {
    let object: JSON = [
      "runs": .object(
        runs.tally.members + [.init("scenarios", .number(Double(runs.scenarios)))]),
      "levels": .array(Rule.Level.allCases.map(levelJSON)),
      "rules": .array(rows.map(\.json)),
      "rulesWithoutScenario": .array(untested.map { .string($0.rule.id.description) }),
      "mustRulesWithoutScenarioIn": .object(
        Rule.profileNames.map { profile in
          .init(profile, .array(untested(in: profile).map { .string($0.rule.id.description) }))
        }),
      "scenariosWithoutRule": .array(scenariosWithoutRule.map { .string($0) }),
      "sourcesWithoutRule": .array(sourcesWithoutRule.map(\.json)),
      "complete": .bool(isComplete),
    ]
    return object.text + "\n"
  }

  private func levelJSON(_ level: Rule.Level) -> JSON {
    let profiles = Rule.profileNames.map { JSON.Member($0, tally(level, in: $0).json) }
    return .object(
      [.init("level", .string(level.rawValue)), .init("all", tally(level).json)] + profiles)
  }
}

extension Coverage.TestedRules {
  fileprivate var json: JSON {
    ["rules": .number(Double(rules)), "tested": .number(Double(tested))]
  }
}

extension Coverage.Row {
  fileprivate var json: JSON {
    [
      "id": .string(rule.id.description), "level": .string(rule.level.rawValue),
      "binds": .string(rule.binds.rawValue), "title": .string(rule.title),
      "by": .string(rule.tested.rawValue),
      "tested": .bool(isTested), "scenarios": .array(scenarios.map { .string($0) }),
      "profiles": .array(profiles.map { .string($0) }),
    ]
  }
}

extension SourceTable.Entry {
  fileprivate var json: JSON {
    [
      "document": .string(document), "heading": .string(heading), "line": .number(Double(line)),
    ]
  }
}
