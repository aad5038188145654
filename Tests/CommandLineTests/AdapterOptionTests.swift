import Foundation
import TestKit
import Testing

/// What the command line says about adapters and cannot mean.
@Suite struct AdapterOptionTests {
  @Test func `a program that does not exist is named`() throws {
    let outcome = try kennel.run(["run", "writes/local-echo", "--", "./no-such-adapter"])

    #expect(outcome.status == 4)
    #expect(
      outcome.messages == "kennel: cannot start ./no-such-adapter: No such file or directory\n")
  }

  @Test(arguments: [
    (["--"], "there is no COMMAND after --"),
    (["--client", "no-refill", "--", "x"], "--client does not go together with a COMMAND"),
    (["--timeout", "1"], "--timeout needs a COMMAND after --"),
    (
      ["--timeout", "0", "--", "x"],
      "--timeout needs a number of seconds from 0.1 to 3600, not \"0\""
    ),
  ])
  func `options that make no sense with an adapter, or without one, are refused`(
    words: [String], message: String
  ) throws {
    let outcome = try kennel.run(["run", "writes/local-echo"] + words)

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: \(message)\n"), "\(outcome.messages)")
  }

  @Test(arguments: [
    (["--sockets"], "--sockets needs --client sdk, the client that has sockets"),
    (
      ["--client", "sdk", "--keep", "folder"],
      "--keep needs --sockets; other clients have their files from the kit"
    ),
    (
      ["--client", "sdk", "--sockets", "--no-reset"], "--no-reset is for clients without --sockets"
    ),
  ])
  func `sockets and files are for the client that has them`(
    words: [String], message: String
  ) throws {
    let outcome = try kennel.run(["adapter"] + words)

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: \(message)\n"), "\(outcome.messages)")
  }

  private var kennel: Program {
    .project
  }
}
