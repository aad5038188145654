import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct TransactionTests {
  /// A client that knows 5 at `n`; the next request is number 3.
  private func knowing(_ profile: Profile = .wilddog2) -> CaseDriver {
    var driver = CaseDriver.connected(profile)
    driver.know("n", 5, request: 2)
    return driver
  }

  private static let hashOf5 = Node(5).hash
  private static let hashOf7 = Node(7).hash

  private func increment(_ localEvents: Operation.LocalEvents = .shown) -> Operation {
    .transaction("n", .increment(1), localEvents: localEvents)
  }

  @Test func `a transaction runs, is shown, is sent with a hash and commits`() {
    var driver = knowing()

    #expect(
      driver.call("t", increment()) == [
        "t ran 5", "l value 6",
        #"send {"r":3,"a":"p","b":{"p":"/n","d":6,"h":"\#(Self.hashOf5)"}}"#,
      ])
    #expect(driver.put("n", 6) == [])
    #expect(driver.answer(3) == ["t committed 6"])
  }

  @Test func `without a listener its location is watched while it is open`() {
    var driver = CaseDriver.connected()

    #expect(
      driver.call("t", increment()) == [
        #"send {"r":2,"a":"q","b":{"p":"/n","h":""}}"#, "t ran null",
        #"send {"r":3,"a":"p","b":{"p":"/n","d":1,"h":""}}"#,
      ])
    #expect(driver.put("n", 1) == [])
    #expect(driver.answer(3) == [#"send {"r":4,"a":"n","b":{"p":"/n"}}"#, "t committed 1"])
  }

  @Test func `an abort completes with the input and sends nothing`() {
    var driver = knowing()

    #expect(
      driver.call("t", .transaction("n", .abort, localEvents: .shown)) == [
        "t ran 5", "t not committed 5",
      ])
  }

  @Test func `a stale transaction runs again on the new value`() {
    var driver = knowing()
    _ = driver.call("t", increment())

    #expect(driver.put("n", 7) == [])
    #expect(
      driver.answer(3, "datastale") == [
        "t ran 7", "l value 8",
        #"send {"r":4,"a":"p","b":{"p":"/n","d":8,"h":"\#(Self.hashOf7)"}}"#,
      ])
  }

  @Test func `after twenty-five tries it is given up`() {
    var driver = knowing()
    _ = driver.call("t", increment())
    for request in 3..<27 {
      #expect(driver.answer(request, "datastale").first == "t ran 5", "\(request)")
    }

    #expect(
      driver.answer(27, "datastale") == ["l value 5", "timer 2 now", "t not committed maxretry"])
  }

  @Test func `another refusal rolls it back`() {
    var driver = knowing()
    _ = driver.call("t", increment())

    #expect(
      driver.answer(3, "permission_denied") == [
        "l value 5", "timer 2 now", "t not committed permission_denied",
      ])
    #expect(driver.feed(.timer(2)) == [])
  }

  @Test func `without local events only the outcome is heard`() {
    var driver = knowing()

    #expect(
      driver.call("t", increment(.hidden)) == [
        "t ran 5", #"send {"r":3,"a":"p","b":{"p":"/n","d":6,"h":"\#(Self.hashOf5)"}}"#,
      ])
    #expect(driver.call("u", increment(.hidden)) == ["u ran 6"])
    #expect(driver.put("n", 6) == ["u ran 6", "l value 6"])
    #expect(driver.answer(3).last == "t committed 6")
  }

  @Test func `a set ends those that wait`() {
    var driver = knowing()
    _ = driver.call("t", increment())
    let waiting = driver.call("u", increment())

    #expect(waiting == ["u ran 6", "l value 7"])
    #expect(
      driver.set("w", "n", 1) == [
        #"send {"r":4,"a":"p","b":{"p":"/n","d":1}}"#, "l value 1", "u not committed set",
      ])
  }

  @Test func `a set that overtakes a sent one does not keep it from committing`() {
    var driver = knowing()
    _ = driver.call("t", increment())
    _ = driver.set("w", "n", 1)
    _ = driver.put("n", 6)

    #expect(driver.answer(3) == ["t committed 6"])
    #expect(driver.put("n", 1) == [])
    #expect(driver.answer(4) == ["w ok"])
  }

  @Test func `a sent one that two sets overtake ends all the same when it is stale`() {
    var driver = knowing()
    _ = driver.call("t", increment())
    _ = driver.set("w1", "n", 1)
    _ = driver.set("w2", "n", 2)

    #expect(driver.answer(3, "datastale") == ["timer 2 now", "t not committed set"])
    #expect(driver.put("n", 2) == [])
    #expect(driver.answer(4) == ["w1 ok"])
    #expect(driver.answer(5) == ["w2 ok"])
    #expect(driver.put("n", 3) == ["l value 3"])
  }

  @Test(arguments: [
    (Profile.wilddog2, ["t not committed disconnect", "info value false"]),
    (.firebase, ["info value false", "t not committed disconnect"]),
  ])
  func `a lost connection ends what is on the wire, and what waits runs again`(
    profile: Profile, reported: [String]
  ) {
    var driver = knowing(profile)
    _ = driver.listen("info", ".info/connected", to: [.value])
    _ = driver.call("t", increment())
    _ = driver.call("u", increment())

    #expect(
      driver.feed(.closed) == [
        "cancel timer 3", "timer 1 back-off", "u ran 5", "l value 6", "timer 2 now",
      ] + reported)
  }

  @Test func `one made offline is sent after the connection is back`() {
    var driver = knowing()
    _ = driver.call("c", .goOffline)

    #expect(driver.call("t", increment()) == ["t ran 5", "l value 6"])
    _ = driver.call("c", .goOnline)
    _ = driver.feed(.opened)
    #expect(
      driver.hello().last == #"send {"r":5,"a":"p","b":{"p":"/n","d":6,"h":"\#(Self.hashOf5)"}}"#)
  }

  @Test func `the priority stays unless the result names one`() {
    var driver = CaseDriver.connected()
    driver.know("n", [".value": 5, ".priority": 2], request: 2)
    let named: JSON = [".value": 7, ".priority": 3]

    #expect(
      driver.call("t", increment()).contains(#"l value {".value":6,".priority":2}"#))
    #expect(
      driver.call("u", .transaction("n", .set(named), localEvents: .shown))
        == ["u ran 6", #"l value {".value":7,".priority":3}"#])
  }

  @Test func `removing all listeners leaves its watch alone`() {
    var driver = knowing()
    _ = driver.call("t", increment())

    #expect(driver.call("c", .unlistenAll(.init("n"))) == [])
    #expect(driver.answer(3) == [#"send {"r":4,"a":"n","b":{"p":"/n"}}"#, "t committed 6"])
  }

  @Test(arguments: [(Profile.wilddog2, true), (.firebase, false)])
  func `an update ends transactions as the profile says`(profile: Profile, ends: Bool) {
    var driver = CaseDriver.connected(profile)
    driver.know("a", ["x": 1, "y": 2], request: 2)
    _ = driver.call("t", .transaction("a/x", .increment(1), localEvents: .shown))
    _ = driver.call("u", .transaction("a/x", .increment(1), localEvents: .shown))
    let outputs = driver.call("w", .update("a", [.init("y", Node(3))]))

    #expect(outputs.contains("u not committed set") == ends)
  }
}
