import Commands
import Document
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

  private func defaults(_ values: [String: [String]]) -> CommandDefaults {
    let file = SettingOrigin.file(FileLocation(file: "kit.yaml"), settings: nil)
    var defaults = CommandDefaults()
    defaults.values = values.mapValues { SettingValue($0, file) }
    return defaults
  }

  @Test(arguments: [
    ([], ["7"]), (["--seed", "1"], ["1"]),
    // What does not go together with an option that is given, whichever of them says so.
    (["--verbose"], []), (["--format", "json"], []),
  ])
  func `a setting says what a command line leaves open`(words: [String], seeds: [String]) throws {
    var options = grammar.options
    options[0].setting = "seed"
    options[1].excludes = ["seed"]
    let grammar = Grammar(
      command: "kit try", operands: "", summary: "", options: options, notes: "")
    var arguments = try grammar.parse(words)
    try arguments.take(defaults(["seed": ["7"]]), by: grammar)

    #expect(arguments.values(of: "seed") == seeds)
    #expect((arguments.inherited["seed"] == nil) == (seeds != ["7"]))
  }

  @Test func `what is excluded counts where no scenario is named`() throws {
    var option = OptionDescription(name: "exclude", value: "ID|PATTERN", summary: "")
    option.setting = "exclude"
    option.isRepeatable = true
    let grammar = Grammar(
      command: "kit try", operands: "[PATH|ID...]", summary: "", options: [option], notes: "")
    let settings = defaults(["exclude": ["a", "b"], "scenarios": ["all"]])
    for (words, excluded, operands) in [([], ["a", "b"], ["all"]), (["a"], [], ["a"])] {
      var arguments = try grammar.parse(words)
      try arguments.take(settings, by: grammar)
      #expect(arguments.values(of: "exclude") == excluded)
      #expect(arguments.operands == operands)
    }
  }

  @Test func `what must not be started or written is an error only where it would be`() throws {
    var settings = defaults(["command": ["theirs"], "report": ["their.xml"]])
    settings.objection = "theirs is not started"
    var named = try grammar.parse(["--", "mine"])
    try named.take(settings, by: grammar)
    #expect(named.adapter == ["mine"])

    var report = OptionDescription(name: "report", value: "FILE", summary: "")
    (report.setting, report.file) = ("report", .written)
    let writing = Grammar(
      command: "kit try", operands: "", summary: "", options: [report], takesAdapter: true)
    for (grammar, words) in [(grammar, []), (writing, ["--", "mine"])] {
      var open = try grammar.parse(words)
      let failure = #expect(throws: Failure.self) { try open.take(settings, by: grammar) }
      #expect(failure?.description == "theirs is not started")
      #expect(failure?.exitCode == .usage)
    }
    // What the environment says is the user's own.
    settings.values["command"]?.origin = .environment("KIT_COMMAND")
    var own = try grammar.parse([])
    try own.take(settings, by: grammar)
    #expect(own.adapter == ["theirs"])
  }

  @Test func `a command without its quotes is quoted`() {
    var server = OptionDescription(name: "serve", value: "COMMAND", summary: "")
    server.file = .started
    let grammar = Grammar(command: "kit try", operands: "", summary: "", options: [server])
    let words = ["--serve", "node", "a.js", "--port", "9"]
    let failure = #expect(throws: Failure.self) { try grammar.parse(words) }

    #expect(
      failure?.description
        == "unknown option \"--port\"; expected --serve; a word of the command for --serve stands in its "
        + "quotes: --serve 'node a.js --port 9'\nTry 'kit try --help'.")
    let other = #expect(throws: Failure.self) { try grammar.parse(["--port", "--serve", "a"]) }
    #expect(
      other?.description == "unknown option \"--port\"; expected --serve\nTry 'kit try --help'.")
  }

  @Test(arguments: [
    (["--sed", "1"], "unknown option \"--sed\"; did you mean \"--seed\"?"),
    (["--seed"], "option --seed needs a value: --seed N"),
    (["--verbose=1"], "option --verbose takes no value"),
    (["-sed", "1"], "unknown option \"-sed\"; did you mean \"--seed\", with two hyphens?"),
    (["-q"], "unknown option \"-q\"; expected -v or -h, or a name after --"),
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
