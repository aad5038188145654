import Testing
import WilddogSync
import WilddogTesting

/// The shared list on two devices, with outages and races.
@Suite struct SharedListTests {
  let network: SimulatedNetwork
  let phone, tablet: SimulatedDevice
  let alice, bob: SharedList

  init(seed: UInt64 = 7) {
    network = SimulatedNetwork(seed: seed)
    phone = network.device("phone")
    tablet = network.device("tablet")
    alice = SharedList(phone.sync, user: "alice")
    bob = SharedList(tablet.sync, user: "bob")
    network.settle()
  }

  // The list.

  @Test func `what one adds is there at once, and the others see it`() {
    alice.add("milk")
    network.advance(by: .zero)
    #expect(alice.texts == ["milk"], network.trace)
    #expect(bob.texts == [], network.trace)

    network.settle()
    #expect(bob.texts == ["milk"], network.trace)
  }

  @Test func `what two add at the same time is in the same order for both`() {
    alice.add("milk")
    bob.add("bread")
    alice.add("tea")
    network.settle()

    #expect(alice.items == bob.items, network.trace)
    #expect(alice.items.count == 3, network.trace)
  }

  @Test func `a device that joins later gets the whole list`() {
    for text in ["milk", "bread", "tea"] { alice.add(text) }
    network.settle()
    let carol = SharedList(network.device("laptop").sync, user: "carol")
    network.settle()

    #expect(carol.texts == ["milk", "bread", "tea"], network.trace)
    #expect(alice.people == ["alice", "bob", "carol"], network.trace)
  }

  @Test func `what is removed by one and marked by the other does not come back`() throws {
    alice.add("milk")
    network.settle()
    network.inject(.cut(phone))
    alice.buy(try #require(alice.items.first))
    bob.remove(try #require(bob.items.first))
    network.settle()
    network.inject(.heal(phone))
    network.settle()

    // The mark is a write below a location that is gone: it makes an item without a text.
    #expect(alice.texts == ["(removed)"], network.trace)
    #expect(bob.items == alice.items, network.trace)
  }

  @Test func `what others write at the server is shown`() {
    network.server.set("list/items/a", ["text": "salt", "isBought": true])
    network.settle()

    #expect(alice.items == [.init(key: "a", text: "salt", isBought: true)], network.trace)
  }

  // Without a network.

  @Test func `what is added without a network arrives later`() {
    network.inject(.cut(phone))
    alice.add("milk")
    network.advance(by: .seconds(3600))
    #expect(alice.texts == ["milk"], network.trace)
    #expect(network.server["list/items"] == nil, network.trace)

    network.inject(.heal(phone))
    network.settle()
    #expect(bob.texts == ["milk"], network.trace)
  }

  @Test func `both add offline, and both lists become the same`() {
    network.inject(.cut(phone))
    network.inject(.cut(tablet))
    alice.add("milk")
    network.advance(by: .seconds(5))
    bob.add("bread")
    network.inject(.heal(tablet))
    network.settle()
    network.inject(.heal(phone))
    network.settle()

    #expect(bob.texts == ["milk", "bread"], network.trace)
    #expect(alice.items == bob.items, network.trace)
  }

  @Test func `an answer that is lost does not add anything twice`() {
    network.inject(.loseAcknowledgement(phone))
    alice.add("milk")
    network.settle()

    #expect(phone.isConnected, network.trace)
    #expect(alice.texts == ["milk"], network.trace)
    #expect(bob.texts == ["milk"], network.trace)
  }

  @Test func `offline mode sends nothing until it is over`() {
    alice.goOffline()
    alice.add("milk")
    network.settle()
    #expect(!alice.isOnline, network.trace)
    #expect(bob.texts == [], network.trace)

    alice.goOnline()
    network.settle()
    #expect(alice.isOnline, network.trace)
    #expect(bob.texts == ["milk"], network.trace)
  }

  @Test func `a slow network shows everything late, and in order`() {
    network.inject(.latency(.fixed(.seconds(3)), tablet))
    for text in ["milk", "bread", "tea"] { alice.add(text) }
    network.advance(by: .seconds(2))
    #expect(bob.texts == [], network.trace)

    network.advance(by: .seconds(2))
    #expect(bob.texts == ["milk", "bread", "tea"], network.trace)
  }

  @Test func `a restart of the server loses nothing`() {
    alice.add("milk")
    network.inject(.restart(down: .seconds(5), .done))
    bob.add("bread")
    network.settle()

    #expect(alice.items == bob.items, network.trace)
    #expect(Set(alice.texts) == ["milk", "bread"], network.trace)
    #expect(alice.people == ["alice", "bob"], network.trace)
  }

  // Who is there.

  @Test func `presence ends with the connection, and comes back with it`() {
    #expect(alice.people == ["alice", "bob"], network.trace)
    network.inject(.cut(tablet))
    network.settle()
    #expect(alice.people == ["alice"], network.trace)

    network.inject(.heal(tablet))
    network.settle()
    #expect(alice.people == ["alice", "bob"], network.trace)
  }

  @Test func `who is cut off without a word is there until the server notices`() {
    network.inject(.halfOpen(tablet, notices: .neither))
    network.advance(by: .seconds(20))
    #expect(alice.people == ["alice", "bob"], network.trace)

    network.settle()
    #expect(bob.isOnline && alice.people == ["alice", "bob"], network.trace)
  }

  @Test func `who leaves stays away, also after an outage`() {
    bob.leave()
    network.settle()
    network.inject(.drop(tablet))
    network.settle()

    #expect(alice.people == ["alice"], network.trace)
  }

  @Test func `who is killed leaves`() {
    network.inject(.kill(tablet))
    network.settle()
    #expect(alice.people == ["alice"], network.trace)
  }

  // What was bought.

  @Test func `two count at the same time, and both count`() throws {
    alice.add("milk")
    network.settle()
    alice.buy(try #require(alice.items.first))
    bob.buy(try #require(bob.items.first))
    network.settle()

    #expect(network.server["list/bought"] == 2, network.trace)
    #expect(alice.bought == 2 && bob.bought == 2, network.trace)
  }

  @Test func `many count at once, and each counts`() throws {
    alice.add("milk")
    network.settle()
    for _ in 1...5 {
      alice.buy(try #require(alice.items.first))
      bob.buy(try #require(bob.items.first))
      network.advance(by: .milliseconds(3))
    }
    network.settle()

    #expect(network.server["list/bought"] == 10, network.trace)
    #expect(alice.problems == [] && bob.problems == [], network.trace)
  }

  // What the server refuses, and restarts.

  @Test func `what the rules refuse is taken back, and reported`() {
    network.server.setRules(
      #"""
      {"rules": {".read": true, "list": {".write": true, "items": {"$key": {
        ".validate": "newData.child('text').val().length < 10"}}}}}
      """#)
    alice.add("a very long text")
    network.advance(by: .zero)
    #expect(alice.texts == ["a very long text"], network.trace)

    network.settle()
    #expect(alice.texts == [], network.trace)
    #expect(alice.problems == ["add a very long text: permission_denied"], network.trace)
  }

  @Test func `what was added offline survives a restart of the application`() {
    let laptop = network.device("laptop", keepsData: true)
    var carol = SharedList(laptop.sync, user: "carol")
    network.settle()
    network.inject(.cut(laptop))
    carol.add("milk")
    network.settle()
    network.inject(.kill(laptop))
    network.inject(.start(laptop, .kept))
    carol = SharedList(laptop.sync, user: "carol")
    network.settle()
    #expect(carol.texts == ["milk"], network.trace)

    network.inject(.heal(laptop))
    network.settle()
    #expect(alice.texts == ["milk"], network.trace)
  }

  @Test func `whatever the latencies and outages, both lists become the same`() {
    network.inject(.latency(.init(.milliseconds(5), through: .milliseconds(900)), nil))
    for round in 1...10 {
      for list in [alice, bob] {
        list.add("\(round)")
        if round % 3 == 0, let item = list.items.first { list.remove(item) }
      }
      network.inject(.drop(round % 2 == 0 ? phone : tablet))
      network.advance(by: .milliseconds(300 * round))
    }
    network.settle()

    #expect(alice.items == bob.items, network.trace)
    #expect(alice.items.count > 10, network.trace)
    #expect(alice.problems == [] && bob.problems == [], network.trace)
  }
}
