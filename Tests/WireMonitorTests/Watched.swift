import ClientInterface
import Document
import RunModel
import Testing
import Tree
import Wire

/// A monitor that is told a conversation in lines, and keeps what it finds.
struct Watched {
  var monitor: WireMonitor
  var now = Instant(milliseconds: 0)
  private(set) var findings: [WireFinding] = []

  init(_ dialect: Dialect = .firebase, seenBy observedSide: WireMonitor.ObservedSide = .client) {
    monitor = WireMonitor(dialect, seenBy: observedSide)
  }

  /// One whose connection stands and is greeted.
  static func helloReceived(
    _ dialect: Dialect = .firebase, seenBy observedSide: WireMonitor.ObservedSide = .client
  ) throws -> Watched {
    var watched = Watched(dialect, seenBy: observedSide)
    watched.monitor.opened()
    watched.sendHello()
    watched.monitor.interrupted()
    return watched
  }

  mutating func sendHello(version: String? = nil) {
    let hello = ServerMessage.Hello(
      timestamp: 0, version: version ?? monitor.dialect.version, host: "here", session: "session1")
    findings += monitor.received(.hello(hello), at: now)
  }

  /// Sends requests, each `NUMBER ACTION BODY`.
  mutating func send(_ lines: String...) throws {
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 2)
      let text = #"{"t":"d","d":{"r":\#(words[0]),"a":"\#(words[1])","b":\#(words[2])}}"#
      let message = try ClientMessage(json: try JSON(parsing: text))
      findings += monitor.sent(message, at: now)
    }
  }

  /// Receives what the server says of data: the `d` of the message.
  mutating func receiveOutput(_ bodies: String...) throws {
    for body in bodies {
      let message = try ServerMessage(json: try JSON(parsing: #"{"t":"d","d":\#(body)}"#))
      findings += monitor.received(message, at: now)
    }
  }

  mutating func answer(_ numbers: Int..., status: String = "ok") throws {
    for number in numbers { try receiveOutput(#"{"r":\#(number),"b":{"s":"\#(status)","d":""}}"#) }
  }

  mutating func end() { findings += monitor.ended(at: now) }

  mutating func wait(_ seconds: Int) { now = now + .seconds(seconds) }

  /// What was found since this was asked last.
  mutating func found() -> [String] {
    defer { findings = [] }
    return findings.map(\.sentence)
  }
}
