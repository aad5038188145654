import Tree

/// What `kennel bench` was asked for.
struct BenchOptions {
  /// Whether a rough figure within seconds is enough.
  var isQuick: Bool
}

extension BenchOptions {
  /// - Throws: `Failure.usage` for operands, of which there are none.
  init(_ arguments: Arguments) throws(Failure) {
    if let operand = arguments.operands.first {
      throw arguments.failure("bench takes no arguments, but was given \"\(operand)\"")
    }
    isQuick = arguments.contains("quick")
  }

  static let grammar = Grammar(
    command: "kennel bench", operands: "",
    summary: """
      Measures how fast scenarios run on this machine.
      """,
    options: [.init(name: "quick", summary: "Take seconds instead of minutes; rougher figures.")],
    notes: """
      Examples:
        kennel bench --quick

      \(ExitCode.help)
      """)
}

/// Measures and prints the figures.
func run(_ options: BenchOptions) throws(Failure) -> ExitCode {
  let rounds = options.isQuick ? 5 : 40
  try Console.output("on        \(Measurement.processor)\n")
  try Console.output("workload  \(Workload.description)\n\n")
  let hollow = measure(rounds: rounds) { Workload.runHollow(steps: 30_000) }
  try line("kernel alone", "\(hollow.text) ns a step", "hollow clients; queue, network, trace hash")
  let full = measure(rounds: rounds) { (0..<40).reduce(0) { sum, _ in sum + Workload.run() } }
  try line("full stack", "\(full.text) ns a step", "reference clients and server")
  let perScenario = full.nanosecondsPerUnit * Double(Workload.run())
  try line(
    "scenarios", "\(Int(1e9 / perScenario)) a second", "of \(Workload.run()) steps, on one core")
  try line(
    "2 x 3 writes", explorationText(Race(clients: 2, writes: 3, calls: .interleaved), rounds),
    "all orders of two clients' calls and messages")
  try line(
    "3 x 2 writes", explorationText(Race(clients: 3, writes: 2, calls: .first), rounds),
    "all orders of three clients' messages")
  try line("peak memory", megabytes(Measurement.peakMemory), "after all of the above")
  try line("start-up", startUpText(rounds), "kennel --version, median of \(rounds * 5)")
  var list = LargeList()
  let change = measure(rounds: rounds) { (0..<200).reduce(0) { sum, _ in sum + list.change() } / 2 }
  try line("large list", "\(change.text) ns a change", "one child of 100,000 under one listener")
  try line("memory then", megabytes(Measurement.peakMemory), "with the large list")
  return .success
}

private struct Rate {
  let nanosecondsPerUnit: Double

  var text: String { canonicalText(of: (nanosecondsPerUnit * 10).rounded() / 10) }
}

/// The median of some rounds, after one that does not count.
private func measure(rounds: Int, _ body: () -> Int) -> Rate {
  _ = body()
  var units = 1
  let times = (0..<rounds).map { _ in Measurement.time { units = body() } }
  return Rate(nanosecondsPerUnit: Double(Measurement.median(times)) / Double(max(1, units)))
}

private func startUpText(_ rounds: Int) -> String {
  let times = (0..<rounds * 5).compactMap { _ in Measurement.startUp(of: "/proc/self/exe") }
  guard !times.isEmpty else { return "not measured" }
  let microseconds = Measurement.median(times) / 1000
  return "\(canonicalText(of: Double(microseconds / 10) / 100)) ms"
}

/// `500 in 12.3 ms`: how many orders a race has, and what exploring them takes.
private func explorationText(_ race: Race, _ rounds: Int) -> String {
  var orders = 0
  let times = (0..<rounds).map { _ in Measurement.time { orders = race.explore() } }
  let tenths = (Double(Measurement.median(times)) / 100_000).rounded()
  return "\(orders) in \(canonicalText(of: tenths / 10)) ms"
}

private func megabytes(_ bytes: Int) -> String {
  "\(canonicalText(of: Double(bytes / 104_858) / 10)) MB"
}

private func line(_ name: String, _ figure: String, _ remark: String) throws(Failure) {
  let columns = [(name, 14), (figure, 20)].map { text, width in
    text + String(repeating: " ", count: max(1, width - text.count))
  }
  try Console.output("\(columns.joined())\(remark)\n")
}
