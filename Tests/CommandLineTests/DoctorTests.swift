import Foundation
import TestKit
import Testing

/// What `kennel doctor` says of adapters.
@Suite struct DoctorTests {
  @Test func `the reference client behind an adapter is in good health`() throws {
    let outcome = try kennel.run(["doctor", "--", kennel.path, "adapter"])

    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(
        """
        ok    it starts and introduces itself               reference 0.1.0, 20 of 20 capabilities
        ok    it answers not-supported to an unknown verb   the verb "xjabmrqxil"
        ok    it answers not-supported to an unknown call   the op "xatsrdrzrc"
        ok    it ignores members that it does not know
        ok    it ends on bye
        ok    it ends when its input ends
        ok    a write is sent and completes
        ok    several clients share a process
        ok    a write waits for a connection that broke
        ok    a client that was killed starts again
        ok    text of every alphabet comes through
        ok    a line of a million bytes comes through
        ok    the same run goes the same way again          
        """), "\(outcome.output)")
    #expect(outcome.output.hasSuffix("\n\n33 passed, 0 failed, 0 skipped\n"), "\(outcome.output)")
  }

  @Test func `what is missing is said in plain words, with what is not declared`() throws {
    let outcome = try kennel.run(
      ["doctor", "--"] + ["python3", "-S", "Tests/CommandLineTests/Adapters/wrong.py", "right"])

    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        """
        FAIL  it answers not-supported to an unknown verb
                it answered the verb "xjabmrqxil" with nothing but idle; expected an error with the code
                "not-supported" and then idle, so that a later version can add verbs

        """), "\(outcome.output)")
    #expect(
      outcome.output.contains(
        """
        not declared: listen.value, listen.child, listen.query, once, update, priority, push, transaction,
        on-disconnect,
        """.dropLast(16)), "\(outcome.output)")
    #expect(outcome.output.contains(" scenarios of firebase can judge it\n"))
  }

  @Test func `a client that depends on a clock is found to go another way`() throws {
    let outcome = try kennel.run([
      "doctor", "--", kennel.path, "adapter", "--client", "clock-reader",
    ])

    #expect(outcome.output.contains("FAIL  the same run goes the same way again\n"))
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("; all time and randomness must come from the kit, and nothing may "))
  }

  @Test func `another seed asks for other names`() throws {
    let outcome = try kennel.run(["doctor", "--seed", "1", "--", kennel.path, "adapter"])

    #expect(!outcome.output.contains("xjabmrqxil"))
  }

  @Test func `round trips are measured`() throws {
    let outcome = try kennel.run(["doctor", "--speed", "--", kennel.path, "adapter"])

    #expect(outcome.output.contains(#/round trips  \d+ a second/#))
  }

  @Test(arguments: [
    ([], "doctor needs the COMMAND of an adapter after --"),
    (["x.py"], "doctor takes no \"x.py\"; the COMMAND comes after --"),
  ])
  func `a doctor without an adapter says what it needs`(words: [String], message: String) throws {
    let outcome = try kennel.run(["doctor"] + words)

    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("kennel: \(message)\n"))
  }

  private var kennel: Program {
    .project
  }
}
