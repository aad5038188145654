import System
import Testing

@Suite struct FailureTests {
  @Test(arguments: [
    (Failure.usage("no", command: "kennel run"), "no\nTry 'kennel run --help'.", ExitCode.usage),
    (.unusable("no"), "no", .usage),
    (.output(path: "a", reason: "full"), "cannot write a: full", .usage),
    (.results(path: "a", reason: "full"), "cannot write a: full", .notStarted),
    (.unsaved("no"), "no", .notStarted),
    (.notStarted("no"), "no", .notStarted),
    (.closed, "the results are not read any more", .closed),
    (.fault("no"), "no", .fault),
  ])
  func `each failure has its text and its exit code`(
    failure: Failure, text: String, code: ExitCode
  ) {
    #expect(failure.description == text)
    #expect(failure.exitCode == code)
  }

  @Test func `a signal ends a run with 128 and its number`() {
    #expect(ExitCode(signal: 2) == .interrupted)
    #expect(ExitCode(signal: 2).rawValue == 130)
    #expect(Interrupt.name(of: 15) == "SIGTERM")
  }

  @Test func `the time of day is in the form that reports have`() {
    #expect(Calendar.now.count == 19)
    #expect(Measurement.now > 0)
  }
}
