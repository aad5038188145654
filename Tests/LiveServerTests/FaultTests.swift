import ClientInterface
import Document
import LiveServer
import ReferenceServer
import Testing
import Tree

/// What goes wrong on WebSockets, in time that is played.
@Suite struct FaultTests {
  /// A server behind bad lines, with one client.
  private struct Bad {
    var server: DisturbedServer
    var effects: [Effect] = []
    var now = Instant(milliseconds: 1_480_000_000_000)
    let alice = Socket(1)

    init(_ plan: String) throws {
      server = DisturbedServer(
        LiveServer(), plan: try FaultPlan(json: try JSON(parsing: plan)))
      server.start(at: now)
    }

    mutating func connect(_ socket: Socket = Socket(1)) {
      let request = HTTPRequest("GET", "/.ws", [.init("ns", "default")])
      _ = server.server.refusal(ofSocketFor: request)
      server.open(socket, for: request, at: now, into: &effects)
    }

    mutating func say(_ frame: String, _ socket: Socket = Socket(1)) {
      server.receive(frame, from: socket, at: now, into: &effects)
    }

    mutating func put(_ number: Int) {
      say(#"{"t":"d","d":{"r":\#(number),"a":"p","b":{"p":"/a","d":\#(number)}}}"#)
    }

    mutating func wait(_ milliseconds: Int) {
      now = now + .milliseconds(milliseconds)
      server.arriveDue(at: now, into: &effects)
    }

    /// The numbers of the requests that were answered, 0 for the hello, -1 for the end.
    mutating func heard() -> [Int] {
      defer { effects = [] }
      return effects.compactMap { effect in
        switch effect {
        case let .send(_, text): ((try? JSON(parsing: text))?["d"]?["r"]?.integer) ?? 0
        case .close: -1
        default: nil
        }
      }
    }

    var tree: String { server.server.server(of: "default")?.tree.json.text ?? "" }
  }

  private static let ping = #"{"t":"c","d":{"t":"p","d":{}}}"#

  @Test func `without faults nothing waits`() throws {
    var bad = try Bad("[]")
    bad.connect()
    bad.put(1)

    #expect(bad.heard() == [0, 1])
    #expect(bad.server.nextDue == nil)
  }

  @Test func `latency delays both ways, and keeps the order`() throws {
    var bad = try Bad(#"[{"fault":"latency","from":20,"to":80}]"#)
    bad.connect()
    #expect(bad.heard() == [])
    bad.wait(80)
    #expect(bad.heard() == [0])
    for number in 1...20 { bad.put(number) }
    #expect(bad.heard() == [])
    #expect(bad.tree == "null")

    var heard: [Int] = []
    for _ in 0..<160 {
      bad.wait(1)
      heard += bad.heard()
    }

    #expect(heard == Array(1...20))
  }

  @Test func `a line is cut after so many frames, on as many lines as the plan says`() throws {
    var bad = try Bad(#"[{"fault":"cut","after":2,"times":1}]"#)
    bad.connect()
    bad.say("0")
    for number in 1...3 { bad.put(number) }
    #expect(bad.heard() == [0, 1, 2, -1])
    #expect(bad.tree == #"{"a":3}"#)

    bad.server.closed(bad.alice, at: bad.now, into: &bad.effects)
    bad.connect(Socket(2))
    for _ in 0..<5 { bad.say(Self.ping, Socket(2)) }

    #expect(bad.heard() == [0, 0, 0, 0, 0, 0])
  }

  @Test func `an answer is lost, and what it answers is done`() throws {
    var bad = try Bad(#"[{"fault":"lose-answer","after":2}]"#)
    bad.connect()
    for number in 1...2 { bad.put(number) }

    #expect(bad.heard() == [0, 1, -1])
    #expect(bad.tree == #"{"a":2}"#)
  }

  @Test func `of a half-open line neither end hears anything`() throws {
    var bad = try Bad(#"[{"fault":"half-open","after":2}]"#)
    bad.connect()
    for number in 1...3 { bad.put(number) }

    #expect(bad.heard() == [0, 1])
    #expect(bad.server.server.connectionCount == 1)
    #expect(bad.tree == #"{"a":2}"#)
  }

  @Test func `what the server sends waits while it stalls`() throws {
    var bad = try Bad(#"[{"fault":"stall","after":2,"for":500}]"#)
    bad.connect()
    for number in 1...3 { bad.put(number) }
    #expect(bad.heard() == [0, 1])
    bad.wait(499)
    #expect(bad.heard() == [])
    bad.wait(1)

    #expect(bad.heard() == [2, 3])
  }

  @Test func `nobody connects while connections are refused`() throws {
    let bad = try Bad(#"[{"fault":"refuse","from":100,"for":50}]"#)

    #expect(!bad.server.refuses(at: bad.now))
    #expect(bad.server.refuses(at: bad.now + .milliseconds(100)))
    #expect(!bad.server.refuses(at: bad.now + .milliseconds(150)))
  }

  @Test func `the server learns late of an end, and does then what was left for it`() throws {
    var bad = try Bad(#"[{"fault":"late-end","for":300}]"#)
    bad.connect()
    bad.say(#"{"t":"d","d":{"r":1,"a":"o","b":{"p":"/gone","d":true}}}"#)
    bad.server.closed(bad.alice, at: bad.now, into: &bad.effects)
    bad.wait(299)
    #expect(bad.tree == "null")
    bad.wait(1)

    #expect(bad.tree == #"{"gone":true}"#)
    #expect(bad.server.server.connectionCount == 0)
  }

  @Test(arguments: [
    ("1", "the plan is a number, expected a list of faults"),
    (
      #"[{"fault":"cut","after":1},{"fault":"x"}]"#,
      #"fault 2: "fault" is "x", expected one of latency, cut, lose-answer, half-open, stall, refuse,"#
        + " late-end"
    ),
    (#"[{"fault":"cut","after":1,"for":2}]"#, #"fault 1: cut has no "for"; it has after"#),
    (#"[{"fault":"cut"}]"#, #"fault 1: "after" is missing, expected a number above 0"#),
    (
      #"[{"fault":"late-end","for":-1}]"#,
      #"fault 1: "for" is -1, expected milliseconds, up to an hour"#
    ),
    (#"[{"fault":"latency","from":2,"to":1}]"#, #"fault 1: "from" is more than "to""#),
  ])
  func `a plan that means nothing is refused`(plan: String, reason: String) throws {
    let json = try JSON(parsing: plan)

    #expect { try FaultPlan(json: json) } throws: { "\($0)" == reason }
  }
}
