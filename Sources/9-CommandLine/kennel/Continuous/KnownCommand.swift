import AdapterSessions
import Commands
import KnownFailures
import Reports
import Scenario
import System

/// What `kennel known` was asked for.
struct KnownOptions {
  /// The list.
  var file: String
  /// Whether it is brought up to date.
  var updates: Bool
  var today: CalendarDate
  var terms: KnownFailuresUpdate.Terms
  /// What is run for that.
  var run: RunOptions
}

extension KnownOptions {
  /// - Throws: `Failure.usage` for a command line without a list, and for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    var arguments = arguments
    if let file = arguments.value(of: "update") {
      self.file = file
      updates = true
    } else {
      guard let file = arguments.operands.first, arguments.operands.count == 1 else {
        throw arguments.failure("known needs the file of a list, or --update FILE")
      }
      self.file = file
      arguments.operands = []
      updates = false
    }
    today = try arguments.today()
    let kind = try arguments.choice(of: "kind", default: KnownFailure.Kind.bug)
    var until = today.adding(days: Self.daysOfGrace)
    if let text = arguments.value(of: "until") {
      guard let date = CalendarDate(text) else {
        throw arguments.failure("--until needs a day such as 2026-12-31, not \"\(text)\"")
      }
      until = date
    }
    terms = .init(kind: kind, issue: arguments.value(of: "issue"), until: until)
    run = try RunOptions(arguments)
    let options = ["issue", "kind", "until", "profile", "client", "seed", "tag", "rule", "needs"]
    if !updates, let option = options.first(where: { arguments.contains($0) }) {
      throw arguments.failure("--\(option) needs --update")
    }
  }

  /// How long a failure is known where nobody says how long.
  private static let daysOfGrace = 90

  static let grammar = Grammar(
    command: "kennel known", operands: "[FILE|PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Checks the list of known failures in FILE and shows it, or runs scenarios and brings a list \
      up to date.
      """,
    options: [
      .init(
        name: "update", value: "FILE",
        summary: "Run, and bring the list in FILE up to date; it is made where there is none."),
      .init(
        name: "issue", value: "LINK",
        summary: "List failures that are new, as written down at LINK."),
      .init(
        name: "kind", value: "KIND",
        summary: "What new ones are: bug (if not given), wontfix, or flaky on a real clock.",
        choices: KnownFailure.Kind.allCases.map(\.rawValue)),
      .init(
        name: "until", value: "DATE",
        summary: "The last day of new ones, as 2026-12-31 (90 days from today if not given)."),
      GateOptions.today,
      .init(name: "profile", value: "PROFILE", summary: "Run for this profile. May be repeated."),
      .init(name: "seed", value: "N", summary: "Draw what scenarios leave open from seed N."),
      .init(name: "client", value: "NAME", summary: "Test the client NAME."),
    ] + Selection.grammar + AdapterOptions.grammar,
    notes: """
      An update takes away what passes, changes signatures, and narrows entries down to what still \
      fails. It never changes days, and leaves alone what was not wholly run. Comments and order \
      stay. Specs/continuous-integration.md tells how a list is written.

      Examples:
        kennel known known-failures.yaml
        kennel known --update known-failures.yaml -- python3 adapter.py
        kennel known --update known-failures.yaml --issue https://example.org/7 limits

      \(ExitCode.help)
      """,
    takesAdapter: true)
}

extension KnownOptions: Command {
  /// Shows a list, or brings it up to date.
  func perform() throws(Failure) -> ExitCode {
    updates ? try update(self) : try show(self)
  }
}

private func show(_ options: KnownOptions) throws(Failure) -> ExitCode {
  let library = try ScenarioLibrary([])
  let context = try KnownFailuresReader.Context(library, true, flaky: true)
  let list = try KnownFailures(
    file: options.file, text: Files.text(of: options.file), context)
  var expired = 0
  for entry in list.entries {
    let days = options.today.days(until: entry.until)
    if days < 0 { expired += 1 }
    let count = context.scenarios.count { entry.scenario.matches($0.id) }
    let time = days < 0 ? "expired" : days == 1 ? "1 day" : "\(days) days"
    try Console.output(
      "\(entry.place)  \(entry.scenario)  \(count == 1 ? "1 scenario" : "\(count) scenarios")  "
        + "\(entry.kind.rawValue)  \(entry.until) (\(time))  \(entry.issue)\n")
  }
  let count = list.entries.count
  try Console.output(
    "\(count == 1 ? "1 known failure" : "\(count) known failures"), \(expired) expired\n")
  return expired > 0 ? .divergence : .success
}

private func update(_ options: KnownOptions) throws(Failure) -> ExitCode {
  let library = try ScenarioLibrary(options.run)
  let context = try KnownFailuresReader.Context(
    library, options.run.selectors.isEmpty, flaky: options.run.adapter != nil)
  let old =
    Files.exists(options.file)
    ? try Files.text(of: options.file) : KnownFailuresUpdate.emptyList
  let list = try KnownFailures(file: options.file, text: old, context)
  var session = try RunSession(options.run, library)
  if options.terms.kind == .flaky, !session.isLive {
    throw .unusable("--kind flaky is for clients on a real clock; expected bug or wontfix")
  }
  var progress = RunProgress(total: library.scenarios.count)
  var ends: [RunEnd] = []
  for scenario in library.scenarios where !session.hasGivenUp {
    progress.show([], next: scenario.id)
    ends += try session.records(of: scenario, options.run, seed: options.run.seed ?? 0).map(
      \.runEnd)
  }
  progress.end()
  if session.hasGivenUp {
    AdapterSession.sayFarewell(left: 0, after: "scenarios")
    throw .unusable("not everything was run; \(options.file) stays as it is")
  }
  let update = KnownFailuresUpdate(
    of: list, text: old, runs: ends, context, options.terms)
  return try write(update, old, list, context, options)
}

/// Writes what an update came to, if it can be read again as what it should be.
private func write(
  _ update: KnownFailuresUpdate, _ old: String, _ list: KnownFailures,
  _ context: KnownFailuresReader.Context, _ options: KnownOptions
) throws(Failure) -> ExitCode {
  for change in update.changes { try Console.output(change + "\n") }
  if update.unlisted > 0 {
    let noun = update.unlisted == 1 ? "1 failure is" : "\(update.unlisted) failures are"
    Console.message("kennel: \(noun) not listed; name where they are written down: --issue LINK\n")
  }
  if update.text != old {
    let reading = KnownFailuresReader.read(
      file: options.file, bytes: Array(update.text.utf8), context)
    for problem in reading.problems { Console.message("\(problem)\n") }
    if !reading.problems.isEmpty {
      throw .unusable(
        "\(options.file) cannot be brought up to date as it is laid out; write each entry on lines "
          + "of its own; it stays as it is")
    }
    try Files.replace(update.text, at: options.file)
  }
  let count = update.changes.count
  try Console.output("\(options.file): \(count == 1 ? "1 change" : "\(count) changes")\n")
  return update.unlisted > 0 ? .divergence : .success
}
