import Commands
import System
import Testing

private struct Succeeding: Command {
  var colour: String?

  static var options: [Option<Self>] {
    [.value("shade", "SHADE", \.colour, .name(among: ["red", "green"]), "A colour.")]
  }

  static let grammar = Grammar(
    command: "kit succeed", operands: "", summary: "Succeeds. Always.",
    notes: "Notes.")

  func perform() throws(Failure) -> ExitCode { .inconclusive }
}

private struct Counting: Command {
  static let grammar = Grammar(command: "kit report count", operands: "", summary: "", notes: "")

  func perform() throws(Failure) -> ExitCode { .divergence }
}

private struct Hidden: Command {
  static let name = "secret"
  static let isListed = false
  static let grammar = Grammar(command: "kit hidden", operands: "", summary: "", notes: "")

  mutating func take(_ arguments: Arguments) throws(Failure) { throw arguments.failure("never") }

  func perform() throws(Failure) -> ExitCode { .success }
}

@Suite struct ProgramTests {
  private let program = Program(
    Grammar(
      command: "kit", operands: "COMMAND", summary: "A program.",
      options: [.init(name: "version", letter: "V", summary: "The version.")], notes: "",
      stopsAtOperand: true),
    version: "1", commands: [Succeeding.self, Counting.self, Hidden.self])

  @Test func `a command ends the program with its exit code`() throws {
    #expect(try program.run(["succeed"]) == .inconclusive)
    #expect(try program.run(["report", "count"]) == .divergence)
  }

  @Test(arguments: [
    ([], "which command?\nTry 'kit --help'."),
    (["suceed"], "unknown command \"suceed\"; did you mean \"succeed\"?\nTry 'kit --help'."),
    (["count"], "unknown command \"count\"; did you mean \"report count\"?\nTry 'kit --help'."),
    (["secret"], "never\nTry 'kit hidden --help'."),
    (
      ["succeed", "--no"], "unknown option \"--no\"; expected --shade\nTry 'kit succeed --help'."
    ),
    (["report", "count", "--no"], "unknown option \"--no\"\nTry 'kit report count --help'."),
    (
      ["report", "count", "--shade"],
      "unknown option \"--shade\"; it belongs to another command: 'kit succeed --shade'\n"
        + "Try 'kit report count --help'."
    ),
    (
      ["--shade", "red", "succeed"],
      "unknown option \"--shade\"; it belongs to another command: 'kit succeed --shade'\n"
        + "Try 'kit --help'."
    ),
  ])
  func `what cannot be understood is a failure of usage`(words: [String], message: String) {
    let failure = #expect(throws: Failure.self) { try program.run(words) }
    #expect(failure?.description == message)
    #expect(failure?.exitCode == .usage)
  }

  @Test func `completions and the manual page name the listed commands`() {
    let completions = Completions(
      entries: program.listed.map { .init(name: $0.name, grammar: $0.usage) },
      general: program.grammar)
    let page = ManualPage(
      general: program.grammar, version: "1",
      commands: program.listed.map { ($0.name, $0.usage) })

    for shell in Completions.Shell.allCases {
      #expect(completions.text(for: shell).contains("succeed"))
      #expect(!completions.text(for: shell).contains("hidden"))
    }
    #expect(completions.text(for: .bash).contains("red green"))
    #expect(page.text.contains(".SS kit succeed [OPTION...]"))
  }

  /// What a page says of a command with two options.
  private static let songs = """
    ## kit sing

    ```
    kit sing [OPTION...] [SONG...]
    ```

    Sings \\*loud\\*.

    ```
    Example:
      kit sing a
    ```

    ### How

    #### `kit sing --solo`

    Alone.

    ### Options

    #### `kit sing --key=A|B` (`-k`)

    In this key.

    ```
    Examples:
      kit sing b
    ```

    """

  @Test func `the page about commands has a heading for each option`() {
    let grammar = Grammar(
      command: "kit sing", operands: "[SONG...]",
      summary: "Sings *loud*.\n\nExample:\n  kit sing a",
      options: [
        OptionDescription(name: "key", value: "A|B", letter: "k", summary: "In this\nkey."),
        OptionDescription(name: "solo", summary: "Alone."),
      ], notes: "Examples:\n  kit sing b", groups: [.init("How", "solo")])

    let text = CommandsPage(program.grammar, [grammar]).text

    #expect(text.contains("\n### `kit --help` (`-h`)\n\nPrint this help and exit.\n"))
    #expect(text.contains(Self.songs), "\(text)")
  }
}
