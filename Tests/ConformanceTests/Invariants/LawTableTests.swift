import ClientInterface
import ReferenceClient
import Scenario
import Testing

@testable import Invariants

@Suite struct LawTableTests {
  @Test func `each invariant has a law, or is judged by the monitor of the wire`() {
    #expect(Set(Laws.byOccasion.joined().map(\.invariant.id)) == Set(Invariant.all.map(\.id)))
  }

  @Test func `no two laws decide one invariant on one kind of occasion`() {
    for laws in Laws.byOccasion {
      #expect(Set(laws.map(\.invariant.id)).count == laws.count)
    }
  }

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
