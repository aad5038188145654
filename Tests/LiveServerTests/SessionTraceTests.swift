import ClientInterface
import Faults
import LiveServer
import Testing
import Trace
import Tree

@Suite struct SessionTraceTests {
  private let start = Instant(milliseconds: 1_480_000_000_000)

  /// What a session looks like, a line for each event: client, cause, kind.
  private func lines(_ trace: Trace) -> [String] {
    trace.events.map { event in
      let client = event.kind.client.map { "\($0.number)" } ?? "-"
      let cause = event.cause.map { "\($0)" } ?? "-"
      let kind = "\(event.kind)".prefix { $0 != "(" }
      return "\(client) \(cause) \(kind)"
    }
  }

  /// Two clients at a table, the second with a number of its own for each connection.
  private func trace(of table: Table) -> Trace {
    var session = SessionTrace(clients: ["alice", "bob"], start: start)
    for case let .record(record, connection) in table.effects {
      session.take(
        record, connection: connection, client: ClientIndex(min(connection, 2) - 1), at: table.now)
    }
    return session.trace
  }

  @Test func `a session is told with both sides of each message and its causes`() {
    var table = Table(LiveServerSettings(isRecorded: true))
    let alice = table.connect("ns=demo")
    table.say(
      #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"/a","h":""}}}"#, over: alice)
    let trace = trace(of: table)

    #expect(
      lines(trace) == [
        "0 - output", "0 0 serverOpened", "0 0 input", "0 1 serverSent", "0 3 input",
        "0 4 output", "0 5 serverReceived", "0 6 serverSent", "0 7 input",
      ])
  }

  @Test func `writes by REST and streams of events are in the trace`() {
    var table = Table(LiveServerSettings(isRecorded: true))
    table.begin(
      "GET", "/a.json?ns=demo", "", ["accept": "text/event-stream"], on: table.socket())
    _ = table.ask("PUT", "/a.json?ns=demo", "1")
    _ = table.ask("PATCH", "/a.json?ns=demo", #"{"b":2}"#)
    _ = table.ask("PUT", "/a.json?ns=demo", "1", ["if-match": "other"])
    let trace = trace(of: table)

    let writes = lines(trace).filter { $0.hasPrefix("- ") }
    #expect(writes == ["- - serverWrite", "- - serverUpdate"])
    let last = trace.events.last { if case .input = $0.kind { true } else { false } }
    let causes = last.map { trace.causes(of: $0.sequence) } ?? []
    #expect(causes.count == 3)
    #expect(causes.first?.kind.client == nil)
    let sent = trace.events.filter { if case .serverReceived = $0.kind { true } else { false } }
    #expect(sent.count == 1)
  }

  @Test func `a connection ends by its client, by the server, or gets lost`() {
    for (ending, last) in [
      (Effect.Ending.client, "0 2 output"), (.server, "0 1 serverClosed"),
      (.lost, "0 1 serverClosed"),
    ] {
      var session = SessionTrace(clients: ["alice"], start: start)
      let opening = Effect.Opening(dialect: "firebase", namespace: "demo")
      for record in [Effect.Record.opened(opening), .closed(ending)] {
        session.take(record, connection: 1, client: ClientIndex(0), at: start)
      }
      #expect(lines(session.trace)[3] == last)
      let isClosed = session.trace.events.last?.kind == .input(ClientIndex(0), .closed)
      #expect(isClosed == (ending != .client))
    }
  }

  @Test func `what somebody knows of the application is a cause too`() {
    var session = SessionTrace(clients: ["alice"], start: start)
    let alice = ClientIndex(0)
    session.step(0, "alice.set: {path: a, value: 1, as: w}", at: start)
    session.call(alice, "w", .set(Path("a"), .empty), at: start)
    session.output(alice, .completed("w", .ok), at: Instant(milliseconds: 1_480_000_000_005))
    session.fault(.cut(alice), at: start)
    session.take(.fault(.revoke("a")), connection: 1, client: nil, at: start)

    #expect(
      lines(session.trace) == [
        "- - step", "0 - input", "0 1 output", "0 - fault", "- - fault",
      ])
    #expect(session.trace.events.map(\.time.milliseconds) == [0, 0, 5, 5, 5])
    #expect(session.trace.events.allSatisfy { $0.step == 0 })
  }

  @Test func `a message that the protocol does not have is a remark`() {
    var session = SessionTrace(clients: [], start: start, retention: .hashOnly)
    let names = [session.addClient("alice"), session.addClient("alice")]
    session.take(.sent("{"), connection: 1, client: names[0], at: start)
    session.take(.received("{"), connection: 1, client: names[0], at: start)
    session.take(.received(#"{"t":"?"}"#), connection: 1, client: names[0], at: start)

    #expect(session.clients == ["alice", "alice-2"])
    let events = session.fresh()
    #expect(events.count == 3)
    #expect(session.fresh().isEmpty)
    #expect(session.trace.events.isEmpty)
    let remark = ClientOutput.log("sent what the protocol does not have: {")
    #expect(events[0].kind == .output(names[0], remark))
  }
}
