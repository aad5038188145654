import ClientInterface
import Mutants
import ReferenceClient
import Testing

@Suite struct InvariantPowerTests {
  @Test(arguments: Defect.all)
  func `each defect breaks the invariant that is about it`(defect: Defect) {
    let found = Self.broken(defect.invariant) { profile in
      MutantClient(client: ReferenceClient(profile: profile), corrupt: defect.corrupt)
    }

    #expect(found.contains(defect.invariant), "\(found.sorted())")
  }

  @Test(arguments: Mutant.examples)
  func `each planted defect breaks an invariant without any expectation`(mutant: Mutant) {
    let found = Self.broken(nil) { mutant.makeClient($0) }

    #expect(!found.isEmpty)
  }

  /// What random sessions with this client break, until the invariant is among it.
  private static func broken(
    _ invariant: String?, client: @escaping (Profile) -> any SyncClient
  ) -> Set<String> {
    var found: Set<String> = []
    for seed in UInt64(1)...60 {
      var session = Session(
        seed: seed, profile: Profile.all[Int(seed % 3)], client: client)
      session.run()
      found.formUnion(session.broken)
      if let invariant, found.contains(invariant) { break }
    }
    return found
  }
}
