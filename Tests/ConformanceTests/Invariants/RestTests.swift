import ClientInterface
import Testing
import Tree

@testable import Invariants

@Suite struct RestTests {
  @Test func `a server that has something else than it accepted is noticed`() {
    var watch = InvariantMonitor(clients: 0, profile: .firebase, data: Node(json: ["a": 1]))
    watch.judgeSettled(server: Node(json: ["a": 2]), online: [])

    #expect(
      watch.takeFindings().map(\.sentence) == [
        #"the server has {"a":2}, but what it accepted results in {"a":1}"#
      ])
  }
}
