import ClientInterface
import Testing
import Tree

@Suite struct EventTests {
  @Test func `a copy of an event is its own`() {
    let event = Event(.childAdded, to: "l", key: "a", previous: .first, value: Node(1))
    var copy = event
    copy.listener = "other"
    copy.type = .value
    copy.key = nil
    copy.previous = .none
    copy.value = Node(2)
    copy.order = .listed(["b"])

    #expect(event == Event(.childAdded, to: "l", key: "a", previous: .first, value: Node(1)))
    #expect(
      copy == Event(.value, to: "other", key: nil, value: Node(2), order: .listed(["b"])))
    #expect(Set([event, copy, event]).count == 2)
  }
}
