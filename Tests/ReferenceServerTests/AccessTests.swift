import Faults
import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct AccessTests {
  private static let refused = #"0: permission_denied "Permission denied""#

  @Test(arguments: ["secret", "secret/deep"] as [Path])
  func `a listen at or below a location that may not be read is refused`(path: Path) {
    var harness = Harness(
      ["secret": ["deep": 1]], security: [SecurityRule("secret", deny: [.read])])

    #expect(harness.send(.listen(path)) == [Self.refused])
    #expect(harness.send(.listen(path, Query(limit: .first(1)), tag: 1)) == [Self.refused])
    #expect(harness.send(.get(path, .all)) == [Self.refused])
    #expect(harness.write(.put(path, Node(2))) == [])
    #expect(harness.server.resources(of: .init(0)) == .init())
  }

  @Test func `a listen above a location that may not be read is heard`() {
    var harness = Harness(
      ["secret": 1], security: [SecurityRule("secret", deny: [.read])])

    #expect(harness.send(.listen("")) == [#"0: put / {"secret":1}"#, "0: ok {}"])
    #expect(harness.send(.put("secret", 2)) == ["0: put /secret 2", "0: ok {}"])
  }

  @Test(arguments: ["locked", "locked/deep", "locked/.priority"] as [Path])
  func `a write at or below a location that may not be written changes nothing`(path: Path) {
    var harness = Harness(["locked": 1], security: [SecurityRule("locked", deny: [.write])])
    _ = harness.send(.listen("locked"))

    #expect(harness.send(.put(path, 2)) == [Self.refused])
    #expect(harness.tree == #"{"locked":1}"#)
  }

  @Test func `of an update with one forbidden location nothing is done`() {
    var harness = Harness(security: [SecurityRule("room/locked", deny: [.write])])
    _ = harness.send(.listen("room"))

    #expect(harness.send(.merge("room", ["a": 1, "locked/x": 2, "z": 3])) == [Self.refused])
    #expect(harness.tree == "null")
    #expect(harness.send(.merge("room", ["a": 1])).last == "0: ok {}")
  }

  @Test func `a forbidden conditional write is refused whatever its hash`() {
    var harness = Harness(["a": 1], security: [SecurityRule("a", deny: [.write])])

    #expect(harness.send(.put("a", 2, if: "")) == [Self.refused])
  }

  @Test func `a rule that comes later holds from then on`() {
    var harness = Harness()
    #expect(harness.send(.put("a", 1)) == ["0: ok {}"])

    harness.server.deny(SecurityRule("a", deny: [.read, .write]))

    #expect(harness.send(.put("a", 2)) == [Self.refused])
    #expect(harness.send(.listen("a")) == [Self.refused])
  }

  @Test func `somebody else's writes follow no rules`() {
    var harness = Harness(security: [SecurityRule("", deny: [.read, .write])])

    _ = harness.write(.put("a", Node(1)))

    #expect(harness.tree == #"{"a":1}"#)
  }

  @Test func `revoking ends the listens at a location and below and says so`() {
    var harness = Harness(connections: 2)
    _ = harness.send(.listen("a/b"))
    _ = harness.send(.listen("a", Query(ordering: .key, limit: .first(1)), tag: 1), from: 1)
    _ = harness.send(.listen("c"), from: 1)

    let sent = harness.collect { $0.server.revoke("a", into: &$1) }

    #expect(
      sent == [
        "0: revoked /a/b", #"1: revoked /a {"l":1,"vf":"l","i":".key"}"#,
      ])
    #expect(harness.write(.put("", Node(json: ["a": 1, "c": 2]))) == ["1: put /c 2"])
    #expect(harness.send(.listen("a/b")) == [Self.refused])
    #expect(harness.send(.listen("")).last == "0: ok {}")
  }
}
