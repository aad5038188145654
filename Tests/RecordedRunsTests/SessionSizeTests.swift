import Testing

@testable import Runs

@Suite struct SessionSizeTests {
  @Test func `a session that is too long can be written in parts`() {
    #expect(SessionScenario.problem(ofBytes: 64 << 20) == nil)
    #expect(
      SessionScenario.problem(ofBytes: 70_000_000)
        == "the scenario of this session has 70000000 bytes, and a file at most 67108864: select a part"
        + " of the session with --from, --until, --client or --path, or what matters with --shrink")
  }
}
