import AdapterSessions
import Commands
import KnownFailures
import Runs
import Scenario
import System

/// The command `kennel known`.
struct KnownCommand: Command {
  /// The list.
  var file: String
  /// Whether it is brought up to date.
  var updates: Bool
  var today: CalendarDate
  var terms: KnownFailuresUpdate.Terms
  /// What is run for that.
  var run: RunSettings

  /// - Throws: `Failure.usage` for a command line without a list, and for values that do not exist.
  init(_ arguments: Arguments) throws(Failure) {
    var arguments = arguments
    if let file = arguments.value(of: "update") {
      self.file = file
      updates = true
    } else {
      file = try arguments.onlyOperand(else: "known needs the file of a list, or --update FILE")
      arguments.operands = []
      updates = false
    }
    today = try arguments.today()
    let kind = try arguments.choice(of: "kind", default: KnownFailure.Kind.bug)
    let until = try arguments.day(of: "until") ?? today.adding(days: Self.daysOfGrace)
    terms = .init(kind: kind, issue: arguments.value(of: "issue"), until: until)
    run = try RunSettings(arguments)
    let options = ["issue", "kind", "until", "profile", "client", "seed", "tag", "rule", "needs"]
    if !updates, let option = options.first(where: { arguments.contains($0) }) {
      throw arguments.failure("--\(option) needs --update")
    }
  }

  /// How long a failure is known where it is not stated how long.
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
        summary: "Add new failures with LINK as their issue."),
      .init(
        name: "kind", value: "KIND",
        summary: "The kind of new entries: bug (default), wontfix, or flaky on a real clock.",
        choices: KnownFailure.Kind.allCases.map(\.rawValue)),
      .init(
        name: "until", value: "DATE",
        summary: "The expiry date of new entries (default: 90 days from today)."),
      GateSettings.today,
      .init(name: "profile", value: "PROFILE", summary: "Run for this profile. May be repeated."),
      .init(name: "seed", value: "N", summary: "Draw what scenarios leave open from seed N."),
      .init(name: "client", value: "NAME", summary: "Test the client NAME."),
    ] + ScenarioSelection.grammar + AdapterOptions.grammar,
    notes: """
      An update removes entries that pass, changes signatures, and restricts entries to what \
      still fails. It never changes dates, or entries that were not run completely. It keeps \
      comments and the order. Specs/guides/continuous-integration.md describes the format of a list.

      Examples:
        kennel known known-failures.yaml
        kennel known --update known-failures.yaml -- python3 adapter.py
        kennel known --update known-failures.yaml --issue https://example.org/7 limits

      \(ExitCode.help)
      """,
    takesAdapter: true)

  /// Shows a list, or brings it up to date.
  func perform() throws(Failure) -> ExitCode {
    updates ? try update() : try show()
  }

  private func show() throws(Failure) -> ExitCode {
    let inventory = try KnownFailuresInventory(file, on: today)
    try Console.output(inventory.text)
    return inventory.expired > 0 ? .divergence : .success
  }

  private func update() throws(Failure) -> ExitCode {
    var revision = try KnownFailuresRevision(of: file, run, terms)
    let total = revision.total
    var progress = ProgressLine(every: 100, elsewhere: nil)
    try revision.run { progress.show("0 of \(total)   \($0)") }
    progress.end()
    if revision.hasGivenUp {
      AdapterSession.describeEnd(left: 0, after: "scenarios")
      throw .unusable("not everything was run; \(file) stays as it is")
    }
    let update = revision.update
    for change in update.changes { try Console.output(change + "\n") }
    if update.unlisted > 0 {
      let noun = update.unlisted == 1 ? "1 failure is" : "\(update.unlisted) failures are"
      Console.message(
        "kennel: \(noun) not listed; name where they are written down: --issue LINK\n")
    }
    try revision.write()
    let count = update.changes.count
    try Console.output("\(file): \(count == 1 ? "1 change" : "\(count) changes")\n")
    return update.unlisted > 0 ? .divergence : .success
  }
}
