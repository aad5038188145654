import Benchmarks
import Commands
import System
import Text

/// What `kennel bench` was asked for.
struct BenchOptions: Command {
  /// Whether a rough figure within seconds is enough.
  var isQuick: Bool
  /// What is measured.
  var figures: [Figure]

  /// - Throws: `Failure.usage` for a figure that does not exist.
  init(_ arguments: Arguments) throws(Failure) {
    isQuick = arguments.contains("quick")
    figures = []
    for name in arguments.operands {
      let found = Figure.all.filter { $0.name == name || $0.name.hasPrefix(name + "-") }
      guard !found.isEmpty else {
        throw arguments.failure(
          "there is no figure \"\(name)\"" + didYouMean(name, Figure.all.map(\.name)))
      }
      figures += found
    }
    if figures.isEmpty { figures = Figure.all }
  }

  static let grammar = Grammar(
    command: "kennel bench", operands: "[FIGURE...]",
    summary: """
      Measures how fast this machine runs scenarios, and compares with what it should be.
      """,
    options: [.init(name: "quick", summary: "Take seconds instead of minutes; rougher figures.")],
    notes: """
      Figures, in this order when none is named:
      \(Figure.all.map { "  \(padded($0.name, to: 17)) \($0.remark)" }.joined(separator: "\n"))

      A step of messages and deliveries is one thing taken out of the queue of what will \
      happen: a message that arrives, a timer that fires, an attempt to connect that is answered, \
      a connection whose end is noticed. What an application's calls cost is counted in with the \
      steps that follow from them.

      An event is one line of the trace: a call, an input or an output of a client, a message that \
      the server takes or sends, a fault. The scenarios of campaign are what 'kennel hunt' draws \
      from seeds 0 to 199 at its standard size of about 120 events, and what scenarios counts are \
      these, as they are, drawn, run and judged; without the shadow that a hunt adds.

      The figures of the live server start 'kennel serve' as a process of its own, again for each, \
      and talk to it over WebSockets of this machine. What a client does costs time of another \
      core, if there is one. A write is answered when its answer has arrived; with --record it is \
      in the recording then.

      The figures of the documented SDK run it in this process, with its own clock and sockets. A word \
      that several names begin with, such as sdk, stands for all of them.

      Examples:
        kennel bench --quick
        kennel bench kernel campaign
        kennel bench live-messages live-p99
        kennel bench sdk

      \(ExitCode.help)
      """)

  /// Measures and prints the figures.
  func perform() throws(Failure) -> ExitCode {
    let rounds = isQuick ? 5 : 40
    try Console.output("on  \(Measurement.processor)\n\n")
    for figure in figures {
      let value = figure.measure(rounds)
      try Console.output(
        "\(padded(figure.name, to: 17)) \(padded(value.map(figure.text) ?? "not measured", to: 21)) "
          + "\(padded(figure.verdict(on: value), to: 29)) \(figure.remark)\n")
    }
    return .success
  }
}
