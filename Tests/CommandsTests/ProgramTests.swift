import Commands
import System
import Testing

private struct Succeeding: Command {
  static let grammar = Grammar(
    command: "kit succeed", operands: "", summary: "Succeeds. Always.",
    options: [.init(name: "profile", value: "PROFILE", summary: "A profile.")], notes: "Notes.")

  init(_ arguments: Arguments) throws(Failure) {}

  func perform() throws(Failure) -> ExitCode { .inconclusive }
}

private struct Hidden: Command {
  static let name = "secret"
  static let isListed = false
  static let grammar = Grammar(
    command: "kit hidden", operands: "", summary: "", options: [], notes: "")

  init(_ arguments: Arguments) throws(Failure) { throw arguments.failure("never") }

  func perform() throws(Failure) -> ExitCode { .success }
}

@Suite struct ProgramTests {
  private let program = Program(
    Grammar(
      command: "kit", operands: "COMMAND", summary: "A program.",
      options: [.init(name: "version", letter: "V", summary: "The version.")], notes: "",
      stopsAtOperand: true),
    version: "1", commands: [Succeeding.self, Hidden.self])

  @Test func `a command ends the program with its exit code`() throws {
    #expect(try program.run(["succeed"]) == .inconclusive)
  }

  @Test(arguments: [
    ([], "which command?\nTry 'kit --help'."),
    (["suceed"], "unknown command \"suceed\"; did you mean \"succeed\"?\nTry 'kit --help'."),
    (["secret"], "never\nTry 'kit hidden --help'."),
    (["succeed", "--no"], "unknown option \"--no\"\nTry 'kit succeed --help'."),
  ])
  func `what cannot be understood is a failure of usage`(words: [String], message: String) {
    let failure = #expect(throws: Failure.self) { try program.run(words) }
    #expect(failure?.description == message)
    #expect(failure?.exitCode == .usage)
  }

  @Test func `completions and the manual page name the listed commands`() {
    let completions = Completions(
      entries: program.listed.map { .init(name: $0.name, grammar: $0.grammar) },
      general: program.grammar)
    let page = ManualPage(
      general: program.grammar, version: "1",
      commands: program.listed.map { ($0.name, $0.grammar) })

    for shell in Completions.Shell.allCases {
      #expect(completions.text(for: shell).contains("succeed"))
      #expect(!completions.text(for: shell).contains("hidden"))
    }
    #expect(completions.text(for: .bash).contains("wilddog-1 wilddog-2 firebase"))
    #expect(page.text.contains(".SS kit succeed [OPTION...]"))
  }
}
