import ClientInterface
import ReferenceClient
import Scenario
import Testing

@testable import Invariants

@Suite struct LawTableTests {
  @Test func `laws say nothing only for the reasons that they state`() {
    var doubts = Doubts()
    for seed in UInt64(1)...60 {
      var session = Session(seed: seed, profile: Profile.all[Int(seed % 3)]) {
        ReferenceClient(profile: $0)
      }
      session.run()
      doubts += session.watch.doubts
    }

    #expect(!doubts.byInvariant.isEmpty)
    for (invariant, reasons) in doubts.byInvariant {
      #expect(Set(reasons.map(\.doubt)).isSubset(of: invariant.doubts), "\(invariant.id)")
    }
  }
}
