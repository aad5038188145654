import AdapterSessions
import Commands
import KnownFailures
import Runs
import System
import Text

extension GateSettings {
  static let grammar: [Grammar.Option] = [
    .init(
      name: "known", value: "FILE",
      summary: "Compare with the list of known failures in FILE; see 'kennel known --help'."),
    today,
    .init(name: "fail-fast", summary: "Stop after the first failure."),
    .init(name: "max-fail", value: "N", summary: "Stop after N failures."),
    .init(
      name: "keep-going",
      summary: "Continue when the adapter fails scenario after scenario."),
    .init(name: "jobs", value: "N", summary: "Work in N processes instead of one."),
  ]

  static let today = Grammar.Option(
    name: "today", value: "DATE",
    summary: "Use DATE, such as 2026-12-31, as today's date for known failures.")

  init(_ arguments: Arguments) throws(Failure) {
    self.init(today: try arguments.today())
    list = arguments.value(of: "known")
    maxFailures = try arguments.count(of: "max-fail")
    if arguments.contains("fail-fast") {
      if maxFailures != nil {
        throw arguments.failure("--fail-fast and --max-fail are both given; expected one of them")
      }
      maxFailures = 1
    }
    jobs = try arguments.count(of: "jobs") ?? 1
    let client = arguments.value(of: "client").map { ["--client", $0] } ?? []
    let program = try arguments.adapterOptions().map { $0.words + ["--"] + $0.command } ?? []
    subject = (client + program).map(shellWord).joined(separator: " ")
    for other in ["audit", "trace", "transcript"] where jobs > 1 && arguments.contains(other) {
      throw arguments.failure("--\(other) and --jobs are both given; expected one of them")
    }
  }
}

extension Arguments {
  /// The day that `--today` names, or the one of this machine in universal time.
  ///
  /// - Throws: `Failure.usage` for what is no day.
  func today() throws(Failure) -> CalendarDate {
    if let day = try day(of: "today") { return day }
    return try Calendar.today()
  }

  /// The day that an option names, or nil.
  ///
  /// - Throws: `Failure.usage` for what is no day.
  func day(of name: String) throws(Failure) -> CalendarDate? {
    guard let text = value(of: name) else { return nil }
    if let date = CalendarDate(text) { return date }
    throw failure("--\(name) needs a day such as 2026-12-31, not \"\(text)\"")
  }
}
