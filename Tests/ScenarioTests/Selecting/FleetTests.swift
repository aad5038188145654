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

  @Test func `roles are played where no member plays the client`() {
    var fleet = Fleet("sdk")
    fleet.add(.init(client: "bob", subject: "new"))
    fleet.roles = [
      .init(client: "alice", subject: "old"), .init(client: "bob", subject: "old"),
      .init(client: "alice", subject: "web"),
    ]

    #expect(fleet.words == ["sdk", "bob=new"])
    #expect(fleet.playing().words == ["sdk", "alice=web", "bob=new"])
    #expect(fleet.playing(["alice", "carol"]).words == ["sdk", "alice=web"])
    #expect(fleet.playing(["carol"]) == Fleet("sdk"))
    #expect(fleet.description(rest: "sdk") == "alice: web, bob: new, others: sdk")
  }

  @Test func `a fleet is described by its clients`() {
    var fleet = Fleet("sdk")
    #expect(fleet.description(rest: "sdk") == "sdk")

    fleet.add(.init(client: "bob", subject: "reference"))

    #expect(fleet.description(rest: "sdk") == "bob: reference, others: sdk")
  }
}
