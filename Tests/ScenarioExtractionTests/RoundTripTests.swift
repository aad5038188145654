import Recordings
import Testing

/// Scenarios are run, told again from what was recorded, and run again.
@Suite struct RoundTripTests {
  @Test func `what a trace tells passes, with the same messages`() throws {
    let figures = try Library.figures { Sessions.session(of: $0) }
    #expect(figures.count >= 60)
    #expect(figures.passed * 100 >= figures.count * 93, "\(figures.text)")
    #expect(figures.same * 100 >= figures.requests * 99, "\(figures.text)")
  }

  @Test func `what recordings tell with the calls passes, with the same messages`() throws {
    let figures = try Library.figures {
      try ObservedSession(Sessions.recordings(of: $0, knowsCalls: true))
    }
    #expect(figures.passed * 100 >= figures.count * 85, "\(figures.text)")
    #expect(figures.same * 100 >= figures.requests * 97, "\(figures.text)")
  }

  @Test func `what recordings tell without the calls passes, with the same messages`() throws {
    let figures = try Library.figures {
      try ObservedSession(Sessions.recordings(of: $0, knowsCalls: false))
    }
    #expect(figures.passed == figures.count, "\(figures.text)")
    #expect(figures.same * 100 >= figures.requests * 95, "\(figures.text)")
  }
}
