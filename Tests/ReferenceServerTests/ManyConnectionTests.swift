import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct ManyConnectionTests {
  private static let paths: [Path] = ["a", "a/b", "a/b/c", "a/d", "e", "e/f", .root]

  @Test func `many connections are sent what each is sent alone`() {
    let count = 60
    var together = Harness(connections: count)
    var alone = (0..<count).map { number in
      var harness = Harness(connections: 0)
      _ = harness.open(number)
      return harness
    }
    for step in 0..<1200 {
      let number = step * 37 % count
      let path = Self.paths[step * 11 / 3 % Self.paths.count]
      switch step % 8 {
      case 0, 1, 2:
        let sent = together.send(.listen(path), from: number)
        #expect(sent == alone[number].send(.listen(path), from: number), "step \(step)")
      case 3:
        let request = Request.unlisten(path, query: nil, tag: nil)
        let sent = together.send(request, from: number)
        #expect(sent == alone[number].send(request, from: number), "step \(step)")
      case 4 where step % 40 == 4: #expect(together.close(number) == alone[number].close(number))
      default:
        let write = ReferenceServer.Write.put(path, Node(.number(Double(step))))
        let expected = alone.indices.flatMap { alone[$0].write(write) }
        #expect(together.write(write) == expected, "step \(step)")
      }
    }
    #expect(together.server.openConnections.count > 24)
  }

  @Test func `one of two listens at a location ends, and the other goes on`() {
    var harness = Harness(connections: 30)
    _ = harness.send(.listen("a"), from: 3)
    _ = harness.send(.listen("a", Query(limit: .first(1)), tag: 1), from: 3)
    #expect(harness.write(.put("a/b", Node(1))).count == 2)

    _ = harness.send(.unlisten("a", query: Query(limit: .first(1)), tag: 1), from: 3)

    #expect(harness.write(.put("a/b", Node(2))) == ["3: put /a/b 2"])
  }
}
