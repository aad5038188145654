import ClientInterface
import Conformance
import Testing
import Tree

@Suite struct QueryTextTests {
  @Test(arguments: [
    (Query.all, ""),
    (Query(ordering: .key), "orderByKey()"),
    (Query(ordering: .value, limit: .first(3)), "orderByValue() limitToFirst(3)"),
    (
      Query(ordering: .child("a/b"), start: .init(3), end: .init("x", key: "k")),
      #"orderByChild("a/b") startAt(3) endAt("x", "k")"#
    ),
    (
      Query(start: .init(nil, edge: .exclusive), end: .init(true, edge: .exclusive)),
      "startAfter(null) endBefore(true)"
    ),
    (
      Query(ordering: .value, start: .init(1), end: .init(1), limit: .last(2)),
      "orderByValue() equalTo(1) limitToLast(2)"
    ),
  ])
  func `a query reads as programs write it`(query: Query, text: String) {
    #expect(query.text == text)
  }

  @Test func `a subject tells its name and its place`() {
    let target = Operation.Target("scores", Query(limit: .last(2)))

    #expect(
      Subject.listener(client: "alice", name: "feed", target).text
        == "alice.feed = /scores limitToLast(2)")
    #expect(Subject.call(client: "bob", id: "#2", .set("a/b", .empty)).text == "bob.#2 = set /a/b")
    #expect(Subject.call(client: "bob", id: "#3", .goOffline).text == "bob.#3 = go-offline")
    #expect(Subject.server.text == "server")
  }
}
