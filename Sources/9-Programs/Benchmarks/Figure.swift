import Document
import Simulator
package import System
import Trace
import Tree

/// One thing that `kennel bench` measures.
package struct Figure: Sendable {
  /// The name by which it can be asked for.
  package let name: String
  package let remark: String
  /// What it should come to, if anybody said.
  package var target: Target?
  package let measure: @Sendable (_ rounds: Int) -> Double?
  /// How a measured number reads, for example `58.1 ns a step`.
  package let text: @Sendable (Double) -> String

  package enum Target: Sendable {
    case atMost(Double)
    case atLeast(Double)

    package func isReached(by value: Double) -> Bool {
      switch self {
      case let .atMost(limit): value <= limit
      case let .atLeast(limit): value >= limit
      }
    }
  }

  package init(
    _ name: String, _ remark: String, target: Target? = nil,
    text: @escaping @Sendable (Double) -> String,
    measure: @escaping @Sendable (_ rounds: Int) -> Double?
  ) {
    self.name = name
    self.remark = remark
    self.target = target
    self.text = text
    self.measure = measure
  }

  /// `<= 60 ns a step`; nothing without a target.
  package var targetText: String {
    switch target {
    case nil: ""
    case let .atMost(limit)?: "<= \(text(limit))"
    case let .atLeast(limit)?: ">= \(text(limit))"
    }
  }

  /// Whether the target is reached, in words; nothing without a target.
  package func verdict(on value: Double?) -> String {
    guard let target, let value else { return "" }
    return target.isReached(by: value) ? "reached: \(targetText)" : "missed: \(targetText)"
  }
}

extension Figure {
  /// All figures, in the order in which they are measured: memory before what needs much of it.
  package static let all: [Figure] =
    kernelFigures + campaignFigures + explorationFigures + otherFigures + liveFigures
    + sdkFigures

  private static let kernelFigures = [
    Figure(
      "kernel", "queue, network, choices, trace hash; with clients that do nothing",
      target: .atMost(60), text: tenths("ns an event")
    ) { rounds in leastTime(rounds) { Workload.runNoOp(pings: 30_000).trace.count } },
    Figure("messages", "the same, by what is taken out of the queue", text: tenths("ns a step")) {
      rounds in leastTime(rounds) { Workload.runNoOp(pings: 30_000).queueSteps }
    },
    Figure(
      "stack", "reference clients, server and kernel, nothing judged", text: tenths("ns an event")
    ) { rounds in
      leastTime(rounds) { (0..<20).reduce(0) { sum, _ in sum + Workload.run().trace.count } }
    },
  ]

  private static let seeds: Range<UInt64> = 0..<200

  private static let campaignFigures = [
    Figure(
      "campaign", "hunted scenarios with all invariants", target: .atMost(1500),
      text: tenths("ns an event")
    ) { rounds in leastTime(rounds) { HuntedRuns(seeds).events } },
    Figure("deliveries", "the same, by what is taken out of the queue", text: tenths("ns a step")) {
      rounds in leastTime(rounds) { HuntedRuns(seeds).queueSteps }
    },
    Figure(
      "scenarios", "such scenarios, on one core", target: .atLeast(5000), text: whole("a second")
    ) { rounds in leastTime(rounds) { HuntedRuns(seeds).scenarios }.map { 1e9 / $0 } },
    Figure(
      "time", "virtual to real, in such scenarios", target: .atLeast(10_000), text: whole("x")
    ) { rounds in
      leastTime(rounds) { Int(HuntedRuns(seeds).virtualNanoseconds / 1000) }.map { 1000 / $0 }
    },
    Figure(
      "two-cores", "hunts in two processes instead of one", target: .atLeast(1.8),
      text: tenths("x as much")
    ) { _ in TwoCores.gain() },
    Figure("memory", "peak memory up to this point", target: .atMost(64), text: tenths("MB")) { _ in
      megabytes(Measurement.peakMemory)
    },
  ]

  private static let explorationFigures = [
    Figure(
      "explore-2x3", "all orders of two clients' calls and messages, 3 writes each",
      target: .atMost(1000), text: tenths("ms")
    ) { rounds in
      explorationTime(rounds, Race(clients: 2, writes: 3, calls: .interleaved))
    },
    Figure(
      "explore-3x2", "all orders of three clients' messages, 2 writes each",
      target: .atMost(200), text: tenths("ms")
    ) { rounds in explorationTime(rounds, Race(clients: 3, writes: 2, calls: .first)) },
    Figure(
      "explore-3x3", "all orders of three clients' calls and messages, 3 writes each",
      target: .atMost(60), text: tenths("s")
    ) { _ in
      explorationTime(1, Race(clients: 3, writes: 3, calls: .interleaved)).map { $0 / 1000 }
    },
  ]

  private static let otherFigures = [
    Figure("start-up", "kennel --version", text: tenths("ms")) { rounds in
      let times = (0..<rounds * 5).compactMap { _ in Measurement.startupTime(of: "/proc/self/exe") }
      return times.isEmpty ? nil : milliseconds(Measurement.median(times))
    },
    Figure(
      "large-list", "change of one child of 100,000 under one listener", text: tenths("ns a change")
    ) { rounds in
      var list = LargeList()
      return leastTime(rounds) { (0..<200).reduce(0) { sum, _ in sum + list.change() / 2 } }
    },
    Figure("list-memory", "at most held until here", text: tenths("MB")) { _ in
      megabytes(Measurement.peakMemory)
    },
  ]

  /// The milliseconds of exploring a race once.
  private static func explorationTime(_ rounds: Int, _ race: Race) -> Double? {
    leastTime(rounds) {
      _ = race.explore()
      return 1
    }.map { $0 / 1_000_000 }
  }

  /// Shows a number with a decimal and its unit.
  static func tenths(_ unit: String) -> @Sendable (Double) -> String {
    { "\(canonicalText(of: ($0 * 10).rounded() / 10)) \(unit)" }
  }

  /// Shows a number without decimals and its unit.
  static func whole(_ unit: String) -> @Sendable (Double) -> String { { "\(Int($0)) \(unit)" } }

  static func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1_000_000 }

  static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_048_576 }

  /// How many of something there were in a second.
  static func rate(of count: Int, in nanoseconds: Int64) -> Double {
    Double(count) * 1e9 / Double(nanoseconds)
  }

  /// The least time of some rounds for one of the units that `body` returns, in nanoseconds, after
  /// one round that does not count. Others may be using the machine: they only ever add.
  private static func leastTime(_ rounds: Int, _ body: () -> Int) -> Double? {
    _ = body()
    let rates = (0..<rounds).map { _ in
      var units = 0
      let time = Measurement.time { units = body() }
      return Double(time) / Double(max(1, units))
    }
    return rates.min()
  }
}

extension Figure {
  /// Measures figures, and writes a line for each of them below the name of the processor.
  package static func report(
    _ figures: [Figure], rounds: Int, write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try write("on  \(Measurement.processor)\n\n")
    for figure in figures {
      let value = figure.measure(rounds)
      try write(
        "\(padded(figure.name, to: 17)) \(padded(value.map(figure.text) ?? "not measured", to: 21)) "
          + "\(padded(figure.verdict(on: value), to: 29)) \(figure.remark)\n")
    }
  }
}

extension Growth {
  /// Measures everything that can grow, and writes a line for each kind.
  ///
  /// - Returns: Whether the time of all of them grows with what is in the run.
  package static func report(
    rounds: Int, write: (String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var areLinear = true
    for growth in all {
      let seconds = growth.measure(rounds: rounds)
      areLinear = areLinear && growth.isLinear(seconds)
      try write(growth.line(of: seconds))
    }
    return areLinear
  }
}
