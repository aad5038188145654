import ClientInterface
import Document
import Faults
import ReferenceServer
import Scenario
import ServerHost
import TestKit
import Testing
import Tree

/// What a server under test is given before a run: rules that deny, as those of a database, and tokens.
@Suite struct ServerSetupTests {
  private static let rules: [(security: String, rules: String)] = [
    ("[{path: /, deny: [read, write]}]", #"{".read":"false",".write":"false"}"#),
    (
      "[{path: a, deny: [write], unless: {uid: ann}}, {path: a, deny: [write], unless: authenticated}]",
      #"{".read":"true",".write":"auth != null && auth.uid == \"ann\" && auth != null","a":"#
        + #"{".read":"true",".write":"auth != null && auth.uid == \"ann\" && auth != null"},"#
        + #""$other0":{".read":"true",".write":"true"}}"#
    ),
    (
      "[{path: a/b, deny: [read]}]",
      #"{".read":"false",".write":"true","a":{".read":"false",".write":"true","#
        + #""b":{".read":"false",".write":"true"},"$other1":{".read":"true",".write":"true"}},"#
        + #""$other0":{".read":"true",".write":"true"}}"#
    ),
  ]

  private func scenario(_ head: String) throws -> Scenario {
    try Kit.scenario("clients: [alice]\n\(head)\nsteps: [settle]\n", rules: "WRT-1")
  }

  @Test(arguments: rules.indices)
  func `what is denied is allowed nowhere above`(index: Int) throws {
    let setup = ServerSetup(try scenario("security: " + Self.rules[index].security))
    #expect(setup.rules?.text == #"{"rules":\#(Self.rules[index].rules)}"#)
  }

  @Test func `rules decide as what is denied does, for every user`() throws {
    let scenario = try scenario(
      "security: [{path: a, deny: [write]}, {path: b/c, deny: [read], unless: authenticated},"
        + " {path: b/d, deny: [read, write], unless: {uid: ann}}]")
    let text = try #require(ServerSetup(scenario).rules?.text)
    let rules = try #require(SecurityRules.read(Array(text.utf8)).rules)
    for user in ["ann", "ben", nil] {
      let auth: JSON = user.map { ["uid": .string($0)] } ?? .null
      let request = RuleRequest(auth: auth, time: 0)
      for path in ["a", "a/x", "b/c", "b/c/x", "b/d", "b/e", "e"] as [Path] {
        let denied = scenario.security.filter { path.starts(with: $0.path) && $0.applies(to: user) }
        #expect(
          rules.allowRead(of: path, nil, in: .empty, for: request)
            == denied.allSatisfy { !$0.deny.contains(.read) }, "\(path) \(user ?? "")")
        #expect(
          rules.allowWrite(to: [path], from: .empty, to: .empty, for: request)
            == denied.allSatisfy { !$0.deny.contains(.write) }, "\(path) \(user ?? "")")
      }
    }
  }

  @Test func `without rules none are given`() throws {
    #expect(ServerSetup(try scenario("data: {a: 1}")).rules == nil)
    let own = ServerSetup(try scenario("security: {rules: {.read: true}}"))
    #expect(own.rules?.text == #"{"rules":{".read":true}}"#)
  }

  @Test func `tokens are those that servers for tests accept`() throws {
    let now = Instant(milliseconds: 1_480_000_000_700)
    let scenario = try scenario("tokens: {t: {uid: ann, expires: 10s}, u: {uid: \"ü/?\"}}")
    let tokens = ServerSetup(scenario).tokens(at: now)
    let first = try #require(tokens["t"].flatMap { TokenClaims(unsigned: $0) })
    #expect(first.user == "ann" && first.expiry == now + .seconds(10))
    #expect(tokens["u"].flatMap { TokenClaims(unsigned: $0) }?.user == "ü/?")
    #expect(Set(tokens.keys) == ["t", "u"])
  }
}
