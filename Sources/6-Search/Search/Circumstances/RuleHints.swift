public import Conformance
internal import Scenario

/// Which rules say that a client should not differ as it does.
public enum RuleHints {
  /// A cause, with stars for any letters, and the rules that are about it.
  private typealias Row = (cause: Glob, rules: [String])

  private static func row(_ cause: String, _ rules: String) -> Row {
    (Glob(cause), rules.split(separator: " ").map(String.init))
  }

  /// What came of messages and calls, and orders.
  private static let occasions = [
    ("event-order child_added before child_added*", "EVT-9"),
    ("event-order child_changed before child_changed*", "EVT-9"),
    ("event-order child_moved before child_moved*", "EVT-9"),
    ("event-order child_removed before child_removed*", "EVT-9"),
    ("event-order value before *", "EVT-7"),
    ("event-order*", "EVT-8"),
    ("event-previous*", "EVT-10"),
    ("child-order*", "SNP-3 QRY-17"),
    ("inv-31", "CBK-3"),
    ("*once-again*", "OBS-9"),
    ("*after-removal*", "OBS-6"),
    ("different-outcome threw * by error *", "ERR-1"),
    ("* event on refusal", "WRT-14 WRT-15"),
    ("missing event on write", "WRT-8"),
    ("late event on write", "WRT-8"),
    ("extra event on write", "EVT-12"),
    ("* event on transaction", "TXN-4"),
    ("late event on connection", "CON-1"),
    ("* event on connection", "CON-9 CON-10"),
    ("extra event on ok", "WRT-9 WRT-16"),
    ("missing event on ok", "WRT-16"),
    ("late event on listen", "OBS-2"),
    ("extra event on listen", "EVT-18 OBS-14"),
    ("extra event on unlisten", "OBS-14"),
    ("* completed on ok", "WRT-10"),
    ("* completed on write", "WRT-10"),
    ("* completed on connection", "OFF-4 TXN-13"),
    ("* completed on on-disconnect-*", "OND-2"),
    ("* send put on on-disconnect-*", "OND-1"),
    ("* send put on connection", "OFF-3 OFF-4"),
    ("* send merge on write", "WRT-4"),
    ("extra send listen on connection", "CON-14"),
    ("missing send listen on connection", "CON-10"),
    ("missing send listen on transaction", "TXN-19"),
    ("extra send listen on listen", "WIR-4"),
    ("extra send listen on once", "WIR-4"),
    ("* send listen on inspect", "REF-15"),
    ("missing send listen on listen", "WIR-6"),
    ("missing send listen on once", "WIR-6"),
    ("missing send listen on unlisten*", "WIR-6"),
    ("missing send unlisten on listen", "WIR-5"),
    ("missing send unlisten on *", "OBS-12"),
    ("extra send unlisten on *", "OBS-8"),
    ("* send on-disconnect-cancel*", "OND-16 OND-7"),
    ("* send on-disconnect-merge*", "OND-5"),
    ("missing send auth on connection", "ACC-12"),
    ("extra send auth on connection", "ACC-18 OFF-20"),
    ("missing connect on connection", "CON-3"),
  ].map(row)

  /// What kind of event it is.
  private static let kinds = [
    ("* event child_moved", "EVT-11"),
    ("missing-event child_moved", "EVT-11"),
    ("extra event child_added", "EVT-2 EVT-4"),
    ("missing-event child_added", "EVT-4"),
    ("missing-event child_changed", "EVT-5"),
    ("* event child_removed", "EVT-6"),
    ("missing-event child_removed", "EVT-6"),
    ("extra event value", "EVT-13"),
    ("missing-event value", "EVT-3"),
    ("missing-event cancelled", "ACC-1"),
    ("extra completed", "CBK-10"),
  ].map(row)

  /// Causes that the rows are about, one for each.
  package static var examples: [String] {
    (occasions + kinds).map { $0.cause.description.replacing("*", with: "x") }
  }

  /// The rules that are about one of the causes that a failure can be put down to, those of what
  /// happened before those of the kind of event.
  public static func rules(for causes: [String]) -> [String] {
    rules(for: causes, in: occasions + kinds)
  }

  /// Those of what happened alone.
  fileprivate static func occasions(for causes: [String]) -> [String] {
    rules(for: causes, in: occasions)
  }

  private static func rules(for causes: [String], in rows: [Row]) -> [String] {
    var rules: [String] = []
    for row in rows where causes.contains(where: row.cause.matches) {
      rules += row.rules.filter { !rules.contains($0) }
    }
    return rules
  }
}

extension Divergence {
  /// The rule that such a difference breaks, whatever the scenario is about; `nil` where only the scenario
  /// knows.
  private var certainRule: String? {
    let traits = kind.traits
    return traits.all?.first ?? rules.first(where: traits.likely.contains) ?? traits.certain
  }

  /// The rule that it breaks: that of the law or of the kind of difference; else, of those that the expectation or
  /// the scenario cites, one that is about what the client first did otherwise than a conforming one; else the first.
  fileprivate func brokenRule(_ causes: [String]) -> String? {
    certainRule ?? RuleHints.occasions(for: causes).first(where: rules.contains) ?? rules.first
  }
}

extension ScenarioResult {
  /// Has the first difference cite the rule first that it breaks: reports name that one.
  ///
  /// - Parameter causes: What the failure can be put down to.
  /// - Returns: The same in all else.
  public func citing(causes: [String]) -> ScenarioResult {
    guard let rule = divergences.first?.brokenRule(causes) else { return self }
    var result = self
    result.divergences[0].rules = [rule] + divergences[0].rules.filter { $0 != rule }
    return result
  }
}
