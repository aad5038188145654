import ClientInterface
import Faults
import LiveServer
import ReferenceServer
import Testing
import Tree

/// Messages so large that they are read and written elsewhere.
@Suite struct LargeMessageTests {
  private static let large = String(repeating: "x", count: 300)

  private static func settings() -> LiveServerSettings {
    var settings = LiveServerSettings()
    settings.largeMessage = 200
    return settings
  }

  private static func put(_ path: String, _ value: String, _ number: Int) -> String {
    #"{"t":"d","d":{"r":\#(number),"a":"p","b":{"p":"\#(path)","d":\#(value)}}}"#
  }

  private static func listen(_ path: String) -> String {
    #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"\#(path)","h":""}}}"#
  }

  private static func ok(_ number: Int) -> String {
    #"{"t":"d","d":{"r":\#(number),"b":{"s":"ok","d":{}}}}"#
  }

  @Test func `others are served while a large write is read, and its sender waits`() {
    var table = Table(Self.settings())
    let (alice, bob) = (table.greeted(), table.greeted())

    table.say(Self.put("/a", #"{"b":"\#(Self.large)"}"#, 1), Self.put("/a/c", "2", 2), over: alice)
    table.say(Self.put("/d", "3", 1), over: bob)

    #expect(table.received(alice).isEmpty)
    #expect(table.received(bob) == [Self.ok(1)])
    #expect(table.work() == 1)
    #expect(table.received(alice) == [Self.ok(1), Self.ok(2)])
    #expect(table.live.server(of: "default")?.tree[Path("a")].children.count == 2)
  }

  @Test func `large data are written elsewhere, once for all, and what follows waits`() {
    var table = Table(Self.settings())
    let listeners = (0..<3).map { _ in table.connect() }
    let writer = table.connect()
    for listener in listeners {
      table.say(Self.listen("/a"), over: listener)
      _ = table.received(listener)
    }

    table.say(Self.put("/a", #""\#(Self.large)""#, 1), over: writer)
    #expect(table.work(upTo: 1) == 1)
    table.say(Self.put("/a", "2", 2), over: writer)

    #expect(listeners.map { table.received($0).count } == [0, 0, 0])
    #expect(table.work() == 1)
    for listener in listeners {
      let frames = table.received(listener)
      #expect(frames.count == 2)
      #expect(frames.first?.contains(Self.large) == true)
      #expect(frames.last == #"{"t":"d","d":{"a":"d","b":{"p":"a","d":2}}}"#)
    }
  }

  @Test func `what a client sent before it went is done, and then what it left for its end`() {
    var table = Table(Self.settings())
    let alice = table.connect()
    let left = #"{"t":"d","d":{"r":1,"a":"o","b":{"p":"/left","d":true}}}"#
    table.say(left, Self.put("/a", #""\#(Self.large)""#, 2), Self.put("/b", "1", 3), over: alice)

    table.perform { $0.closed(alice) }
    #expect(table.live.server(of: "default")?.tree.isEmpty == true)
    _ = table.work()

    #expect(table.live.server(of: "default")?.tree.children.keys == ["a", "b", "left"])
    #expect(table.live.connectionCount == 0)
  }

  @Test func `a server that ends does what has arrived, and sends what waits`() {
    var table = Table(Self.settings())
    let (alice, bob) = (table.connect(), table.connect())
    table.say(Self.listen("/a"), over: bob)
    _ = (table.received(alice), table.received(bob))
    table.say(Self.put("/a", #""\#(Self.large)""#, 1), over: alice)

    table.perform { $0.shutDown() }

    #expect(table.received(alice) == [Self.ok(1), "closed 1001 the server stops"])
    let received = table.received(bob)
    #expect(received.count == 2 && received.first?.contains(Self.large) == true)
    _ = table.work()
    #expect((table.received(alice) + table.received(bob)).isEmpty, "nothing is done again")
  }

  @Test func `of one client more than a message may have is not kept unread`() {
    var settings = Self.settings()
    settings.bounds.message = 1000
    var table = Table(settings)
    let alice = table.greeted()

    for number in 1...4 { table.say(Self.put("/a", #""\#(Self.large)""#, number), over: alice) }

    #expect(table.received(alice) == (1...4).map(Self.ok))
  }

  @Test func `others are served while a large request of REST is read and answered`() {
    var table = Table(Self.settings())
    let (put, get) = (table.socket(), table.socket())
    table.begin("PUT", "/a.json", #"{"b":"\#(Self.large)"}"#, on: put)
    #expect(table.answer(to: put) == nil)
    #expect(table.ask("PUT", "/c.json", "1")?.status == 200)
    #expect(table.work(upTo: 1) == 1)
    #expect(table.live.server(of: "default")?.tree.children.keys == ["a", "c"])
    #expect(table.answer(to: put) == nil, "its answer is large as well")
    #expect(table.work() == 1)
    let answer = table.answer(to: put)
    #expect(answer?.status == 200 && answer?.text.contains(Self.large) == true)

    table.begin("GET", "/a.json", on: get)
    #expect(table.answer(to: get) == nil)
    #expect(table.work() == 1)
    #expect(table.answer(to: get)?.text == answer?.text)
  }

  @Test(
    arguments: [
      ("PUT", "/a.json", #"{"b":"\#(large)"}"#, [:]),
      ("POST", "/a.json", #"{"b":"\#(large)"}"#, [:]),
      ("PATCH", "/a.json", #"{"b":"\#(large)","c/d":1}"#, [:]), ("PUT", "/a.json", large, [:]),
      ("PUT", "/a$.json", #""\#(large)""#, [:]), ("PATCH", "/a.json", #""\#(large)""#, [:]),
      ("PATCH", "/a.json", #"{"b":1,"b/c":"\#(large)"}"#, [:]),
      ("PATCH", "/old.json", #"{"x/z/z":"\#(large)","y":null}"#, [:]),
      ("PATCH", "/old/y.json", #"{"\#(large)":1,".priority":3}"#, [:]),
      ("PATCH", "/old.json", #"{"a":{".sv":"timestamp"},"b":"\#(large)"}"#, [:]),
      ("PATCH", "/old.json", #"{"x":null,"y":null,"\#(large)":null}"#, [:]),
      ("PATCH", "/.info.json", #"{"a":"\#(large)"}"#, [:]),
      ("PUT", "/a.json", #"{".sv":"\#(large)"}"#, [:]),
      ("PUT", "/a.json?print=silent", #""\#(large)""#, [:]),
      ("PUT", "/a.json", #""\#(large)""#, ["if-match": "other"]),
      ("PUT", "/a.json", #""\#(large)""#, ["if-match": "null_etag"]),
      ("PUT", "/a.json?auth_variable_override=x", #""\#(large)""#, [:]),
      ("GET", "/old.json", "", ["x-firebase-etag": "true"]),
      ("GET", "/old.json?shallow=true", "", [:]),
      ("GET", "/old.json?callback=f", "", [:]), ("GET", "/old.json?callback=-", "", [:]),
      ("GET", "/old.json?download=x", "", ["accept-encoding": "gzip"]),
      ("GET", "/old.json?orderBy=%22$key%22&limitToFirst=1&print=pretty", "", [:]),
      ("DELETE", "/old.json", large, [:]),
    ] as [(String, String, String, [String: String])])
  func `a large request is answered as if it was small`(
    method: String, target: String, body: String, headers: [String: String]
  ) throws {
    func outcome(_ settings: LiveServerSettings) -> (HTTPResponse?, Node?) {
      var settings = settings
      settings.data = Node(json: ["old": ["x": .string(Self.large), "y": 1]])
      var table = Table(settings)
      let socket = table.socket()
      table.begin(method, target, body, headers, on: socket)
      _ = table.work()
      return (table.answer(to: socket), table.live.server(of: "default")?.tree)
    }
    let (large, small) = (outcome(Self.settings()), outcome(LiveServerSettings()))
    let request = HTTPRequest(method, target, headers: headers)

    #expect(large.0 == small.0.map(request.coded))
    #expect(large.1 == small.1)
  }

  @Test func `what comes between a large request and its answer can be disturbed`() {
    var live = FaultyServer(
      LiveServer(Self.settings()), clients: ["alice"], latency: .fixed(.milliseconds(5)), seed: 0)
    var effects: [Effect] = []
    let request = HTTPRequest("PUT", "/a.json", body: Array(#""\#(Self.large)""#.utf8))
    let now = Instant(milliseconds: 0)
    live.perform(at: now, into: &effects) { $0.handle(request, from: Socket(1)) }
    for time in [10, 20] {
      live.perform(at: now + .milliseconds(time), into: &effects) { $0.arriveDue() }
    }

    let answers = effects.filter { if case .respond = $0 { true } else { false } }
    #expect(answers.count == 1)
    #expect(!effects.contains { if case .work = $0 { true } else { false } })
  }

  @Test func `a large message that is no JSON is refused as a small one is`() {
    func answer(_ settings: LiveServerSettings) -> [String] {
      var table = Table(settings)
      let alice = table.greeted()
      table.say("{" + Self.large, over: alice)
      _ = table.work()
      return table.received(alice)
    }

    #expect(answer(Self.settings()) == answer(LiveServerSettings()))
    #expect(answer(Self.settings()).first?.hasPrefix("closed 1007") == true)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `everyone is sent the same in the same order, whenever the work is done`(seed: UInt64) {
    func sent(_ settings: LiveServerSettings) -> [[String]] {
      var random = RandomNumbers(seed: seed)
      var pauses = RandomNumbers(seed: seed + 1000)
      var table = Table(settings)
      let listeners = ["/", "/a", "/a/b"].map { path in
        let listener = table.connect()
        table.say(Self.listen(path), over: listener)
        return listener
      }
      let writer = table.connect()
      for number in 1...40 {
        let path = ["/a", "/a/b", "/a/c", "/d"][Int(random.next() % 4)]
        let size = [1, 20, 250][Int(random.next() % 3)]
        table.say(
          Self.put(path, #""\#(number)\#(String(repeating: "y", count: size))""#, number),
          over: writer)
        _ = table.work(upTo: Int(pauses.next() % 4))
      }
      _ = table.work()
      return (listeners + [writer]).map { table.received($0) }
    }

    #expect(sent(Self.settings()) == sent(LiveServerSettings()), "seed \(seed)")
  }
}

extension Table {
  /// Does what is to be done elsewhere, as much as is said.
  ///
  /// - Returns: How much that was.
  mutating func work(upTo limit: Int = .max) -> Int {
    var count = 0
    while count < limit {
      let next = effects.firstIndex { if case .work = $0 { true } else { false } }
      guard let next, case let .work(work) = effects.remove(at: next) else { break }
      perform { $0.resume(with: work.outcome()) }
      count += 1
    }
    return count
  }
}
