import RunModel
import Testing
import Wire

/// What the monitor says of frames.
@Suite struct FrameTests {
  private let full = String(repeating: "x", count: 16384)

  private func findings(_ frames: String..., by sender: WireError.Sender = .client) -> [String] {
    var watched = Watched()
    watched.monitor.opened()
    return frames.flatMap { watched.monitor.frame($0, by: sender, at: watched.now) }
      .map(\.sentence)
  }

  @Test func `short messages and those that are cut right are lawful`() {
    #expect(findings("{}", full, "2", full, "x", "{}") == [])
    for count in [1, 8191, 8192, 16384, 16385, 40000] {
      var watched = Watched()
      watched.monitor.opened()
      for text in [String(repeating: "é", count: count), String(repeating: "😀", count: count)] {
        for frame in Segments.frames(of: text) {
          #expect(watched.monitor.frame(frame, by: .client, at: watched.now) == [], "\(count)")
        }
      }
    }
  }

  @Test func `a long message is cut`() {
    #expect(
      findings(full + "x") == [
        "a message of 16385 UTF-16 units comes in one frame; cut it into 2 segments of at most 16384 "
          + "units, and send their number first (WIR-11)"
      ])
  }

  @Test func `a long segment is told`() {
    #expect(
      findings("2", full + "xx", full) == [
        "segment 1 of 2 has 16386 UTF-16 units; cut the message into segments of at most 16384 "
          + "(WIR-11)"
      ])
  }

  @Test(arguments: ["-1", "+2", "02", "00"])
  func `a number that is not written as one is told`(count: String) {
    #expect(
      findings(count) == [
        "the frame \"\(count)\" announces segments; expected their number as digits without a sign or "
          + "leading zeros (WIR-11)"
      ])
  }

  @Test func `more segments than needed are a note`() {
    #expect(
      findings("3", "a", "b", "c", "1", "{}") == [
        "note: a message of 3 UTF-16 units comes in 3 segments; 1 are enough (WIR-11)",
        "note: the number 1 is in front of one frame; a message that is not cut has no number in "
          + "front (WIR-11)",
      ])
  }

  @Test func `a keep-alive within a message is told`() {
    #expect(
      findings("3", full, "0", full)
        == [
          "a keep-alive comes as segment 2 of 3 and becomes part of the message; send it between "
            + "messages (WIR-16)",
          "note: a message of 32769 UTF-16 units comes in 3 segments; 3 are enough (WIR-11)",
        ].dropLast())
  }

  @Test func `keep-alives come after silence`() {
    var watched = Watched()
    watched.monitor.opened()
    _ = watched.monitor.frame("{}", by: .server, at: watched.now)
    watched.wait(45)
    #expect(watched.monitor.frame("0", by: .client, at: watched.now) == [])
    watched.wait(10)
    #expect(
      watched.monitor.frame("0", by: .client, at: watched.now).map(\.sentence) == [
        "note: a keep-alive comes after 10 s of silence; one is due after 45 s (WIR-16)"
      ])
    watched.wait(61)
    #expect(
      watched.monitor.frame("{}", by: .server, at: watched.now).map(\.sentence) == [
        "note: nothing was sent for 61 s; a client sends the keep-alive 0 after 45 s of silence "
          + "(WIR-16)"
      ])
  }

  @Test func `servers send no keep-alives`() {
    #expect(
      findings("0", by: .server) == [
        "the server sends the keep-alive 0; some clients wait for a message of 0 segments then "
          + "(WIR-16)"
      ])
  }

  @Test func `the two ways are told apart`() {
    var watched = Watched()
    watched.monitor.opened()
    _ = watched.monitor.frame("2", by: .client, at: watched.now)
    #expect(watched.monitor.frame("0", by: .server, at: watched.now).count == 1)
  }

  @Test func `a message that is not whole is told at the end`() {
    var watched = Watched()
    watched.monitor.opened()
    for frame in ["3", full] { _ = watched.monitor.frame(frame, by: .client, at: watched.now) }
    watched.end()
    #expect(
      watched.found() == [
        "note: the connection ended within a message, after 1 of 3 segments (WIR-11)"
      ])
  }

  @Test func `frames are text`() {
    #expect(
      Watched().monitor.binaryFrame(by: .client).map(\.sentence) == [
        "a frame is binary; messages are text, send them as text frames (WIR-11)"
      ])
  }

  @Test func `servers tell what comes before the hello, and a second connection`() {
    let monitor = Watched(seenBy: .server).monitor
    #expect(
      monitor.judgeEarly().map(\.sentence) == [
        "the client sends a message before the hello of the server; wait for it (CON-12)"
      ])
    #expect(
      monitor.judgeSecond(besides: 3).map(\.sentence) == [
        "note: the client connects while its connection 3 is open, and does not name that as its last "
          + "one; close one before opening another, or name its session (CON-11)"
      ])
  }

  @Test func `who connects states version and last session`() {
    let monitor = Watched().monitor
    #expect(monitor.judgeOpening(version: "5", session: nil, isKnown: false) == [])
    #expect(monitor.judgeOpening(version: "5", session: "session1", isKnown: true) == [])
    #expect(
      monitor.judgeOpening(version: nil, session: "x", isKnown: false).map(\.sentence) == [
        "the client states no version; connect with v=5 (WIR-15)",
        "note: the client names \"x\" as its last session, which this server has not given; use what "
          + "the last hello contained (WIR-19)",
      ])
    #expect(
      monitor.judgeOpening(version: "4", session: nil, isKnown: false).map(\.sentence) == [
        "the client states version \"4\"; connect with v=5 (WIR-15)"
      ])
  }
}
