import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing

@Suite struct SweepTests {
  private let story = """
    clients: [alice, bob]
    data: {room: {a: 1}}
    steps:
      - bob.listen: {path: room, event: value, as: feed}
      - expect: {bob.feed: [{value: {a: 1}}]}
      - alice.set: {path: room/b, value: 2}
        expect: {server: {room: {a: 1, b: 2}}, bob.feed: [{value: {a: 1, b: 2}}]}
    """

  private func sweeper(
    client: @escaping ScenarioRunner.Factory = { ReferenceClient(profile: $1) }
  ) -> Sweeper {
    Sweeper(client: client)
  }

  private func dropping() -> Sweeper {
    sweeper { Mutant.droppedWrite.makeClient($1) }
  }

  @Test(arguments: Profile.all)
  func `whatever goes wrong, a right client keeps what always holds`(profile: Profile) throws {
    let sweep = sweeper().sweep(try Kit.scenario(story), in: profile)

    #expect(sweep.verdict == .pass)
    #expect(sweep.points > 8)
    #expect(
      sweep.kinds.map(\.name) == [
        "cut", "drop", "lost-acknowledgement", "late-close", "stall", "half-open", "kill",
        "restart", "stale-hash",
      ])
    // For each client seven, and two for the server.
    #expect(sweep.runs == sweep.points * (2 * 7 + 2))
    #expect(sweep.takesEffect > sweep.runs / 2 && sweep.takesEffect < sweep.runs)
    #expect(sweep.kinds.filter { $0.takesEffect == 0 }.map(\.name) == ["stale-hash"])
  }

  @Test func `storage goes wrong as well where a client keeps something`() throws {
    let scenario = try Kit.scenario(
      "clients: [alice]\npersistence: true\nsteps: [alice.set: {path: a, value: 1}]")
    let sweep = sweeper().sweep(scenario, in: .firebase)

    #expect(sweep.verdict == .pass)
    #expect(
      sweep.kinds.map(\.name).suffix(5) == [
        "kill", "roll-back", "write-error", "restart", "stale-hash",
      ])
  }

  @Test func `a defect that needs a fault is found, with where the fault struck`() throws {
    let scenario = try Kit.scenario(story)
    let sweep = dropping().sweep(scenario, in: .firebase)

    #expect(sweep.verdict == .fail)
    #expect(sweep.findings.count == 1)
    #expect(sweep.findings[0].signature?.text.hasPrefix("inv-39") == true)
    #expect(sweep.findings[0].count == sweep.failures)
    #expect(sweep.findings[0].faults.contains("cut:alice"))
    let injection = sweep.findings[0].witness.injection
    let again = dropping().run(scenario, in: .firebase, with: injection)
    #expect(again?.result.hash == sweep.findings[0].witness.result.hash)
    #expect(sweeper().run(scenario, in: .firebase, with: injection)?.result.verdict == .pass)
  }

  @Test func `an object as a client makes no difference but in time`() throws {
    let scenario = try Kit.scenario(story)
    let values = sweeper().sweep(scenario, in: .firebase)
    let objects = sweeper { Shared(ReferenceClient(profile: $1)) }.sweep(scenario, in: .firebase)

    #expect(objects.verdict == .pass)
    #expect(objects.points == values.points)
    #expect(objects.kinds == values.kinds)
  }

  @Test func `a fault of the scenario itself is none of those that are counted`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - network.cut: alice
        - alice.set: {path: a, value: 1}
        - network.heal: alice
        - expect: {server: {a: 1}}
      """)
    let sweep = sweeper().sweep(scenario, in: .firebase)

    #expect(sweep.verdict == .pass)
    #expect(sweep.takesEffect < sweep.runs)
    #expect(sweep.kinds.last == .init(name: "stale-hash", runs: sweep.points, takesEffect: 0))
  }

  @Test func `what fails without a fault is not tried`() throws {
    let scenario = try Kit.scenario("clients: [alice]\nsteps: [expect: {server: 1}]")

    let sweep = sweeper().sweep(scenario, in: .firebase)

    #expect(sweep.verdict == .unsupported)
    #expect(sweep.reason == "it fails without any fault")
    #expect(sweep.runs == 0)
    let injection = Sweep.FaultInjection(fault: "flood:alice", point: 0)
    #expect(sweeper().run(scenario, in: .firebase, with: injection) == nil)
  }

  @Test func `a fault and its moment read as they are written`() {
    #expect(Sweep.FaultInjection(text: "cut:alice@17") == .init(fault: "cut:alice", point: 17))
    #expect(Sweep.FaultInjection(fault: "restart", point: 3).description == "restart@3")
    for text in ["cut", "cut@", "@1", "cut@-1", "cut@x", "a@1@2"] {
      #expect(Sweep.FaultInjection(text: text) == nil)
    }
  }
}

@Suite struct SweepReportTests {
  private let report = SearchReport(TextReport(rules: RuleBook(files: []))) {
    guard case let .fault(fault) = $1 else { return [] }
    return ["--profile", $0.profile, "--fault", "\(fault)", "--seed", "1"]
  }
  private let body = "clients: [alice]\nsteps: [alice.set: {path: a, value: 1}]"

  @Test func `a sweep tells how many faults there were and which did nothing`() throws {
    let sweep = Sweeper { ReferenceClient(profile: $1) }
      .sweep(try Kit.scenario(body), in: .firebase)

    #expect(
      report.text(of: sweep) == """
        swept     test/example  firebase
                  \(sweep.points) points, \(sweep.runs) runs with one fault, \(sweep.takesEffect) of them changed by it: none fails
                  never changed anything: stale-hash


        """)
    #expect(
      SweepSummary.text(of: [sweep]) == """
        \(sweep.runs) runs with one fault, \(sweep.takesEffect) of them changed by it

        1 passed, 0 failed, 0 skipped

        """)
    #expect(
      SweepSummary.line(of: sweep).contains(
        #""faults":[{"fault":"cut","runs":\#(sweep.points),"changed":"#))
  }

  @Test func `a failure is told with its fault and the moment, and how to see it again`() throws {
    let sweep = Sweeper { Mutant.droppedWrite.makeClient($1) }
      .sweep(try Kit.scenario(body), in: .firebase)
    let text = report.text(of: sweep)

    #expect(text.contains("\n  \(sweep.failures) runs with inv-39 set\n    after cut:alice, "))
    #expect(text.contains("FAIL  An example   step "))
    #expect(
      text.contains(
        "  replay  tools/kennel explore test/example --profile firebase "
          + "--fault \(sweep.findings[0].witness.injection) --seed 1\n"))
    #expect(
      text.contains("\n  cut:alice struck after: \(sweep.findings[0].witness.moment)\n"))
    #expect(SweepSummary.text(of: [sweep]).contains("\n  FAIL  test/example  firebase\n"))
    #expect(SweepSummary.line(of: sweep).contains(#""signature":"inv-39 set""#))
    #expect(
      SweepSummary.json(of: [sweep]).hasPrefix(
        #"{"summary":{"sweeps":1,"runs":\#(sweep.runs),"passed":0,"failed":1,"skipped":0,"#))
  }

  @Test func `a fault can strike at the very beginning`() throws {
    let scenario = try Kit.scenario(
      "clients: [alice]\nstart: opening\nsteps: [alice.set: {path: a, value: 1}]")
    let witness = try #require(
      Sweeper { ReferenceClient(profile: $1) }
        .run(scenario, in: .firebase, with: .init(fault: "drop:alice", point: 0)))

    #expect(
      report.text(of: witness) == "\n  drop:alice struck after: alice  asks for a connection\n")
  }

  @Test func `what is not tried says why`() throws {
    let sweep = Sweeper { ReferenceClient(profile: $1) }
      .sweep(try Kit.scenario("clients: [alice]\nsteps: [expect: {server: 1}]"), in: .firebase)

    #expect(
      report.text(of: sweep)
        == "skipped   test/example  firebase\n          it fails without any fault\n\n")
  }
}
