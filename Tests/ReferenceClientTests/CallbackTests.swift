import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

/// Calls from inside callbacks.
@Suite struct CallbackTests {
  private func device(listening events: Set<EventType> = [.childAdded, .value]) -> Device {
    var device = Device(nil)
    device.connect()
    device.call(.listen("feed", .init("room"), events))
    device.answerListen(at: "room", with: ["a": 1])
    return device
  }

  /// What is raised and called, in words without values.
  private func shown(_ device: Device) -> [String] {
    device.outputs.compactMap { output in
      switch output {
      case let .event(event): "\(event.listener.name) \(event.type.rawValue)"
      case let .calling(call): "calling \(call.name)"
      case let .returned(call): "returned \(call.name)"
      case let .answered(call, _): "answered \(call.name)"
      case let .threw(call, _): "threw \(call.name)"
      case .send(.request(_, .put)): "put"
      default: nil
      }
    }
  }

  @Test func `what is due already comes first`() {
    var device = device()
    device.call(
      .on(
        Reaction(
          in: .event("feed", .childAdded), [.init("w", .set("room/c", Node(3)))])))

    device.call(.set("room/b", Node(2)), as: "x")

    #expect(
      shown(device) == [
        "put", "feed child_added", "calling w", "returned w", "feed value", "put",
        "feed child_added", "feed value",
      ])
  }

  @Test func `only the nth callback counts, and only once`() {
    var device = device(listening: [.value])
    device.call(
      .on(Reaction(in: .event("feed", nil), nth: 2, [.init("w", .goOffline)])))

    device.call(.set("room/a", Node(2)))
    #expect(shown(device) == ["put", "feed value"])
    device.call(.set("room/a", Node(3)))
    #expect(shown(device) == ["put", "feed value", "calling w", "returned w"])
    device.call(.set("room/a", Node(4)))
    #expect(shown(device) == ["feed value"])
  }

  @Test func `a listener that is removed receives nothing of what was due`() {
    var device = device()
    device.call(
      .on(Reaction(in: .event("feed", .childAdded), [.init("r", .unlistenAll(.init("room")))])))

    device.call(.set("room/b", Node(2)))

    #expect(shown(device) == ["put", "feed child_added", "calling r", "returned r"])
  }

  @Test func `what a call returns comes before it has returned`() {
    var device = device(listening: [.value])
    device.call(
      .on(
        Reaction(
          in: .event("feed", .value),
          [.init("p", .push("list", nil)), .init("bad", .set("a.b", Node(1)))])))

    device.call(.set("room/b", Node(2)))

    #expect(
      shown(device) == [
        "put", "feed value", "calling p", "answered p", "returned p", "calling bad", "threw bad",
        "returned bad",
      ])
  }
}
