import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct IdentityTests {
  /// Answers the last request of a kind.
  private func answer(_ action: Request.Action, _ status: String, on device: inout Device) {
    guard let request = device.requests.last(where: { $0.request.action == action }) else { return }
    device.give(.frame(.response(.init(to: request.number, status: status))))
  }

  @Test func `the token is stored when it is accepted and erased when its user signs out`() {
    var device = Device(nil)
    device.connect()
    device.call(.authenticate(token: "t1"), as: "in")
    #expect(device.storage == [:])
    answer(.authenticate, "ok", on: &device)
    #expect(device.outputs == [.completed("in", .ok), .store(key: "credential", text: "t1")])

    device.call(.unauthenticate, as: "out")

    #expect(device.storage == [:])
    answer(.unauthenticate, "ok", on: &device)
    #expect(device.outputs == [.completed("out", .ok)])
  }

  @Test func `the stored token is sent before everything but the statistics`() {
    var device = Device(nil, storage: ["credential": "t1"])
    device.call(.listen("a", .init("a"), [.value]))
    device.call(.set("b", Node(1)))
    device.connect()

    #expect(
      device.requests.map(\.request.action) == [.stats, .authenticate, .listen, .put])
  }

  @Test func `with persistence writes wait until the stored token is accepted`() {
    var device = Device(storage: ["credential": "t1"], profile: .wilddog2)
    device.call(.set("a", Node(1)))
    device.connect()
    #expect(device.requests.map(\.request.action) == [.stats, .authenticate])

    answer(.authenticate, "ok", on: &device)

    #expect(device.requests.map(\.request.action) == [.put])
    #expect(device.storage["paused"] == nil)
  }

  @Test func `where writes are not held back they go out at once`() {
    var device = Device(storage: ["credential": "t1"], profile: .firebase)
    device.call(.set("a", Node(1)))
    device.connect()

    #expect(device.requests.map(\.request.action) == [.stats, .authenticate, .put])
  }

  @Test func `when it is refused they wait for another one, and the next process knows`() {
    var device = Device(storage: ["credential": "t1"], profile: .wilddog2)
    device.call(.set("a", Node(1)))
    device.connect()
    answer(.authenticate, "expired_token", on: &device)
    #expect(device.storage["credential"] == nil)
    #expect(device.storage["paused"] == "true")

    device.start()
    device.connect()
    #expect(device.requests.map(\.request.action) == [.stats])
    device.call(.authenticate(token: "t2"))
    answer(.authenticate, "ok", on: &device)

    #expect(device.requests.map(\.request.action) == [.put])
    #expect(device.storage.keys.sorted() == ["credential", "write/0000000001"])
  }

  @Test func `a credential that is taken back is forgotten and the client comes again`() {
    var device = Device(nil, storage: ["credential": "t1"])
    device.connect()

    device.give(.frame(.credentialRevoked(status: "invalid_token", reason: "revoked")))

    #expect(device.storage == [:])
    #expect(device.outputs.contains(.disconnect))
    device.connect()
    #expect(device.requests.map(\.request.action) == [])
  }
}
