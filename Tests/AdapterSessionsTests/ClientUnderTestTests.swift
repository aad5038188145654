import AdapterSessions
import Testing

@Suite struct ClientUnderTestTests {
  @Test func `a client of the kit is known by its name`() throws {
    #expect(try ClientUnderTest(named: nil).adapter == nil)
    #expect(try ClientUnderTest(named: "reference").serverDefect == nil)
  }

  @Test func `a name that nobody has is refused with the nearest one`() {
    #expect {
      _ = try ClientUnderTest(named: "referense")
    } throws: { "\($0)" == "there is no client \"referense\"; did you mean reference?" }
  }

  @Test func `the command is the subject in files`() {
    var options = AdapterOptions(command: ["python3", "my adapter.py"]) { _ in }
    options.hasOwnTimeout = true
    options.timeout = 1500
    options.isChecked = true

    #expect(options.subject == "-- python3 'my adapter.py'")
    #expect(options.words == ["--timeout", "1.5", "--validate", "--", "python3", "my adapter.py"])
  }
}
