import AdapterSessions
import Campaigns
import Commands
import Glibc
import Hunting
import System

/// The command `kennel hunt-worker`: the process that does the work of a campaign. It is no
/// command for people, and no help mentions it.
struct WorkerCommand: Command {
  var settings: HuntSettings
  var adapter: AdapterOptions?
  /// The folder of what a guided campaign begins with; nil for none.
  var corpus: String?

  init(_ arguments: Arguments) throws(Failure) {
    settings = .standard
    try settings.take(arguments)
    adapter = try settings.adapterOptions(arguments)
    corpus = arguments.value(of: "corpus")
  }

  static let grammar = Grammar(
    command: "kennel hunt-worker", operands: "",
    summary: "Does the work of a campaign, as 'kennel hunt' writes it to standard input.",
    options: HuntCommand.settingOptions, notes: ExitCode.help, takesAdapter: true)

  static let isListed = false

  /// Does what each line of standard input says, until its end.
  ///
  /// The process ends with its input: when the one that started it is killed, it does not go on.
  func perform() throws(Failure) -> ExitCode {
    var start: Corpus?
    if let corpus { start = try Corpus(in: corpus, settings) }
    let worker = try HuntWorker(settings, adapter, corpus: start)
    while let line = readLine() {
      let answer = try worker.answer(to: line) { try? Console.output($0 + "\n") }
      try Console.output(answer + "\n")
    }
    return .success
  }
}
