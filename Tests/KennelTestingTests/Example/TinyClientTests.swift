import KennelTesting
import Testing

@Suite struct TinyClientTests {
  @Test(
    arguments: try Kennel.scenarios(
      "writes/tiny-client", "values/empty-place", "guides/posts-child-added"))
  func `the client does what the scenarios say`(scenario: Kennel.Case) throws {
    try scenario.check { _ in TinyClient() }
  }
}
