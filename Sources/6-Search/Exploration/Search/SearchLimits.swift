/// When a search stops before it has tried everything.
struct SearchLimits {
  /// At how many orders, those of earlier searches into the same log included.
  var orders: Int
  var hasGivenUp: () -> Bool = { false }
  /// What a reduced search overlooks, for tests.
  var oversight: Oversight?

  func allow(_ log: ExplorationLog) -> Bool { log.orders < orders && !hasGivenUp() }
}
