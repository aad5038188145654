import AdapterProtocol
import Testing

/// What is said of a program that was started as an adapter, and has not introduced itself.
@Suite struct StartTests {
  private static let expected =
    "; expected an adapter, which reads lines of JSON and answers each; 'kennel new adapter python' writes one"

  static let faults: [(AdapterFault, lack: String?, String?)] = [
    (.ended("exit code 2"), nil, "p ended at once (exit code 2)" + expected),
    (
      .ended("exit code 2"), "there is no file a.py",
      "p ended at once (exit code 2): there is no file a.py" + expected
    ),
    (
      .unfinishedLine("usage", ending: "exit code 1"), nil,
      "p printed usage and ended (exit code 1)" + expected
    ),
    (
      .notJSON(line: "usage: p", reason: "because"), nil,
      "p printed usage: p; expected lines of JSON and nothing else (because)"
    ),
    (
      .silent(milliseconds: 10_000, hasWritten: false, unfinishedLine: nil),
      "it has no file to start",
      "p printed nothing for 10 s: it has no file to start" + expected
    ),
    (
      .silent(milliseconds: 10_000, hasWritten: false, unfinishedLine: nil), nil,
      "p printed nothing for 10 s" + expected
        + "; does it read line by line, and flush each line that it writes?"
    ),
    (.noHello, nil, nil), (.refused(code: "failed", message: "x"), nil, nil),
    (.silent(milliseconds: 1, hasWritten: true, unfinishedLine: nil), nil, nil),
  ]

  @Test(arguments: faults)
  func `what happened comes first`(fault: AdapterFault, lack: String?, message: String?) {
    #expect(fault.atStart(of: "p", lack: lack) == message)
  }

  @Test func `a part that the program lacks is expected in place of an adapter`() {
    #expect(
      AdapterFault.ended("exit code 1").atStart(
        of: "p", lack: "it finds no module a", remedy: "expected it beside the program")
        == "p ended at once (exit code 1): it finds no module a; expected it beside the program")
  }
}
