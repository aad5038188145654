import Foundation
import TestKit
import Testing

/// Completions and the manual page, as the programs take them that they are for.
@Suite struct ShellTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func written(_ words: [String], to name: String) throws -> String {
    let outcome = try Program.project.run(words)
    #expect(outcome.status == 0)
    try folder.write(outcome.output, to: name)
    return folder.url.appending(path: name).path
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Outcome {
    try Program(path: program).run(arguments)
  }

  @Test(arguments: [("bash", "/usr/bin/bash"), ("zsh", "/usr/bin/zsh"), ("fish", "/usr/bin/fish")])
  func `every shell can read its completions`(shell: String, program: String) throws {
    let file = try written(["completions", shell], to: "completions")

    #expect(try run(program, ["-n", file]) == Outcome(status: 0, output: "", messages: ""))
  }

  @Test(arguments: [
    ("kennel sm", "smoke"), ("kennel run --prof", "--profile"), ("kennel --vers", "--version"),
    ("kennel run --profile wild", "wilddog-1 wilddog-2"), ("kennel run --format j", "json"),
    ("kennel diff --format ma", "markdown"), ("kennel run --needs keep", "keep-synced"),
    ("kennel run writes/local-ec", "writes/local-echo"),
    ("kennel run --rule LIM-10", "LIM-10"),
    ("kennel explain LIM-10", "LIM-10"), ("kennel run --tag smo", "smoke"),
    ("kennel run --exclude writes/local-ec", "writes/local-echo"),
    ("kennel shrink --client no-ref", "no-refill"), ("kennel new adapter pyt", "python"),
  ])
  func `bash completes commands, options and their values`(line: String, words: String) throws {
    let file = try written(["completions", "bash"], to: "completions")
    let script = """
      export KENNEL_HOME='\(Program.project.directory.path)'
      kennel() { '\(Program.kennel.path)' "$@"; }
      source \(file)
      COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _kennel
      echo "${COMPREPLY[*]}"
      """

    #expect(try run("/usr/bin/bash", ["-c", script]).output == words + "\n")
  }

  @Test func `fish completes commands, options and their values`() throws {
    let file = try written(["completions", "fish"], to: "completions")
    let script = """
      source \(file)
      complete -C 'kennel smo' | string split -f1 \\t
      complete -C 'kennel run --prof' | string split -f1 \\t
      complete -C 'kennel run --format js' | string split -f1 \\t
      set -x KENNEL_HOME \(Program.project.directory.path)
      function kennel; \(Program.kennel.path) $argv; end
      complete -C 'kennel run --rule SRV-10' | string split -f1 \\t
      """

    #expect(
      try run("/usr/bin/fish", ["-c", script]).output == "smoke\n--profile\njson\nSRV-10\n")
  }

  @Test func `every command and option is in the completions and in the manual`() throws {
    let texts = try ["bash", "zsh", "fish"].map {
      try Program.project.run(["completions", $0]).output
    }
    let page = try Program.project.run(["man"]).output

    for command in ["run", "smoke", "known", "fmt", "diff", "badge", "man", "completions"] {
      #expect(texts.allSatisfy { $0.contains(command) })
      #expect(page.contains("\n.SS kennel \(command) "))
    }
    for option in ["fail\\-fast", "max\\-fail", "junit", "known", "jobs"] {
      #expect(page.contains("\n\\fB\\-\\-\(option)\\fR"))
    }
  }

  @Test func `groff has nothing to say about the manual page`() throws {
    let file = try written(["man"], to: "kennel.1")

    #expect(
      try run("/usr/bin/groff", ["-man", "-ww", "-z", "-Tutf8", file])
        == Outcome(status: 0, output: "", messages: ""))
    let text = try run("/usr/bin/groff", ["-man", "-Tascii", "-P-cbou", file]).output
    #expect(text.contains("kennel - test whether a realtime-sync client does what it should"))
    #expect(text.contains("kennel run 'limits/*' --tag smoke --rule LIM-7"))
  }

  @Test(arguments: [
    (["completions"], "completions needs a shell: bash, zsh, fish"),
    (
      ["completions", "fihs"],
      "unknown shell \"fihs\"; did you mean \"fish\"?; expected bash, zsh, fish"
    ),
    (["man", "run"], "man takes no \"run\""),
    (["complete", "tagz"], "unknown kind \"tagz\"; did you mean \"tags\"?"),
  ])
  func `what means nothing is refused`(words: [String], message: String) throws {
    #expect(
      try Program.project.run(words)
        == Outcome(
          status: 2, output: "",
          messages: "kennel: \(message)\nTry 'kennel \(words[0]) --help'.\n"))
  }
}
