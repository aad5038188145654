import ClientInterface
import Commands
import RealClock
import System

extension RealClockSettings {
  /// The options for adapters whose clients have a clock of their own.
  static let grammar: [Grammar.Option] = [
    .init(
      name: "tolerance", value: "MS",
      summary: """
        With a COMMAND on a real clock: events may be MS milliseconds earlier or later than a \
        scenario states (default: 250).
        """),
    .init(
      name: "quiet", value: "MS",
      summary: "On a real clock: a run has settled after MS without an event (default: 100)."
    ),
    .init(
      name: "patience", value: "MS",
      summary: "On a real clock: wait at most MS for a missing event (default: 4000)."),
    .init(
      name: "longest", value: "SECONDS",
      summary: """
        On a real clock: skip scenarios whose waits add up to more than this, 10 seconds unless stated.
        """),
    .init(
      name: "repeats", value: "N",
      summary: """
        On a real clock: a divergence counts only if it occurs again in N more runs (default: 2). \
        Otherwise the run is inconclusive.
        """),
  ]

  /// - Throws: `Failure.usage` for values that are none, and without a COMMAND.
  init(_ arguments: Arguments) throws(Failure) {
    self.init()
    for name in Self.grammar.map(\.name) where arguments.contains(name) && arguments.adapter == nil
    {
      throw arguments.failure("--\(name) needs a COMMAND after --")
    }
    func time(_ name: String, through most: Int) throws(Failure) -> Interval? {
      try arguments.number(of: name, from: 0, through: most).map { .milliseconds($0) }
    }
    tolerance = try time("tolerance", through: 60_000) ?? tolerance
    quiet = try time("quiet", through: 10_000) ?? quiet
    timeout = try time("patience", through: 600_000) ?? timeout
    connectionTimeout = max(connectionTimeout, timeout)
    longest =
      try arguments.number(of: "longest", from: 0, through: 86_400).map { .seconds($0) } ?? longest
    repeats = try arguments.number(of: "repeats", from: 0, through: 100) ?? repeats
  }
}
