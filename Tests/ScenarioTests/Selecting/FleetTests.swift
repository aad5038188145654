import Scenario
import Testing

@Suite struct FleetTests {
  @Test(
    arguments: [
      ([], []), (["no-refill"], ["no-refill"]), (["a", "b"], ["b"]),
      (["alice=sdk", "x"], ["x", "alice=sdk"]),
      (["alice=a", "bob=b", "alice=c"], ["bob=b", "alice=c"]),
      (["alice=node a.js --api=x"], ["alice=node a.js --api=x"]),
    ])
  func `the values of an option become a fleet and are written again`(
    words: [String], again: [String]
  ) {
    var fleet = Fleet()
    fleet.words = words

    #expect(fleet.words == again)
  }

  @Test func `a fleet is described by its clients`() {
    var fleet = Fleet("sdk")
    #expect(fleet.description(rest: "sdk") == "sdk")

    fleet.add(.init(client: "bob", subject: "reference"))

    #expect(fleet.description(rest: "sdk") == "bob: reference, others: sdk")
  }
}
