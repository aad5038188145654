import ClientInterface
import KennelTesting
import Mutants
import ReferenceClient
import Runs
import TestKit
import Testing

@Suite struct KennelTests {
  @Test(arguments: try Kennel.scenarios("writes"))
  func `the reference client conforms`(scenario: ScenarioCase) throws {
    try scenario.check { ReferenceClient(profile: $0) }
  }

  @Test func `a failure is an issue with the report`() throws {
    let scenario = try #require(try Self.failing().first)
    try withKnownIssue {
      try scenario.check(makeClient: Self.mutant())
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains("FAIL") && $0.rawValue.contains(scenario.id)
      }
    }
  }

  @Test func `what is listed is a known issue, and an issue once it passes`() throws {
    let folder = try Folder()
    let file = folder.path("known.yaml")
    let found = try #require(try Self.failing().first?.run(makeClient: Self.mutant()))
    #expect(found.verdict == .failed)
    let signature = try #require(found.signature)
    let text = """
      kennel: 1
      known:
        - scenario: \(Self.id)
          profiles: [firebase]
          signature: "\(signature)"
          kind: bug
          issue: https://example.org/1
          until: 2199-01-01

      """
    try folder.write(text, to: "known.yaml")
    let scenario = try #require(try Self.failing(knownFailures: file).first)

    #expect(try scenario.run(makeClient: Self.mutant()).verdict == .known)
    try scenario.check(makeClient: Self.mutant())
    #expect(try scenario.run { ReferenceClient(profile: $0) }.verdict == .failed)
  }

  @Test func `each scenario comes once in each of its profiles`() throws {
    let cases = try Kennel.scenarios(Self.id)

    #expect(cases.map(\.description).sorted() == Set(cases.map(\.description)).sorted())
    #expect(cases.map(\.profile.name) == ["wilddog-1", "wilddog-2", "firebase"])
    #expect(throws: (any Error).self) { try Kennel.scenarios("no/such-scenario") }
  }

  private static let id = "limits/refill-after-foreign-removal"

  private static func failing(knownFailures: String? = nil) throws -> [ScenarioCase] {
    try Kennel.scenarios(id, profiles: [.firebase], knownFailures: knownFailures)
  }

  private static func mutant() throws -> (Profile) -> any SyncClient {
    let mutant = try #require(Mutant(named: "no-refill"))
    return { mutant.makeClient($0) }
  }
}
