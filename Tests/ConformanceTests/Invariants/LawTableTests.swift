import Scenario
import Testing

@testable import Invariants

@Suite struct LawTableTests {
  @Test func `each invariant has a law, or is judged by the monitor of the wire`() {
    #expect(Set(Laws.invariants.map(\.id)) == Set(Invariant.all.map(\.id)))
  }

  @Test func `no two laws decide one invariant on one kind of occasion`() {
    for laws in Laws.byOccasion {
      #expect(Set(laws.map(\.id)).count == laws.count)
    }
  }
}
