import Document
import Faults
import Scenario
import ScenarioFiles
import Testing
import Tree

struct InclusionTests {
  private func problems(
    _ setup: String, _ others: [String: String], steps: String = "[settle]"
  ) -> [String] {
    let text = "kennel: 1\ntitle: T\nrules: [EVT-1]\n\(setup)\nsteps: \(steps)"
    return read(text, file: "Scenarios/a/s.yaml", others: others).problems.map(\.description)
  }

  @Test func `a fragment gives clients, data and opening steps`() throws {
    let result = read(
      """
      kennel: 1
      title: T
      rules: [EVT-1]
      include: [_two, ../_base.yaml]
      clients: [carol]
      matrix: {n: [7]}
      steps:
        - alice.unlisten: feed
      """,
      file: "Scenarios/a/s.yaml",
      others: [
        "Scenarios/a/_two.yaml": "clients: [alice]\nsteps: [alice.listen: {path: a, as: feed}]",
        "Scenarios/_base.yaml":
          "clients: [bob, alice]\ndata: {a: $(n)}\nsecurity: [{path: a, deny: [write]}]",
      ])

    #expect(result.problems == [])
    let scenario = try #require(result.scenarios.first)
    #expect(scenario.clients == ["alice", "bob", "carol"])
    #expect(scenario.data == Node(json: ["a": 7]))
    #expect(scenario.security.map(\.path) == ["a"])
    #expect(
      scenario.steps.map(\.text) == [
        "alice.listen: {path: a, as: feed}", "alice.unlisten: feed",
        "expect: {} (implied at the end)",
      ])
    #expect(
      scenario.steps.map(\.file) == [
        "Scenarios/a/_two.yaml", "Scenarios/a/s.yaml", "Scenarios/a/s.yaml",
      ])
  }

  @Test func `a fragment by itself is checked and gives no scenario`() {
    let good = read("clients: [alice]", file: "Scenarios/_a.yaml")
    let bad = read("client: [alice]", file: "Scenarios/_a.yaml")

    #expect(good.scenarios.isEmpty && good.problems.isEmpty)
    #expect(
      bad.problems.map(\.description) == [
        """
        Scenarios/_a.yaml:1:1: unknown key "client"; did you mean clients?
        """
      ])
  }

  @Test func `a fragment that does not exist is told`() {
    #expect(
      problems("include: [_none, other.yaml, 5]\nclients: [alice]", [:]) == [
        """
        Scenarios/a/s.yaml:4:11: there is no file "Scenarios/a/_none.yaml"; expected the name of \
        a fragment, relative to this file
        """,
        """
        Scenarios/a/s.yaml:4:18: "other.yaml" is not a fragment; expected a file whose name \
        begins with _
        """,
        "Scenarios/a/s.yaml:4:30: include names a number; expected a file name",
      ])
  }

  @Test func `a fragment that cannot be read is told where it is named`() {
    struct Refusal: Error, CustomStringConvertible {
      let description = "it is a device"
    }
    let text =
      "kennel: 1\ntitle: T\nrules: [EVT-1]\ninclude: [_zero]\nclients: [alice]\nsteps: [settle]"
    let result = ScenarioReader.read(
      file: "s.yaml", bytes: Array(text.utf8), load: { _ in throw Refusal() })

    #expect(result.problems.map(\.description) == ["s.yaml:4:11: it is a device"])
  }

  @Test func `fragments that include each other are told`() {
    let others = [
      "Scenarios/a/_x.yaml": "include: [_y]\nclients: [alice]",
      "Scenarios/a/_y.yaml": "include: [_x]",
    ]

    #expect(
      problems("include: [_x]", others) == [
        """
        Scenarios/a/_y.yaml:1:11: "_x" includes itself: Scenarios/a/s.yaml -> \
        Scenarios/a/_x.yaml -> Scenarios/a/_y.yaml -> Scenarios/a/_x.yaml
        """
      ])
  }

  @Test func `mistakes in a fragment are told with its name`() {
    let others = [
      "Scenarios/a/_x.yaml": "clients: [alice]\nsteps: [{alice.remove: a, expect: {}}]\nkey: 1"
    ]

    #expect(
      problems("include: [_x]", others) == [
        """
        Scenarios/a/_x.yaml:2:27: a fragment expects something; expected expectations in the \
        including file
        """,
        """
        Scenarios/a/_x.yaml:3:1: unknown key "key"; expected kennel, title, needs, why, include, \
        clients, start, network, quiet, data, security, tokens, persistence or steps
        """,
      ])
  }

  @Test func `data in two files is told`() {
    let others = ["Scenarios/a/_x.yaml": "clients: [alice]\ndata: {a: 1}"]

    #expect(
      problems("include: [_x]\ndata: {b: 1}", others) == [
        """
        Scenarios/a/s.yaml:5:1: data is stated in Scenarios/a/_x.yaml too; expected it in one file
        """
      ])
  }
}
