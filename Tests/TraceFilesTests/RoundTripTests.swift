import ClientInterface
import Conformance
import Faults
import Scenario
import TestKit
import Testing
import Trace
import TraceFiles
import Tree
import Wire

@Suite struct RoundTripTests {
  @Test func `what is written is read back, and written again it is the same bytes`() throws {
    for (number, source) in try Kit.projectFiles().enumerated() where number.isMultiple(of: 9) {
      guard let scenario = source.scenarios.first else { continue }
      for profile in scenario.profiles {
        let file = Kit.trace(of: scenario, text: source.text, in: profile)

        let again = try TraceFile(file.text, file: "x")

        #expect(again.text == file.text, "\(scenario.id)")
        #expect(again.header == file.header)
        #expect(again.trace.hash == file.trace.hash)
      }
    }
  }

  @Test func `every kind of event survives a file`() throws {
    let alice = ClientIndex(0)
    let rest: [TraceEvent.Kind] = [
      .step("alice.set: x"), .serverReceived(alice, .ping), .serverSent(alice, .pong),
      .lostToServer(alice, .request(3, .put("a", leaf, hash: nil))),
      .lostToClient(alice, .put("a/b", Node(Scalar.number(-0.0)), tag: 2)),
      .serverOpened(alice, session: "s"), .serverClosed(alice, session: "s"),
      .serverWrite("a", .empty),
      .serverUpdate("a", [.init("b/c", Node(Scalar.bool(true), priority: 2))]),
    ]
    let incidents =
      Self.faults.flatMap { [Incident.fault($0), .armed($0)] }
      + Self.futileActs.map { .futile($0, alice) }
      + [.credentialRevoked(alice, name: "alice"), .stated("the sun went down", alice)]
    let kinds =
      Self.inputs.map { TraceEvent.Kind.input(alice, $0) }
      + Self.outputs.map { TraceEvent.Kind.output(alice, $0) } + rest
      + incidents.map { TraceEvent.Kind.fault($0) }

    for profile in Profile.all {
      let file = try Self.file(kinds, profile)
      let again = try TraceFile(file.text, file: "x")
      #expect(again.trace.events.map(\.kind) == kinds)
      #expect(again.trace.hash == file.trace.hash)
    }
  }

  @Test func `a trace ends with its checkpoints, its verdict and what diverged`() throws {
    let body = """
      clients: [alice]
      steps:
        - alice.set: {path: n, value: 1, as: w}
        - expect: {server: {n: 2}, alice.w: {ok: true}}
      """
    let file = try Kit.trace(body)
    let again = try TraceFile(file.text, file: "x")

    #expect(again.end.verdict == .fail)
    #expect(again.end.divergences.first?["kind"] == "server-tree")
    #expect(file.text.hasSuffix("}]}}\n"))
    #expect(again.trace.checkpoints == file.trace.checkpoints)
  }

  @Test func `the same run gives the same bytes`() throws {
    #expect(try Kit.trace(Kit.race, seed: 5).text == Kit.trace(Kit.race, seed: 5).text)
    #expect(try Kit.trace(Kit.race, seed: 5).text != Kit.trace(Kit.race, seed: 6).text)
  }

  private static func file(_ kinds: [TraceEvent.Kind], _ profile: Profile) throws -> TraceFile {
    var file = try Kit.trace(Kit.race)
    file.header.profile = profile
    file.trace = Trace()
    for (number, kind) in kinds.enumerated() {
      file.trace.append(
        kind, cause: number == 0 ? nil : number - 1, time: Interval(nanoseconds: 1_234_567),
        step: number)
    }
    return file
  }

  /// Every kind of fault, with what it states where nothing is said, and with something else.
  private static let faults: [IndexedFault] =
    FaultKind.allCases.flatMap { kind -> [IndexedFault] in
      let plain = FaultFields(client: ClientIndex(0))
      var full = plain
      full.latency = Latency(.zero, through: Interval(nanoseconds: 1_100_000))
      (full.notices, full.direction, full.count, full.bytes) = (.client, .toServer, 3, 200)
      (full.interval, full.host, full.reason) = (.milliseconds(-1500), "two.test", "x: y")
      (full.storage, full.drift) = (.rolledBack, ClockDrift(gain: -1, per: 7))
      full.rule = SecurityRule("a", deny: [.read], unless: .user("u"), status: "stale")
      (full.path, full.data, full.fate) = ("a/on-disconnects lost", .sent, .lost)
      full.write = .update("a", [.init("b/c", leaf)])
      return [plain, full].compactMap { IndexedFault(kind, $0) }
    } + [
      .reject(SecurityRule("a", deny: [.read, .write], unless: .authenticated)),
      .write(.set("a", leaf)), .latency(.standard, nil), .redirect(nil, host: "two.test"),
      .shutdown(nil),
    ]

  private static let futileActs: [Incident.FutileAct] = [
    .secondConnection, .unconnectedMessage, .lostRecord(key: "write/1"), .unknownCall("w"),
    .deadCall,
  ]

  private static let target = Operation.Target(
    "a", Query(ordering: .child("x/y"), start: .init(3, key: "k"), limit: .first(2)))

  private static let operations: [Operation] = [
    .listen("l", target, [.value]), .listen("l", .init("a"), Set(EventType.allCases)),
    .once("o", target, .childAdded), .unlisten("l"), .unlisten("l", at: "b"),
    .unlistenAll(target), .set("a", leaf), .remove("a"), .setPriority("a", 1),
    .setPriority("a", .null), .update("a", [.init("b/c", .empty)]), .push("a", nil),
    .push("a", leaf), .transaction("a", .increment(2), localEvents: .hidden),
    .transaction("a", .setIfNullOrFail(["b": 1]), localEvents: .shown),
    .onDisconnectSet("a", leaf), .onDisconnectRemove("a"),
    .onDisconnectUpdate("a", [.init("b", leaf)]), .onDisconnectCancel("a"), .goOffline,
    .goOnline, .keepSynced(target, .on), .keepSynced(target, .off), .authenticate(token: "t"),
    .unauthenticate, .inspect(.init(.reference("a"), of: "b", "child", "c")),
    .inspect(.init(.address("https://x/a"), "key")), .inspect(.init(.snapshot("l"), "exists")),
    .inspect(.init(.mutableData(["a": 1], changes: [["child": "b", "value": 2]]), "export")),
    .inspect(.init(.query("a", steps: [["orderBy": "x"]]), "valid")),
    .listen(
      "l",
      .init("a", Query(ordering: .key, start: .init("a", edge: .exclusive), end: .init("b"))),
      [.value]),
    .on(
      Reaction(
        in: .event("l", .childAdded), nth: 2,
        [.init("w", .set("a", leaf)), .init("x", .goOffline)])),
    .on(Reaction(in: .event("l", nil), [.init("w", .unlisten("l"))])),
    .on(Reaction(in: .cancel("l"), [.init("w", .unlisten("l"))])),
    .on(Reaction(in: .completion("c"), [.init("w", .unlisten("l"))])),
    .on(Reaction(in: .function("c"), [.init("w", .unlisten("l"))])),
    .listen("l", .init("a", Query(ordering: .value, start: .init(nil), end: .init(nil))), [.value]),
  ]

  private static let inputs: [ClientInput] =
    operations.map { .call("c", $0) } + [
      .open(
        .init(
          seed: .max, persistence: .init(cacheBytes: 100), storage: [.init("k", "\u{0}\n\"")])),
      .open(.init()), .opened, .refused, .frame(.pong), .closed, .timer(7), .close,
    ]

  private static let outputs: [ClientOutput] = [
    .connect, .connectTo("b.test"), .send(.ping),
    .disconnect, .setTimer(3, after: .milliseconds(1500), .backOff),
    .cancelTimer(3), .cancelled("l", "permission_denied"), .completed("c", .ok),
    .completed("c", .init(error: "set", committed: false)),
    .completed("c", .init(committed: true, value: .empty)), .answered("c", ["b": 1, "a": 2]),
    .threw("c", "invalid_path"), .updateRan("c", input: [1, .null]), .store(key: "k", text: "t"),
    .erase(key: "k"), .log("hello"), .calling("c"), .returned("c"),
    .event(.init(.value, to: "l", key: nil, value: .empty)),
    .event(.init(.value, to: "l", key: "a", value: leaf, order: .listed(["b", "a"]))),
    .event(.init(.value, to: "l", key: "a", value: leaf, order: .sorted(.priority))),
    .event(.init(.value, to: "l", key: "a", value: leaf, order: .sorted(.child("b/c")))),
    .event(.init(.childAdded, to: "l", key: "a", previous: .first, value: leaf)),
    .event(.init(.childMoved, to: "l", key: "a", previous: .key("b"), value: leaf)),
  ]
}

private let leaf = Node(Scalar.string("x"))
