import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

/// Many writes wait, others' data come in between, and the answers come one by one. What is shown is
/// worked out again only where it may differ; it must be what all the writes together come to.
@Suite struct BacklogTests {
  @Test(arguments: Profile.all)
  func `a long backlog is shown like all its writes laid over the data`(profile: Profile) {
    for seed in 1...8 {
      var backlog = Backlog(profile, seed: UInt64(seed))

      #expect(backlog.firstDifference(steps: 250) == nil, "seed \(seed)")
    }
  }
}

/// Two clients with the same inputs: one of them lays all pending writes over the data each time.
private struct Backlog {
  private var client: ReferenceClient
  private var plain: ReferenceClient
  private var random: RandomNumbers
  private var server = Node.empty
  private var waiting: ArraySlice<(Int, Request)> = []
  private var outputs: (client: [ClientOutput], plain: [ClientOutput]) = ([], [])
  private var calls = 0

  init(_ profile: Profile, seed: UInt64) {
    client = ReferenceClient(profile: profile)
    plain = ReferenceClient(profile: profile) { $0.layers = { sets, _ in sets } }
    random = RandomNumbers(seed: seed)
    for (number, key) in Self.keys.enumerated() {
      let node = number.isMultiple(of: 2) ? Node(1) : Node(json: ["x": 1, ".priority": 5])
      server = server.setting(node, at: key)
    }
    give(.open(.init()))
    give(.opened)
    give(.frame(.hello(.init(timestamp: 0, version: "5", host: "h", session: "s"))))
    let last = Query(ordering: .value, limit: .last(2))
    for (name, path, query) in [
      ("all", "room", .all), ("last", "room", last), ("one", "room/k1/x", .all),
    ] as [(ListenerID, Path, Query)] {
      give(.call("l", .listen(name, .init(path, query), Set(EventType.allCases))))
    }
    waiting = []
    // Some know only what they are told of single children.
    if seed.isMultiple(of: 2) { return }
    give(.frame(.put("room", server, tag: nil)))
    give(.frame(.response(.init(to: 2))))
  }

  private mutating func give(_ input: ClientInput) {
    outputs = ([], [])
    client.handle(input, at: Instant(milliseconds: 1_480_000_000_000), into: &outputs.client)
    plain.handle(input, at: Instant(milliseconds: 1_480_000_000_000), into: &outputs.plain)
    for case let .send(.request(number, request)) in outputs.client {
      waiting.append((number, request))
    }
  }

  /// Goes on; first writes come more often than answers, then less.
  ///
  /// - Returns: The step after which the two have not done the same.
  mutating func firstDifference(steps: Int) -> Int? {
    for step in 0..<steps {
      let answers = step < steps / 2 ? 2 : 7
      switch choice(10) {
      case ..<answers: answer()
      case 9: send(node(), at: path())
      default: write()
      }
      if outputs.client != outputs.plain { return step }
    }
    return nil
  }

  private mutating func choice(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  /// So many that the same child is not written again and again.
  private static let keys = (0..<30).map { Key("k\($0)") }

  /// A location below that of the listeners, and seldom that itself.
  private mutating func path() -> Path {
    let length = choice(40) == 0 ? 0 : 1 + choice(3)
    let keys = [Self.keys[choice(Self.keys.count)], Key(["x", "y"][choice(2)]), "z"]
    return Path(["room"] + keys.prefix(length))
  }

  private mutating func node() -> Node {
    let priority = choice(8) == 0 ? Scalar.number(Double(choice(3))) : nil
    switch choice(6) {
    case 0: return .empty
    case 1: return Node(json: ["x": .number(Double(choice(3))), "y": ["x": 1]], priority: priority)
    default: return Node(.number(Double(choice(5))), priority: priority)
    }
  }

  private mutating func write() {
    calls += 1
    let call = CallID("w\(calls)")
    switch choice(8) {
    case 0: give(.call(call, .setPriority(path(), .number(Double(choice(3))))))
    case 1:
      let parts = ["k1/x", "k2", "k3"].map { Assignment($0, node()) }
      give(.call(call, .update("room", parts)))
    default: give(.call(call, .set(path(), node())))
    }
  }

  /// The server has new data, of another client or of this one.
  private mutating func send(_ node: Node, at path: Path) {
    server = server.setting(node, at: path.dropFirst(1))
    // Of a priority the whole location is sent.
    let location = path.key == .priority ? path.parent ?? .root : path
    give(.frame(.put(location, server[location.dropFirst(1)], tag: nil)))
  }

  private mutating func answer() {
    guard let (number, request) = waiting.popFirst() else { return }
    let isRefused = choice(4) == 0
    if !isRefused, case let .put(path, node, _) = request { send(node, at: path) }
    if outputs.client != outputs.plain { return }
    give(.frame(.response(.init(to: number, status: isRefused ? "permission_denied" : "ok"))))
  }
}
