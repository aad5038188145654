import Commands
import System
import Testing

@Suite struct ArgumentsTests {
  private enum Format: String, CaseIterable {
    case text, json
  }

  private struct Settings: OptionSettings, Equatable {
    var seed: UInt64?
    var format = Format.text
    var isVerbose = false
    var names: [String] = []

    static var options: [Option<Settings>] {
      [
        .value("seed", "N", \.seed, .seed, "A seed.").excluding("verbose"),
        .value("format", "FORMAT", \.format, .choice, "A format."),
        .flag("verbose", \.isVerbose, letter: "v", "More."),
        .list("name", "NAME", \.names, .text, "A name.").with { $0.needsAdapter = true },
      ]
    }
  }

  private let grammar = Grammar(
    command: "kit try", operands: "[FILE...] [-- COMMAND]", summary: "Tries.",
    options: Settings.options.map(\.description), notes: "", takesAdapter: true)

  private func settings(_ words: [String]) throws -> Settings {
    var settings = Settings()
    try grammar.parse(words).read(Settings.options, into: &settings)
    return settings
  }

  @Test func `options, operands and the command of an adapter are told apart`() throws {
    let arguments = try grammar.parse(["a", "--seed=3", "-v", "b", "--", "python3", "--x"])

    #expect(arguments.operands == ["a", "b"])
    #expect(arguments.values(of: "seed") == ["3"])
    #expect(arguments.contains("verbose"))
    #expect(arguments.adapter == ["python3", "--x"])
  }

  @Test(arguments: [
    [], ["--seed", "3"], ["--format", "json", "--verbose"], ["--name", "a", "--name", "b"],
  ])
  func `settings are written as the words that they were read from`(words: [String]) throws {
    let settings = try settings(words + ["--", "client"])

    #expect(Settings.options.words(of: settings) == words)
  }

  @Test func `the last value counts, and of a list each one once`() throws {
    let settings = try settings(
      ["--seed", "1", "--seed", "2", "--name", "a", "--name", "b", "--name", "a", "--", "client"])

    #expect(settings.seed == 2)
    #expect(settings.names == ["a", "b"])
  }

  @Test func `a project file says what a command line leaves open`() throws {
    var options = grammar.options
    options[0].projectKey = "seed"
    let grammar = Grammar(
      command: "kit try", operands: "", summary: "", options: options, notes: "")
    var defaults = CommandDefaults()
    defaults.values = ["seed": ["7"]]

    for (words, seeds) in [([], ["7"]), (["--seed", "1"], ["1"]), (["--verbose"], [])] {
      var arguments = try grammar.parse(words)
      try arguments.take(defaults, by: grammar)
      #expect(arguments.values(of: "seed") == seeds)
    }
  }

  @Test func `an adapter that must not be started is an error only where it would be`() throws {
    var defaults = CommandDefaults()
    defaults.adapter = ["theirs"]
    defaults.objection = "theirs is not started"
    var named = try grammar.parse(["--", "mine"])
    try named.take(defaults, by: grammar)
    #expect(named.adapter == ["mine"])

    var open = try grammar.parse([])
    let failure = #expect(throws: Failure.self) { try open.take(defaults, by: grammar) }
    #expect(failure?.description == "theirs is not started")
    #expect(failure?.exitCode == .usage)
  }

  @Test(arguments: [
    (["--sed", "1"], "unknown option \"--sed\"; did you mean \"--seed\"?"),
    (["--seed"], "option --seed needs a value: --seed N"),
    (["--verbose=1"], "option --verbose takes no value"),
    (["-q"], "unknown option \"-q\""),
  ])
  func `a command line that means nothing is told with what was expected`(
    words: [String], message: String
  ) {
    let failure = #expect(throws: Failure.self) { try grammar.parse(words) }
    #expect(failure?.description == message + "\nTry 'kit try --help'.")
  }

  @Test(arguments: [
    (["--format=jsn"], "unknown value \"jsn\" for --format; did you mean \"json\"?"),
    (["--format=xml"], "unknown value \"xml\" for --format; expected text or json"),
    (["--seed=-1"], "--seed needs a whole number from 0 to 18446744073709551615, not \"-1\""),
    (["-v", "--seed=1"], "--seed and --verbose are both given; expected one of them"),
    (["--name=a"], "--name needs a COMMAND after --"),
  ])
  func `a value that does not exist is told`(words: [String], message: String) {
    let failure = #expect(throws: Failure.self) { try settings(words) }
    #expect(failure?.description == message + "\nTry 'kit try --help'.")
  }
}
