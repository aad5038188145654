/// Which scenarios are meant, besides those that are named: all conditions must hold, of each of
/// them one word.
public struct ScenarioSelection: Hashable, Sendable {
  /// Tags; empty for any.
  public var tags: [String]
  /// Rules or families of rules, in capitals: `EVT-7`, `EVT`; empty for any.
  public var rules: [String]
  /// Capabilities that the scenario needs; empty for any.
  public var needs: [String]
  /// Ids, beginnings of ids and patterns of scenarios that are not meant.
  public var excluded: [String]

  /// Creates a selection that means every scenario unless restricted; rules are put in capitals.
  public init(
    tags: [String] = [], rules: [String] = [], needs: [String] = [], excluded: [String] = []
  ) {
    self.tags = tags
    self.rules = rules.map { $0.uppercased() }
    self.needs = needs
    self.excluded = excluded
  }

  /// Whether every scenario is meant.
  public var isEverything: Bool {
    tags.isEmpty && rules.isEmpty && needs.isEmpty && excluded.isEmpty
  }

  /// Whether `selector`, which is excluded, means a scenario: its id, a folder above it, or a pattern.
  public static func excludes(_ selector: String, _ id: String) -> Bool {
    Glob(selector).matches(id) || id.hasPrefix(selector.hasSuffix("/") ? selector : selector + "/")
  }

  /// Whether a scenario satisfies all conditions, a rule also by its family and a capability also
  /// if only the steps need it; O(*n*) in the size of the steps and their data if `needs` is not
  /// empty.
  public func selects(_ scenario: Scenario) -> Bool {
    (tags.isEmpty || scenario.tags.contains { tags.contains($0) })
      && (rules.isEmpty || scenario.rules.contains { cites($0.id) })
      && (needs.isEmpty || scenario.capabilities.contains { needs.contains($0) })
      && !excluded.contains { Self.excludes($0, scenario.id) }
  }

  private func cites(_ rule: String) -> Bool {
    let family = String(rule.prefix { $0 != "-" })
    return rules.contains(rule) || rules.contains(family)
  }
}
