import AdapterSessions
import Commands
import KnownFailures
import Runs
import Scenario
import System

/// The command `kennel known`.
struct KnownCommand: Command {
  /// The list that is shown.
  var file = ""
  /// The list that is brought up to date; nil for none.
  var updated: String?
  var kind = KnownFailure.Kind.bug
  /// Where new failures are written down.
  var issue: String?
  /// The expiry date of new entries.
  var until: CalendarDate?
  /// What is run for that.
  var run = RunSettings()

  /// How long a failure is known where it is not stated how long.
  private static let daysOfGrace = 90

  static var options: [Option<Self>] {
    [
      .value(
        "update", "FILE", \.updated, .text,
        "Run, and bring the list in FILE up to date; it is made where there is none."),
      .value(
        "issue", "LINK", \.issue, .text, "Add new failures with LINK as their issue."),
      .value(
        "kind", "KIND", \.kind, .choice,
        "The kind of new entries: bug (default), wontfix, or flaky on a real clock."),
      .value(
        "until", "DATE", \.until, .day,
        "The expiry date of new entries (default: 90 days from today)."),
    ]
      + RunSettings.options.only(
        "today", "profile", "seed", "client", "tag", "rule", "needs", "exclude"
      ).within(\.run).saying([
        "profile": "Run for this profile. May be repeated.",
        "seed": "Draw what scenarios leave open from seed N.",
        "client": "Test the client NAME.",
      ]) + AdapterOptions.options.within(\.run.adapter)
  }

  static let grammar = Grammar(
    command: "kennel known", operands: "[FILE|PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Checks the list of known failures in FILE and shows it, or runs scenarios and brings a list \
      up to date.
      """,
    notes: """
      An update removes entries that pass, changes signatures, and restricts entries to what \
      still fails. It never changes dates, or entries that were not run completely. It keeps \
      comments and the order. Specs/guides/continuous-integration.md describes the format of a list.

      Examples:
        kennel known known-failures.yaml
        kennel known --update known-failures.yaml -- python3 adapter.py
        kennel known --update known-failures.yaml --issue https://example.org/7 limits
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) {
    try run.take(arguments)
    if !arguments.contains("update") {
      file = try arguments.onlyOperand(else: "known needs the file of a list, or --update FILE")
      let options = ["issue", "kind", "until", "profile", "client", "seed", "tag", "rule", "needs"]
      if let option = options.first(where: arguments.contains) {
        throw arguments.failure("--\(option) needs --update")
      }
    }
  }

  /// Shows a list, or brings it up to date.
  func perform() throws(Failure) -> ExitCode {
    let today = try run.gate.today()
    guard let updated else { return try show(on: today) }
    let terms = KnownFailuresUpdate.Terms(
      kind: kind, issue: issue, until: until ?? today.adding(days: Self.daysOfGrace))
    return try update(updated, terms)
  }

  private func show(on today: CalendarDate) throws(Failure) -> ExitCode {
    let inventory = try KnownFailuresInventory(file, on: today)
    try Console.output(inventory.text)
    return inventory.expired > 0 ? .divergence : .success
  }

  private func update(
    _ file: String, _ terms: KnownFailuresUpdate.Terms
  ) throws(Failure) -> ExitCode {
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
