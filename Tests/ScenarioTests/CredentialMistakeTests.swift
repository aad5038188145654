import ClientInterface
import Faults
import Scenario
import ScenarioFiles
import Testing
import Tree

@Suite struct CredentialMistakeTests {
  @Test(arguments: mistakes)
  func `mistakes about signing in are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let mistakes = [
    Mistake(
      setup: "tokens: t1",
      "5:9: tokens is a string; expected {TOKEN: {uid: NAME}}"),
    Mistake(
      setup: "tokens: {}",
      "5:9: tokens is empty; expected {TOKEN: {uid: NAME}}"),
    Mistake(
      setup: "tokens: {t1: ann}",
      "5:14: the token t1 is a string; expected a mapping with the keys uid, expires"),
    Mistake(
      setup: "tokens: {t1: {expires: 5}}",
      """
      5:14: the token t1 has no uid; expected uid: ...
      """),
    Mistake(
      setup: "tokens: {t1: {uid: ann, expires: 5}}",
      "5:34: expires is a number; expected a duration such as 30ms, 5s or 1m"),
    Mistake(
      setup: "security: [{path: a, deny: [read], unless: authentic}]",
      """
      5:44: unknown exemption "authentic"; expected authenticated or {uid: NAME}; did you mean \
      authenticated?
      """),
    Mistake(
      setup: "security: [{path: a, deny: [read], unless: {user: ann}}]",
      """
      5:44: unless has no uid; expected uid: ...
      5:45: unknown key "user"; expected uid
      """),
    Mistake(
      steps: ["alice.auth: {}"],
      "6:17: alice.auth has no token; expected token: ..."),
    Mistake(
      steps: ["alice.auth: {token: 5}"],
      "6:25: token is a number; expected a string; put it in quotes"),
    Mistake(
      steps: ["alice.auth: {token: t, as: in}"],
      """
      6:32: no expectation lists the outcome of in; expected it where the call completes, or no name
      """),
    Mistake(
      steps: ["alice.unauth: {as: out}", "expect: {alice.out: {committed: true}}"],
      """
      7:26: out is a request to sign in or out and has no committed; expected ok, error or threw
      """),
    Mistake(
      steps: ["server.revoke: {path: a.b}"],
      """
      6:27: key "a.b" contains "."; keys may not contain . # $ [ ] /
      """),
    Mistake(
      steps: ["server.revoke-auth: carol"],
      """
      6:25: unknown client "carol"; expected alice or bob
      """),
    Mistake(
      steps: ["server.revok: a"],
      """
      6:5: unknown server step "revok"; expected set, update, remove, reject, revoke, \
      revoke-auth, restart, redirect, shutdown, clock or stale; did you mean revoke?
      """),
  ]

  @Test func `tokens and whom a rule spares are read`() throws {
    let result = read(
      Mistake.head + """
        tokens: {t1: {uid: ann}, t2: {uid: ben, expires: 2s}}
        security:
          - {path: a, deny: [read], unless: authenticated}
          - {path: b, deny: [read], unless: {uid: ann}}
          - {path: c, deny: [read]}
        steps: [settle]
        """)
    let scenario = try #require(result.scenarios.first)

    #expect(
      scenario.tokens == [
        "t1": .init(user: "ann"), "t2": .init(user: "ben", lifetime: .seconds(2)),
      ])
    #expect(scenario.security.map(\.unless) == [.authenticated, .user("ann"), .noUser])
  }
}
