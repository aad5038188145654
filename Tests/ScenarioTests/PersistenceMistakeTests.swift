import ClientInterface
import Scenario
import ScenarioFiles
import Testing

@Suite struct PersistenceMistakeTests {
  @Test(arguments: mistakes)
  func `mistakes in what is kept are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  static let mistakes = [
    Mistake(
      setup: "persistence: 5",
      "5:14: persistence is a number; expected true, false or {cache: SIZE}"),
    Mistake(
      setup: "persistence: {cache: 5}",
      "5:22: cache is a number; expected a string; put it in quotes"),
    Mistake(
      setup: "persistence: {cache: 5GB}",
      """
      5:22: cache is "5GB"; expected a size such as 200B, 64KB or 10MB
      """),
    Mistake(
      setup: "persistence: {alice: {kash: 5MB}}",
      """
      5:22: the persistence of alice has no cache; expected cache: ...
      5:23: unknown key "kash"; expected cache
      """),
    Mistake(
      setup: "persistence: {alicia: true}",
      """
      5:15: unknown key "alicia"; expected cache, alice or bob; did you mean alice?
      """),
    Mistake(
      setup: "persistence: {alice: yes}",
      "5:22: the persistence of alice is a string; expected true, false or {cache: SIZE}"),
  ]

  @Test(arguments: [
    Mistake(
      steps: ["alice.keep-synced: {on: true}"],
      "6:24: alice.keep-synced has no path; expected path: ..."),
    Mistake(
      steps: ["alice.keep-synced: {path: a, on: yes}"],
      "6:38: on is a string; expected true or false"),
    Mistake(
      steps: ["alice.keep-synced: {path: a, as: s}"],
      """
      6:34: unknown key "as"; expected path, query or on
      """),
  ])
  func `mistakes in synchronisation are told with their place`(mistake: Mistake) {
    #expect(mistake.found == mistake.expected)
  }

  private func persistence(_ text: String) throws -> [String: ClientInput.Persistence] {
    let result = read(Mistake.head + "persistence: \(text)\nsteps: [settle]")
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
