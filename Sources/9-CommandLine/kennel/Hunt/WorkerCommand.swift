import AdapterSessions
import Campaigns
import Commands
import Glibc
import Hunting
import System

/// The command `kennel hunt-worker`: the process that does the work of a campaign. It is no
/// command for people, and no help mentions it.
struct WorkerCommand: Command {
  var hunt = HuntOptions()

  static var options: [Option<Self>] { HuntOptions.options.within(\.hunt) }

  static let grammar = Grammar(
    command: "kennel hunt-worker", operands: "",
    summary: "Does the work of a campaign, as 'kennel hunt' writes it to standard input.",
    takesAdapter: true)

  static let isListed = false

  mutating func take(_ arguments: Arguments) throws(Failure) {
    if let adapter = try arguments.adapterOptions() { hunt.take(adapter) }
  }

  /// Does what each line of standard input says, until its end.
  ///
  /// The process ends with its input: when the one that started it is killed, it does not go on.
  func perform() throws(Failure) -> ExitCode {
    let start = try hunt.corpus.map { corpus throws(Failure) in
      try Corpus(in: corpus, hunt.settings)
    }
    let worker = try HuntWorker(hunt.settings, hunt.adapter, corpus: start)
    while let line = readLine() {
      let answer = try worker.answer(to: line) { try? Console.output($0 + "\n") }
      try Console.output(answer + "\n")
    }
    return .success
  }
}
