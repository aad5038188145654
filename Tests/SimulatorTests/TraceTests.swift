import ClientInterface
import Faults
import Testing
import Trace
import Tree
import Wire

@Suite struct TraceTests {
  private let names = ["alice", "bob"]

  private func event(
    _ kind: TraceEvent.Kind, at time: Interval = .zero, step: Int = 0
  )
    -> TraceEvent
  {
    TraceEvent(sequence: 0, cause: nil, time: time, step: step, kind: kind)
  }

  @Test(arguments: [
    (TraceEvent.Kind.step("alice.set"), "step 0", "alice.set"),
    (.input(alice, .open(.init())), "alice", "starts"),
    (.output(alice, .send(.ping)), "alice -> server", "ping"),
    (.serverReceived(bob, .ping), "server <- bob", "ping"),
    (.serverSent(bob, .pong), "server -> bob", "pong"),
    (.input(bob, .frame(.pong)), "bob <- server", "pong"),
    (.lostToServer(alice, .ping), "alice -> server", "lost: ping"),
    (.lostToClient(alice, .pong), "server -> alice", "lost: pong"),
    (.serverOpened(alice, session: "s1"), "server <- alice", "connection opened   session s1"),
    (.serverClosed(alice, session: "s1"), "server <- alice", "connection closed   session s1"),
    (.fault(.fault(.cut(alice))), "network (alice)", "cut"),
    (.fault(.fault(.reject(SecurityRule("a", deny: [.read])))), "server", "deny read at /a"),
    (.serverWrite("a", Node(1)), "server", "set /a 1"),
    (.serverWrite("a", .empty), "server", "remove /a"),
    (.serverUpdate("a", [Assignment("b/c", Node(1))]), "server", "update /a {\"b/c\":1}"),
  ])
  func `every kind of event has its route and its text`(
    kind: TraceEvent.Kind, route: String, text: String
  ) {
    #expect(event(kind).route(names: names) == route)
    #expect(event(kind).text == text)
    #expect(event(kind).line(names: names) == "0 ms  \(route)  \(text)")
  }

  @Test(arguments: [
    (
      Request.listen(.init(path: "a", query: Query(limit: .last(2)), tag: 3)),
      "listen /a limitToLast(2)   tag 3   request 7"
    ),
    (.listen(.init(path: "a", hash: "abc")), "listen /a   request 7"),
    (.unlisten("a", query: nil, tag: nil), "unlisten /a   request 7"),
    (.put("a", Node(1), hash: nil), "put /a 1   request 7"),
    (.put("a", Node(1), hash: ""), "put /a 1   if empty   request 7"),
    (.put("a", Node(1), hash: "abcdefghij="), "put /a 1   if abcdef   request 7"),
    (.merge("a", [.init("b", .empty)], hash: nil), "merge /a {\"b\":null}   request 7"),
    (.onDisconnectPut("a", .empty), "on-disconnect-put /a null   request 7"),
    (.onDisconnectMerge("a", []), "on-disconnect-merge /a {}   request 7"),
    (.onDisconnectCancel("a"), "on-disconnect-cancel /a   request 7"),
    (.get("a", .all), "get /a   request 7"),
    (.stats([.init("sdk.js", 1)]), "stats {\"sdk.js\":1}   request 7"),
    (.authenticate(.init("secret")), "auth   request 7"),
    (.unauthenticate, "unauth   request 7"),
  ])
  func `every request has its words`(request: Request, text: String) {
    #expect(ClientMessage.request(7, request).summary == text)
  }

  @Test(arguments: [
    (
      ServerMessage.hello(.init(timestamp: 1, version: "5", host: "h", session: "s1")),
      "hello   session s1"
    ),
    (.response(.init(to: 4)), "answer ok   request 4"),
    (.response(.init(to: 4, payload: "late")), "answer ok \"late\"   request 4"),
    (.put("a", Node(1), tag: nil), "data /a 1"),
    (.put("a", Node(1), tag: 2), "data /a 1   tag 2"),
    (.merge("a", [.init("b", Node(1))], tag: nil), "merge /a {\"b\":1}"),
    (.revoked("a", queries: nil), "revoke /a"),
    (.revoked("a", queries: [Query(limit: .first(1))]), "revoke /a limitToFirst(1)"),
    (.credentialRevoked(status: "expired", reason: "x"), "revoke the credential expired"),
    (.shutdown("over"), "shutdown: over"),
    (.reset(host: "other"), "reset to other"),
    (.notice("a\nb"), "notice: a\\u{a}b"),
    (.other(["t": "x"]), "message {\"t\":\"x\"}"),
  ])
  func `every message of the server has its words`(message: ServerMessage, text: String) {
    #expect(message.summary == text)
  }

  @Test(arguments: [
    (
      Operation.listen("feed", .init("a"), [.value, .childAdded]),
      "listen /a   child_added, value   as feed"
    ),
    (.listen("feed", .init("a"), Set(EventType.allCases)), "listen /a   all events   as feed"),
    (
      .once("o", .init("a", Query(limit: .first(1))), .value),
      "once /a limitToFirst(1)   value   as o"
    ),
    (.unlisten("feed"), "unlisten feed"),
    (.unlistenAll(.init("a")), "unlisten-all /a   as w"),
    (.set("a", Node(1)), "set /a 1   as w"),
    (.remove("a"), "remove /a   as w"),
    (.setPriority("a", .null), "set-priority /a null   as w"),
    (.update("a", [.init("b", Node(1))]), "update /a {\"b\":1}   as w"),
    (.push("a", nil), "push /a   as w"),
    (.push("a", Node(1)), "push /a 1   as w"),
    (
      .transaction("a", .increment(1), localEvents: .hidden),
      "transaction /a {\"increment\":1}   without local events   as w"
    ),
    (.onDisconnectRemove("a"), "on-disconnect-remove /a   as w"),
    (.goOnline, "go-online   as w"),
  ])
  func `every call has its words`(operation: Operation, text: String) {
    #expect(event(.input(alice, .call("w", operation))).text == text)
  }

  @Test(arguments: [
    (ClientOutput.connect, "asks for a connection"),
    (.disconnect, "disconnects"),
    (.setTimer(3, after: .milliseconds(1500), .backOff), "sets timer 3 to 1.5 s   back-off"),
    (.setTimer(3, after: .milliseconds(20), .other), "sets timer 3 to 20 ms"),
    (.cancelTimer(3), "cancels timer 3"),
    (
      .event(Event(.childAdded, to: "feed", key: "b", previous: .key("a"), value: Node(2))),
      "raised child_added b = 2, after a   on feed"
    ),
    (
      .event(Event(.childMoved, to: "feed", key: "b", previous: .first, value: Node(2))),
      "raised child_moved b = 2, after (first)   on feed"
    ),
    (
      .event(Event(.childRemoved, to: "feed", key: "b", value: Node(2))),
      "raised child_removed b = 2   on feed"
    ),
    (.event(Event(.value, to: "L1", key: "a", value: .empty)), "raised value null   on L1"),
    (.cancelled("feed", "permission_denied"), "cancelled feed: permission_denied"),
    (.completed("w", .ok), "completed w: ok"),
    (.completed("w", Completion(error: "set")), "completed w: set"),
    (.completed("t", Completion(committed: true, value: Node(5))), "completed t: committed 5"),
    (.completed("t", Completion(committed: false)), "completed t: not committed null"),
    (.answered("p", "-Kabc"), "answered p: \"-Kabc\""),
    (.threw("w", "invalid_path"), "refused w: invalid_path"),
    (.updateRan("t", input: .null), "ran the function of t with null"),
    (.log("a"), "log: a"),
  ])
  func `everything that a client does has its words`(output: ClientOutput, text: String) {
    #expect(event(.output(alice, output)).text == text)
  }

  @Test(arguments: [
    (ClientInput.opened, "connection opened"), (.refused, "connection refused"),
    (.closed, "connection lost"), (.timer(2), "timer 2 is due"), (.close, "ends"),
  ])
  func `everything that happens to a client has its words`(input: ClientInput, text: String) {
    #expect(event(.input(alice, input)).text == text)
  }

  @Test func `long values and locations are cut in the middle and lines stay within 100 columns`() {
    let value = Node(json: .array((0..<100).map { .number(Double($0)) }))
    let long = Path(String(repeating: "abcdefgh/", count: 30))
    let lines = [
      event(.output(alice, .send(.request(12, .put("room/b", value, hash: nil))))),
      event(.output(alice, .send(.request(12, .put(long, Node(2), hash: nil))))),
    ].map { $0.line(names: names) }

    #expect(
      lines == [
        "0 ms  alice -> server  "
          + "put /room/b {\"0\":0,\"1\":1,\"2\":2,\"3\":3,...\":98,\"99\":99}   request 12",
        "0 ms  alice -> server  "
          + "put /abcdefgh/abcdefgh/abcdefgh/abcdefgh/a...fgh/abcdefgh/abcdefgh 2   request 12",
      ])
  }

  @Test(arguments: [
    (Int64(310_000_000), "310 ms", "310 ms"), (500_000, "0.5 ms", "0.5 ms"),
    (13_400_000, "13.4 ms", "13.4 ms"), (0, "0 ms", "0 ms"),
    (12_000_000_000, "12000 ms", "12 s"), (1_500_000_000, "1500 ms", "1.5 s"),
    (1, "0.000001 ms", "0.000001 ms"),
  ])
  func `times are written in milliseconds, for people in seconds`(
    nanoseconds: Int64, milliseconds: String, text: String
  ) {
    #expect(Interval(nanoseconds: nanoseconds).millisecondText == milliseconds)
    #expect(Interval(nanoseconds: nanoseconds).text == text)
  }

  @Test func `a client without a name has its number and steps begin with the start`() {
    #expect(event(.fault(.fault(.cut(ClientIndex(5))))).route(names: names) == "network (client 5)")
    #expect(event(.step("x"), step: -1).route(names: names) == "start")
  }

  @Test(arguments: [0, 1, 63, 64, 65, 200])
  func `events are kept in order, whatever their number`(count: Int) {
    var trace = Trace()
    for number in 0..<count {
      trace.append(.step("\(number)"), cause: nil, time: .milliseconds(number), step: number)
    }
    var copy = trace
    copy.append(.step("more"), cause: nil, time: .zero, step: 0)

    #expect(trace.events.map(\.sequence) == Array(0..<count))
    #expect(trace.events.count == count)
    #expect(copy.events.dropLast().elementsEqual(trace.events))
    #expect(copy.events[count].kind == .step("more"))
  }

  @Test(arguments: [0, 1, 63, 64, 65, 128, 200])
  func `events are shown where they are, from any of them on`(count: Int) {
    var trace = Trace()
    for number in 0..<count {
      trace.append(.step("\(number)"), cause: number, time: .milliseconds(number), step: number)
    }
    for position in [0, 1, 62, 63, 64, 65, 127, 128, count] where position <= count {
      var shown: [TraceEvent] = []
      trace.events.forEach(from: position) { shown.append($0.pointee) }
      #expect(shown == Array(trace.events[position...]))
    }
  }

  @Test func `the causes of an event are told oldest first`() {
    var trace = Trace()
    let call = trace.append(
      .input(alice, .call("w", .remove("a"))), cause: nil, time: .zero, step: 0)
    trace.append(.fault(.fault(.cut(bob))), cause: nil, time: .zero, step: 0)
    let sent = trace.append(.output(alice, .send(.ping)), cause: call, time: .zero, step: 0)
    let last = trace.append(.serverReceived(alice, .ping), cause: sent, time: .zero, step: 0)

    #expect(trace.causes(of: last).map(\.sequence) == [call, sent, last])
    #expect(trace.causes(of: 99) == [])
  }

  @Test func `everything about an event changes the hash, in the same way in every process`() {
    let kinds: [TraceEvent.Kind] = [
      .step("a"), .step("b"), .fault(.stated("a", alice)), .fault(.stated("a", bob)),
      .fault(.stated("a", nil)),
      .serverWrite("a", Node(1)), .serverWrite("a", Node(2)), .serverWrite("b", Node(1)),
      .serverUpdate("a", []), .input(alice, .opened), .input(alice, .closed),
      .output(alice, .send(.request(1, .put("a", Node(1), hash: nil)))),
      .output(alice, .send(.request(1, .put("a", Node(1), hash: "")))),
      .serverReceived(alice, .ping), .serverSent(alice, .pong), .lostToServer(alice, .ping),
      .output(alice, .event(Event(.value, to: "L", key: "a", value: Node(1)))),
      .output(alice, .event(Event(.value, to: "L", key: "a", value: .empty))),
      .output(
        alice, .event(Event(.childAdded, to: "L", key: "a", previous: .first, value: .empty))),
      .output(alice, .event(Event(.childAdded, to: "L", key: "a", value: .empty))),
    ]
    let faults: [TraceEvent.Kind] = [
      .fault(.fault(.cut(alice))), .fault(.fault(.cut(bob))), .fault(.armed(.cut(alice))),
    ]
    func hash(
      _ kind: TraceEvent.Kind, cause: Int? = nil, time: Interval = .zero, step: Int = 0
    )
      -> Fingerprint
    {
      var trace = Trace(retention: .hashOnly)
      trace.append(kind, cause: cause, time: time, step: step)
      return trace.hash
    }
    let varied = [
      hash(kinds[0], cause: 0), hash(kinds[0], time: .milliseconds(1)), hash(kinds[0], step: 1),
    ]

    var whole = Trace()
    for kind in kinds { whole.append(kind, cause: nil, time: .zero, step: 0) }

    #expect(whole.hash.description == "4a8d1b2f932eb995")
    let all = (kinds + faults).map { hash($0) } + varied
    #expect(Set(all).count == all.count)
    // As version 1 stated it.
    #expect(hash(faults[0]) == hash(.fault(.stated("cut", alice))))
  }
}
