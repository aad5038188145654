import ClientInterface
import Faults
import Scenario
import ScenarioFiles
import Testing

/// What a scenario states about its clients before the steps.
@Suite struct SetupTests {
  @Test func `tokens and whom a rule spares are read`() throws {
    let result = read(
      scenarioHead + """
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

  @Test func `security may refuse nothing`() throws {
    let result = read(scenarioHead + "security: []\nsteps: [settle]")

    #expect(result.problems == [])
    #expect(result.scenarios.first?.security == [])
  }

  private func persistence(_ text: String) throws -> [String: ClientInput.Persistence] {
    let result = read(scenarioHead + "persistence: \(text)\nsteps: [settle]")
    #expect(result.problems == [])
    return try #require(result.scenarios.first).persistence
  }

  @Test func `persistence is for everyone or for some`() throws {
    let tenMegabytes = ClientInput.Persistence()
    let twoKilobytes = ClientInput.Persistence(cacheBytes: 2048)

    #expect(try persistence("true") == ["alice": tenMegabytes, "bob": tenMegabytes])
    #expect(try persistence("false") == [:])
    #expect(try persistence("{cache: 2KB}") == ["alice": twoKilobytes, "bob": twoKilobytes])
    #expect(try persistence("{alice: {cache: 2KB}, bob: false}") == ["alice": twoKilobytes])
    #expect(try persistence("{cache: 10MB}")["bob"] == tenMegabytes)
  }
}
