import Commands
import Runs
import System

/// The command `kennel run`.
struct RunCommand {
  var settings = RunSettings()
  var format = OutputFormat.text
  /// Whether it runs again after each change.
  var isWatching = false

  static var options: [Option<Self>] {
    [
      .format(\.format),
      .flag(
        "watch", \.isWatching,
        "Run again when a scenario, or a file beside those of the COMMAND, changes."),
    ] + RunSettings.options.within(\.settings)
  }

  static let grammar = Grammar(
    command: "kennel run", operands: "[PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]",
    summary: """
      Runs scenarios against a client and reports where it diverges from the specification. Without \
      a PATH or ID, all scenarios run. With a COMMAND, that program drives the client under test; \
      Specs/adapter-protocol.md describes how.
      """,
    notes: """
      A PATH is a scenario file or a directory of them; an ID is a path below Scenarios without the \
      suffix, or the beginning of one. In a PATTERN, * matches anything within one part of an ID, \
      ** for anything at all, and ? for one character. --tag, --rule and --needs restrict the \
      selection further. Specs/guides/continuous-integration.md describes reports and known failures.

      Examples:
        kennel run
        kennel run Scenarios/writes --profile firebase
        kennel run limits/refill-after-foreign-removal --seed 42
        kennel run races --seeds 1..1000 --client no-refill
        kennel run 'limits/*' --tag smoke --rule LIM-7
        kennel run --last-failed --watch -- python3 adapter.py
        kennel run --exclude 'limits/*' --shard 1/4 --jsonl part-1.jsonl
        kennel run --known known-failures.yaml --junit report.xml --jobs 4
        kennel run writes --profile firebase -- python3 adapter.py
      """,
    takesAdapter: true)

  mutating func take(_ arguments: Arguments) throws(Failure) { try settings.take(arguments) }

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    settings.notesFailures = true
    if let problem = settings.problem { throw arguments.failure(problem) }
  }

  /// The command line that does the same once.
  var wordsOfOnce: [String] {
    ["run"] + Self.options.only("format").words(of: self) + settings.words
  }
}
