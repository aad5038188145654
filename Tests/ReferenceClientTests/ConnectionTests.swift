import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct ConnectionTests {
  @Test func `nothing is sent before the greeting, then everything in order`() {
    var driver = CaseDriver()
    _ = driver.listen("info", ".info/connected", to: [.value])
    _ = driver.call("od", .onDisconnectSet("x", Node(false)))
    _ = driver.set("w1", "a", 1)
    _ = driver.listen("l1", "b", to: [.value])
    _ = driver.call("w2", .update("a", [.init("c", Node(2))]))
    _ = driver.listen("l2", "a", Query(limit: .first(2)), to: [.value])
    let opened = driver.feed(.opened)
    let helloReceived = driver.hello()

    #expect(opened == ["timer 3 keep-alive"])
    #expect(
      helloReceived == [
        #"send {"r":1,"a":"s","b":{"c":{"sdk.kennel.wilddog":1}}}"#,
        #"send {"r":2,"a":"q","b":{"p":"/b","h":""}}"#,
        #"send {"r":3,"a":"q","b":{"p":"/a","q":{"l":2,"vf":"l"},"t":1,"h":""}}"#,
        #"send {"r":4,"a":"p","b":{"p":"/a","d":1}}"#,
        #"send {"r":5,"a":"m","b":{"p":"/a","d":{"c":2}}}"#,
        #"send {"r":6,"a":"o","b":{"p":"/x","d":false}}"#,
        "info value true",
      ])
  }

  @Test func `the client knows that it is not connected before it is`() {
    var driver = CaseDriver()

    #expect(driver.listen("info", ".info/connected") == ["info value false"])
    #expect(driver.listen("offset", ".info/serverTimeOffset") == [])
    _ = driver.feed(.opened)
    #expect(driver.hello(ahead: 250).filter { $0.hasPrefix("offset") } == ["offset value 250"])
  }

  @Test func `what the client knows of itself is shown to listeners that come later`() {
    var driver = CaseDriver()
    _ = driver.feed(.opened)
    _ = driver.hello(ahead: 250)

    #expect(driver.listen("info", ".info/connected") == ["info value true"])
    #expect(driver.listen("offset", ".info/serverTimeOffset") == ["offset value 250"])
    #expect(driver.feed(.closed).contains("info value false"))
  }

  @Test(arguments: [(Profile.wilddog2, true), (.firebase, false)])
  func `statistics go out as the profile says`(profile: Profile, again: Bool) {
    var driver = CaseDriver.connected(profile)
    _ = driver.feed(.closed)
    _ = driver.feed(.timer(1))
    _ = driver.feed(.opened)

    #expect(driver.hello().contains { $0.contains(#""a":"s""#) } == again)
  }

  @Test func `a reconnection carries hashes, unanswered writes and new numbers`() {
    var driver = CaseDriver.connected()
    driver.know("a", 1, request: 2)
    let write = driver.set("w", "b", 2)
    let closed = driver.feed(.closed)
    let fired = driver.feed(.timer(1))
    _ = driver.feed(.opened)
    let helloReceived = driver.hello()

    #expect(write == [#"send {"r":3,"a":"p","b":{"p":"/b","d":2}}"#])
    #expect(closed == ["cancel timer 3", "timer 1 back-off"])
    #expect(fired == ["connect"])
    #expect(
      helloReceived == [
        #"send {"r":4,"a":"s","b":{"c":{"sdk.kennel.wilddog":1}}}"#,
        #"send {"r":5,"a":"q","b":{"p":"/a","h":"YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="}}"#,
        #"send {"r":6,"a":"p","b":{"p":"/b","d":2}}"#,
      ])
    #expect(driver.answer(3) == [])
    #expect(driver.answer(5) == [])
    #expect(driver.answer(6) == ["w ok"])
  }

  @Test func `goOffline disconnects for good and goOnline connects at once`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("info", ".info/connected", to: [.value])

    #expect(
      driver.call("c", .goOffline) == ["cancel timer 3", "disconnect", "info value false"])
    #expect(driver.call("c", .goOffline) == [])
    #expect(driver.feed(.timer(1)) == [])
    #expect(driver.feed(.closed) == [])
    #expect(driver.call("c", .goOnline) == ["connect"])
    #expect(driver.call("c", .goOnline) == [])
  }

  @Test func `goOffline calls a waiting attempt off, and goOnline hurries it`() {
    var waiting = CaseDriver()
    let refused = waiting.feed(.refused)
    var hurried = waiting

    #expect(refused == ["timer 1 back-off"])
    #expect(waiting.call("c", .goOffline) == ["cancel timer 1", "disconnect"])
    #expect(hurried.call("c", .goOnline) == ["cancel timer 1", "connect"])
  }

  @Test func `a connection that was given up does not come up`() {
    var driver = CaseDriver()
    _ = driver.call("c", .goOffline)

    #expect(driver.feed(.opened) == [])
    #expect(driver.hello() == [])
    #expect(driver.put("a", 1) == [])
  }

  @Test func `a reset connects again at once`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("info", ".info/connected", to: [.value])

    #expect(
      driver.feed(.frame(.reset(host: "other"))) == [
        "cancel timer 3", "disconnect", "connect to other", "info value false",
      ])
  }

  @Test func `a shutdown ends the connection and no other is made`() {
    var driver = CaseDriver.connected()

    #expect(
      driver.feed(.frame(.shutdown("why"))) == [
        "log the server shut the connection down: why", "cancel timer 3", "disconnect",
      ])
    #expect(driver.call("c", .goOnline) == ["connect"])
  }

  @Test(
    arguments: [
      .pong, .notice("text"), .other(["t": "z"]),
      .hello(.init(timestamp: 5, version: "1", host: "h", session: "s")),
      .put("a", Node(1), tag: 99), .merge("a", [], tag: 99), .response(.init(to: 99)),
      .put("unheard", Node(1), tag: nil), .revoked("unheard", queries: nil),
    ] as [ServerMessage])
  func `messages that mean nothing here change nothing`(message: ServerMessage) {
    var driver = CaseDriver.connected()
    driver.know("a", 1, request: 2)

    #expect(driver.feed(.frame(message)) == [])
    #expect(driver.listen("again", "a", to: [.value]) == ["again value 1"])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `delays stay within a bound that grows to its limit`(seed: UInt64) {
    var driver = CaseDriver(seed: seed)
    var bound = 1000.0
    for _ in 0..<40 {
      let delay = driver.delay(after: .refused)
      #expect(delay >= 0 && delay <= bound, "seed \(seed): \(delay) of \(bound)")
      bound = min(300_000, bound * 1.3)
      _ = driver.feed(.timer(1))
    }
    #expect(bound == 300_000)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a long connection or goOnline takes the bound back to one second`(seed: UInt64) {
    var driver = CaseDriver(seed: seed)
    for _ in 0..<30 {
      _ = driver.feed(.refused)
      _ = driver.feed(.timer(1))
    }
    var online = driver
    _ = online.call("c", .goOnline)
    _ = driver.feed(.opened)
    _ = driver.hello()
    driver.now = driver.now + .milliseconds(30_001)

    #expect(driver.delay(after: .closed) == 0, "seed \(seed)")
    _ = driver.feed(.timer(1))
    #expect(driver.delay(after: .refused) <= 1300, "seed \(seed)")
    #expect(online.delay(after: .refused) <= 1000, "seed \(seed)")
  }
}

extension CaseDriver {
  /// The back-off in milliseconds that an input causes.
  fileprivate mutating func delay(after input: ClientInput) -> Double {
    var outputs: [ClientOutput] = []
    client.handle(input, at: now, into: &outputs)
    for output in outputs {
      if case let .setTimer(1, after, .backOff) = output { return after.milliseconds }
    }
    return -1
  }
}
