import ClientInterface
import ReferenceClient
import Testing
import Trace
import Tree
import Wire

@testable import Conformance
@testable import Invariants

@Suite struct RestTests {
  private typealias Entry = History.Entry

  private func set(_ value: Scalar, _ start: Int, _ end: Int?, by client: Int = 0) -> Entry {
    Entry(
      client: ClientIndex(client), call: "c", start: start, end: end, effect: .set(Node(value)),
      isOptional: end == nil)
  }

  private func change(_ before: Scalar, _ after: Scalar, _ start: Int, _ end: Int) -> Entry {
    Entry(
      client: ClientIndex(1), call: "t", start: start, end: end,
      effect: .change(from: Node(before), to: Node(after)))
  }

  private func isLinearizable(_ entries: [Entry], to final: Scalar) -> Bool {
    var search = Linearization(entries, endingWith: Node(final))
    return search.exists(from: Node(0))
  }

  @Test func `sets that overlap may be done in either order`() {
    #expect(isLinearizable([set(1, 1, 9), set(2, 2, 8, by: 1)], to: 1))
    #expect(isLinearizable([set(1, 1, 9), set(2, 2, 8, by: 1)], to: 2))
  }

  @Test func `what ended before something began was done before it`() {
    #expect(!isLinearizable([set(1, 1, 3), set(2, 5, 8, by: 1)], to: 1))
  }

  @Test func `sets of one client are done in the order of the calls`() {
    #expect(!isLinearizable([set(1, 1, 9), set(2, 2, 9)], to: 1))
  }

  @Test func `a transaction finds what was there before it`() {
    #expect(isLinearizable([set(1, 1, 9), change(1, 2, 2, 8)], to: 2))
    #expect(!isLinearizable([change(0, 1, 1, 9), change(0, 1, 2, 8)], to: 1))
  }

  @Test func `what did not end may have been done or not`() {
    #expect(isLinearizable([set(1, 1, nil)], to: 0))
    #expect(isLinearizable([set(1, 1, nil)], to: 1))
    #expect(!isLinearizable([set(1, 1, nil)], to: 2))
  }

  @Test func `a server that has something else than it accepted is noticed`() {
    var watch = InvariantMonitor(clients: 0, profile: .firebase, data: Node(json: ["a": 1]))
    watch.judgeSettled(server: Node(json: ["a": 2]), online: [])

    #expect(
      watch.takeFindings().map(\.sentence) == [
        #"the server has {"a":2}, but what it accepted comes to {"a":1}"#
      ])
  }

  @Test(arguments: ["INV-42", "INV-43"])
  func `transactions that do not look overwrite each other`(invariant: String) {
    let blind = Defect.request("transactions do not look", "") { number, request in
      guard case let .put(path, node, _?) = request else {
        return [.send(.request(number, request))]
      }
      return [.send(.request(number, .put(path, node, hash: nil)))]
    }
    var found: Set<String> = []
    for seed in UInt64(1)...60 where !found.contains(invariant) {
      var session = Session(seed: seed, profile: .firebase, kinds: [.transaction]) { profile in
        MutantClient(client: ReferenceClient(profile: profile), corrupt: blind.corrupt)
      }
      session.run(steps: 8)
      found.formUnion(session.broken)
    }

    #expect(found.contains(invariant))
  }
}
