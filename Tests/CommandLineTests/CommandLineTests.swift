import Foundation
import TestKit
import Testing

@Suite struct CommandLineTests {
  @Test func `the version is one line`() throws {
    let expected = Outcome(status: 0, output: "kennel 0.1.0\n", messages: "")

    #expect(try Program.kennel.run(["--version"]) == expected)
    var built = Program.kennel
    built.environment["KENNEL_BUILD"] = "1a2b3c4, 2026-01-31"
    #expect(try built.run(["--version"]).output == "kennel 0.1.0 (1a2b3c4, 2026-01-31)\n")
    #expect(try Program.kennel.run(["-V"]) == expected)
  }

  @Test func `the help names every command and exit code`() throws {
    let outcome = try Program.kennel.run(["--help"])

    #expect(outcome.status == 0)
    #expect(outcome.messages == "")
    #expect(outcome.output.hasPrefix("Usage: kennel [OPTION...] COMMAND [ARGUMENT...]\n\nChecks "))
    for command in [
      "run", "explore", "list", "check", "explain", "bench", "sync-point", "coverage", "replay",
    ] {
      #expect(outcome.output.contains("\n  \(command) "))
    }
    for code in [0, 1, 2, 3, 4, 70] { #expect(outcome.output.contains("\n  \(code) ")) }
  }

  @Test(arguments: [
    ("run", "[OPTION...] [PATH|ID|PATTERN...] [-- COMMAND [ARGUMENT...]]"),
    ("list", "[OPTION...] [PATH|ID|PATTERN...]"),
    ("check", "[OPTION...] PATH..."), ("explain", "[OPTION...] RULE|INVARIANT|ID|WORD..."),
    ("bench", "[OPTION...] [FIGURE...]"),
    ("explore", "[OPTION...] PATH|ID... [-- COMMAND [ARGUMENT...]]"),
    ("sync-point", "[OPTION...] FILE..."),
    ("coverage", "[OPTION...] [PATH|ID...]"),
    ("replay", "[OPTION...] FILE... [-- COMMAND [ARGUMENT...]]"),
  ])
  func `every command has a help with usage, examples and exit codes`(
    command: String, usage: String
  ) throws {
    let outcome = try Program.kennel.run([command, "--help"])

    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Usage: kennel \(command) \(usage)\n\n"))
    #expect(outcome.output.contains("\nExamples:\n  kennel \(command)"))
    #expect(outcome.output.contains("\nExit codes:\n"))
    #expect(!outcome.output.split(separator: "\n").contains { $0.count > 80 })
  }

  @Test func `without a command the help is named`() throws {
    #expect(
      try Program.kennel.run([]).messages
        == "kennel: which command?\nTry 'kennel --help'.\n")
  }

  @Test func `help and version are commands too`() throws {
    let kennel = Program.kennel

    #expect(try kennel.run(["help"]) == kennel.run(["--help"]))
    #expect(try kennel.run(["help", "run"]) == kennel.run(["run", "--help"]))
    #expect(try kennel.run(["version"]) == kennel.run(["--version"]))
    #expect(try kennel.run(["help", "rnu"]).messages.contains("did you mean \"run\"?"))
  }

  @Test func `colours can be asked for`() throws {
    let words = ["run", "limits/refill-after-own-removal", "--client", "no-refill", "--color"]

    #expect(try Program.project.run(words + ["always"]).output.contains("\u{1B}[31mFAIL"))
    #expect(!(try Program.project.run(words + ["never"])).output.contains("\u{1B}"))
    #expect(
      try Program.project.run(words + ["on"]).messages.contains(
        "unknown value \"on\" for --color; expected always, never or auto"))
  }

  @Test func `files of other programs are left out of a check, and named`() throws {
    let folder = try Folder()
    try folder.write("{\"name\": \"x\"}\n", to: "package.json")
    try folder.write("kennel: 1\ntitel: T\n", to: "bad.yaml")

    let outcome = try Program.project.run(["check", folder.url.path])

    #expect(outcome.status == 2)
    #expect(outcome.output.contains("bad.yaml:2:1: unknown key \"titel\""))
    #expect(!outcome.output.contains("package.json:"))
    #expect(outcome.output.contains("; 1 file of other kinds left out: "), "\(outcome.output)")
  }

  @Test func `who reads only the beginning gets no message`() throws {
    let words = "'\(Program.project.path)' list | head -n 1; echo ${PIPESTATUS[0]}"
    let bash = Process()
    let (output, errors) = (Pipe(), Pipe())
    bash.executableURL = URL(filePath: "/bin/bash")
    bash.arguments = ["-c", words]
    bash.currentDirectoryURL = Program.project.directory
    (bash.standardOutput, bash.standardError) = (output, errors)
    try bash.run()
    bash.waitUntilExit()

    #expect(
      String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasSuffix(
        "\n141\n"))
    #expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }

  @Test func `problems can be written for editors and for workflows`() throws {
    let folder = try Folder()
    try folder.write("kennel: 1\ntitel: T\n", to: "bad.yaml")
    let file = folder.url.appending(path: "bad.yaml").path
    let json = try Program.project.run(["check", "--format", "json", file])
    let github = try Program.project.run(["check", "--format", "github", file])

    #expect(json.status == 2)
    #expect(json.output.hasPrefix(#"{"file":""#))
    #expect(json.output.contains(#"bad.yaml","line":2,"column":1,"message":"unknown key "#))
    #expect(json.output.split(separator: "\n").allSatisfy { $0.hasSuffix("}") })
    #expect(github.output.hasPrefix("::error file="))
    #expect(github.output.contains("bad.yaml,line=2,col=1,title=kennel check::unknown key "))
  }

  @Test(arguments: [
    (["rnu"], "unknown command \"rnu\"; did you mean \"run\"?"),
    (["install"], "unknown command \"install\""),
    (["--versoin"], "unknown option \"--versoin\"; did you mean \"--version\"?"),
    (["-x"], "unknown option \"-x\""),
  ])
  func `a command line that means nothing is refused`(words: [String], message: String) throws {
    #expect(
      try Program.kennel.run(words)
        == Outcome(
          status: 2, output: "", messages: "kennel: \(message)\nTry 'kennel --help'.\n"))
  }

  @Test(arguments: [
    (["run", "--sed", "1"], "unknown option \"--sed\"; did you mean \"--seed\"?"),
    (["run", "--seed"], "option --seed needs a value: --seed N"),
    (
      ["run", "--seed=-1"], "--seed needs a whole number from 0 to 18446744073709551615, not \"-1\""
    ),
    (["run", "a", "--al=x"], "option --all takes no value"),
    (["run", "--format", "jsn"], "unknown value \"jsn\" for --format; did you mean \"json\"?"),
    (
      ["run", "--profile", "wilddog1"],
      "unknown value \"wilddog1\" for --profile; did you mean \"wilddog-1\" or \"wilddog-2\"?"
    ),
    (["list", "--format=xml"], "unknown value \"xml\" for --format; expected text or json"),
    (["check"], "check needs the path of a file or directory"),
    (["sync-point"], "sync-point needs a file of cases"),
    (
      ["coverage", "--format", "html"],
      "unknown value \"html\" for --format; expected text, markdown or json"
    ),
    (
      ["run", "--profile", "x"],
      "unknown value \"x\" for --profile; expected wilddog-1, wilddog-2 or firebase"
    ),
    (["explain"], "explain needs a rule or scenario id, such as EVT-7"),
    (["replay"], "replay needs the path of a trace, a recording or a directory of them"),
    (["explore"], "explore needs a scenario"),
    (["explore", "a", "--max=0"], "--max needs a whole number above 0, not \"0\""),
    (
      ["explore", "a", "--strategy", "pso"],
      "unknown value \"pso\" for --strategy; did you mean \"pos\"?"
    ),
    (
      ["explore", "a", "--order", "1,2"],
      "--order needs numbers with points between them, not \"1,2\""
    ),
    (["bench", "kernal"], "there is no figure \"kernal\"; did you mean \"kernel\"?"),
    (["bench", "fast"], "there is no figure \"fast\""),
  ])
  func `options and operands that mean nothing are refused`(
    words: [String], message: String
  ) throws {
    let help = "Try 'kennel \(words[0]) --help'.\n"

    #expect(
      try Program.kennel.run(words)
        == Outcome(status: 2, output: "", messages: "kennel: \(message)\n\(help)"))
  }
}
