import Simulator
import System
import Trace
import Tree

extension Figure {
  /// All figures, in the order in which they are measured: memory before what needs much of it.
  package static let all: [Figure] =
    kernelFigures + campaignFigures + explorationFigures + otherFigures + liveFigures
    + sdkFigures

  private static let kernelFigures = [
    Figure(
      "kernel", "queue, network, choices, trace hash; with clients that do nothing",
      target: .atMost(60),
      text: { "\(rounded($0)) ns an event" },
      measure: { rounds in
        leastTime(rounds) { Workload.runNoOp(pings: 30_000).trace.count }
      }),
    Figure(
      "messages", "the same, by what is taken out of the queue",
      text: { "\(rounded($0)) ns a step" },
      measure: { rounds in
        leastTime(rounds) { Workload.runNoOp(pings: 30_000).queueSteps }
      }),
    Figure(
      "stack", "reference clients, server and kernel, nothing judged",
      text: { "\(rounded($0)) ns an event" },
      measure: { rounds in
        leastTime(rounds) { (0..<20).reduce(0) { sum, _ in sum + Workload.run().trace.count } }
      }),
  ]

  private static let seeds: Range<UInt64> = 0..<200

  private static let campaignFigures = [
    Figure(
      "campaign", "hunted scenarios with all invariants", target: .atMost(1500),
      text: { "\(rounded($0)) ns an event" },
      measure: { rounds in leastTime(rounds) { HuntedRuns(seeds).events } }),
    Figure(
      "deliveries", "the same, by what is taken out of the queue",
      text: { "\(rounded($0)) ns a step" },
      measure: { rounds in leastTime(rounds) { HuntedRuns(seeds).queueSteps } }),
    Figure(
      "scenarios", "such scenarios, on one core", target: .atLeast(5000),
      text: { "\(Int($0)) a second" },
      measure: { rounds in leastTime(rounds) { HuntedRuns(seeds).scenarios }.map { 1e9 / $0 } }),
    Figure(
      "time", "virtual to real, in such scenarios", target: .atLeast(10_000),
      text: { "\(Int($0)) x" },
      measure: { rounds in
        leastTime(rounds) { Int(HuntedRuns(seeds).virtualNanoseconds / 1000) }.map { 1000 / $0 }
      }),
    Figure(
      "two-cores", "hunts in two processes instead of one", target: .atLeast(1.8),
      text: { "\(rounded($0)) x as much" }, measure: { _ in TwoCores.gain() }),
    Figure(
      "memory", "peak memory up to this point", target: .atMost(64),
      text: { "\(rounded($0)) MB" },
      measure: { _ in Double(Measurement.peakMemory) / 1_048_576 }),
  ]

  private static let explorationFigures = [
    Figure(
      "explore-2x3", "all orders of two clients' calls and messages, 3 writes each",
      target: .atMost(1000), text: { "\(rounded($0)) ms" },
      measure: { rounds in
        let race = Race(clients: 2, writes: 3, calls: .interleaved)
        return leastTime(rounds) { explored(race) }.map { $0 / 1_000_000 }
      }),
    Figure(
      "explore-3x2", "all orders of three clients' messages, 2 writes each",
      target: .atMost(200), text: { "\(rounded($0)) ms" },
      measure: { rounds in
        let race = Race(clients: 3, writes: 2, calls: .first)
        return leastTime(rounds) { explored(race) }.map { $0 / 1_000_000 }
      }),
    Figure(
      "explore-3x3", "all orders of three clients' calls and messages, 3 writes each",
      target: .atMost(60), text: { "\(rounded($0)) s" },
      measure: { _ in
        let race = Race(clients: 3, writes: 3, calls: .interleaved)
        return leastTime(1) { explored(race) }.map { $0 / 1_000_000_000 }
      }),
  ]

  private static let otherFigures = [
    Figure(
      "start-up", "kennel --version", text: { "\(rounded($0)) ms" },
      measure: { rounds in
        let times = (0..<rounds * 5).compactMap { _ in Measurement.startupTime(of: "/proc/self/exe")
        }
        return times.isEmpty ? nil : Double(Measurement.median(times)) / 1_000_000
      }),
    Figure(
      "large-list", "change of one child of 100,000 under one listener",
      text: { "\(rounded($0)) ns a change" },
      measure: { rounds in
        var list = LargeList()
        return leastTime(rounds) { (0..<200).reduce(0) { sum, _ in sum + list.change() / 2 } }
      }),
    Figure(
      "list-memory", "at most held until here", text: { "\(rounded($0)) MB" },
      measure: { _ in Double(Measurement.peakMemory) / 1_048_576 }),
  ]

  private static func explored(_ race: Race) -> Int {
    _ = race.explore()
    return 1
  }

  private static func rounded(_ value: Double) -> String {
    canonicalText(of: (value * 10).rounded() / 10)
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
