import ClientInterface
import Faults
import ReferenceServer
import Testing
import Tree
import Wire

@Suite struct CredentialTests {
  private func harness(connections: Int = 1) -> Harness {
    var harness = Harness(
      ["club": 1, "own": 2], connections: connections,
      security: [
        SecurityRule("club", deny: [.read, .write], unless: .authenticated),
        SecurityRule("own", deny: [.write], unless: .user("ann")),
      ])
    harness.server.tokens = [
      "t1": TokenClaims(user: "ann"), "t2": TokenClaims(user: "ben"),
      "late": TokenClaims(user: "ann", expiry: harness.now + .seconds(1)),
    ]
    return harness
  }

  private func signIn(_ token: String) -> Request { .authenticate(.init(token)) }

  @Test func `a connection has the rights of whoever has signed in on it`() {
    var harness = harness(connections: 2)
    #expect(harness.send(signIn("t2")) == [#"0: ok {"auth":{"uid":"ben"}}"#])

    #expect(harness.send(.put("club", 5)) == ["0: ok {}"])
    #expect(harness.send(.put("own", 5)).first?.hasPrefix("0: permission_denied") == true)
    #expect(harness.send(.put("club", 6), from: 1).first?.hasPrefix("1: permission") == true)
    #expect(harness.tree == #"{"club":5,"own":2}"#)
  }

  @Test func `tokens that are unknown or have expired are refused, each with its reason`() {
    var harness = harness()
    #expect(harness.send(signIn("x")) == [#"0: invalid_token "Invalid token""#])
    #expect(harness.send(signIn("late")).first?.hasPrefix("0: ok") == true)

    harness.now = harness.now + .seconds(1)

    #expect(harness.send(signIn("late")) == [#"0: expired_token "Token has expired""#])
  }

  @Test func `a token that expires while it is used is worth nothing from then on`() {
    var harness = harness()
    _ = harness.send(signIn("late"))
    #expect(harness.send(.put("club", 5)) == ["0: ok {}"])

    harness.now = harness.now + .seconds(1)

    #expect(harness.send(.put("club", 6)).first?.hasPrefix("0: permission_denied") == true)
  }

  @Test func `listens that are not allowed any more end before the answer`() {
    var harness = harness()
    _ = harness.send(signIn("t1"))
    _ = harness.send(.listen("club"))
    _ = harness.send(.listen("own"))

    #expect(harness.send(signIn("t2")) == [#"0: ok {"auth":{"uid":"ben"}}"#])
    #expect(harness.send(.unauthenticate) == ["0: revoked /club", #"0: ok """#])
    #expect(harness.server.resources(of: .init(0)).listens.map(\.path) == ["own"])
  }

  @Test func `a token that is taken back is worth nothing, on no connection`() {
    var harness = harness(connections: 3)
    _ = harness.send(signIn("t1"), from: 0)
    _ = harness.send(signIn("t1"), from: 1)
    _ = harness.send(signIn("t2"), from: 2)

    let reported = harness.collect { $0.server.revokeCredential(of: .init(0), into: &$1) }

    #expect(reported.map { $0.prefix(2) } == ["0:", "1:"])
    #expect(harness.send(.put("club", 5), from: 1).first?.hasPrefix("1: permission") == true)
    #expect(harness.send(.put("club", 5), from: 2) == ["2: ok {}"])
    #expect(harness.send(signIn("t1"), from: 0) == [#"0: invalid_token "Invalid token""#])
    #expect(harness.collect { $0.server.revokeCredential(of: .init(0), into: &$1) } == [])
  }
}
