import Commands
import System
import Testing

@Suite struct ArgumentsTests {
  private let grammar = Grammar(
    command: "kit try", operands: "[FILE...] [-- COMMAND]", summary: "Tries.",
    options: [
      .init(name: "seed", value: "N", summary: "A seed."),
      .init(name: "format", value: "FORMAT", summary: "A format.", choices: ["text", "json"]),
      .init(name: "verbose", letter: "v", summary: "More."),
    ], notes: "", takesAdapter: true)

  private enum Format: String, CaseIterable {
    case text, json
  }

  @Test func `options, operands and the command of an adapter are told apart`() throws {
    let arguments = try grammar.parse(["a", "--seed=3", "-v", "b", "--", "python3", "--x"])

    #expect(arguments.operands == ["a", "b"])
    #expect(try arguments.seed() == 3)
    #expect(arguments.contains("verbose"))
    #expect(arguments.adapter == ["python3", "--x"])
    #expect(
      arguments.words(in: grammar)
        == ["--seed=3", "--verbose", "a", "b", "--", "python3", "--x"])
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
    ("--format", "jsn", "unknown value \"jsn\" for --format; did you mean \"json\"?"),
    ("--format", "xml", "unknown value \"xml\" for --format; expected text or json"),
    ("--seed", "-1", "--seed needs a whole number from 0 to 18446744073709551615, not \"-1\""),
  ])
  func `a value that does not exist is told`(option: String, value: String, message: String) throws
  {
    let arguments = try grammar.parse(["\(option)=\(value)"])

    let failure = #expect(throws: Failure.self) {
      _ = try arguments.seed()
      _ = try arguments.choice(of: "format", default: Format.text)
    }
    #expect(failure?.description == message + "\nTry 'kit try --help'.")
  }
}
