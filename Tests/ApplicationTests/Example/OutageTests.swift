import Testing
import WilddogSync
import WilddogTesting

@Suite struct OutageTests {
  @Test func `what is added without a network arrives later`() {
    let network = SimulatedNetwork(seed: 7)
    let phone = network.device("phone")
    let alice = SharedList(phone.sync, user: "alice")
    let bob = SharedList(network.device("tablet").sync, user: "bob")
    network.settle()

    network.inject(.cut(phone))
    alice.add("milk")
    network.advance(by: .seconds(3600))
    #expect(bob.texts == [], network.trace)

    network.inject(.heal(phone))
    network.settle()
    #expect(bob.texts == ["milk"], network.trace)
  }
}
