import ClientInterface
import Conformance
import Mutants
import ReferenceClient
import Reports
import Scenario
import Search
import TestKit
import Testing
import Tree
import Wire

/// What is missing is found whatever forms a client chooses for the rest, and every report states it.
@Suite struct AbsenceFormTests {
  /// What a client does in other forms: it names the host, and tags its listens otherwise.
  private static func freeForms(_ client: any SyncClient) -> ChangedClient {
    ChangedClient(client) { input in
      switch input {
      case let .frame(.put(path, node, tag?)): .frame(.put(path, node, tag: tag - 100))
      case let .frame(.merge(path, parts, tag?)): .frame(.merge(path, parts, tag: tag - 100))
      default: input
      }
    } output: { _, output in
      switch output {
      case .connect: return .connectTo("kennel.test")
      case .send(.request(let number, .listen(var listen))):
        listen.tag = listen.tag.map { $0 + 100 }
        return .send(.request(number, .listen(listen)))
      case let .send(.request(number, .unlisten(path, query, tag))):
        return .send(.request(number, .unlisten(path, query: query, tag: tag.map { $0 + 100 })))
      default: return output
      }
    }
  }

  /// A client that listens to everything where it is asked for the child `doc`.
  private static func wideListens() -> ChangedClient {
    ChangedClient(.wilddog2) { input in
      if case let .frame(.put(path, node, nil)) = input, path.isRoot {
        .frame(.put("doc", node["doc" as Path], tag: nil))
      } else {
        input
      }
    } output: { _, output in
      switch output {
      case let .send(.request(number, .listen(listen))) where listen.query == nil:
        .send(.request(number, .listen(.init(path: .root))))
      case let .send(.request(number, .unlisten(_, nil, nil))):
        .send(.request(number, .unlisten(.root, query: nil, tag: nil)))
      default: output
      }
    }
  }

  private static let listens = """
    data: {doc: {a: 1, b: 2}}
    steps:
      - alice.listen: {path: doc, event: value, as: all}
      - settle
      - network.cut: alice
      - network.heal: alice
      - alice.unlisten: all
      - alice.listen: {path: doc, event: value, query: {limitToFirst: 1}, as: window}
      - settle
      - server.set: {path: doc/a, value: 3}
      - alice.unlisten: window
      - settle
    """

  @Test func `what a client does in other forms is not missing`() throws {
    let scenario = try AbsenceTests.scenario(Self.listens)
    let forms = ScenarioRunner { Self.freeForms(Kit.reference($0, $1)) }
    let wide = ScenarioRunner { _, _ in Self.wideListens() }

    for runner in [forms, wide] {
      let result = runner.run(scenario, in: .wilddog2)
      let missing = result.missingActions { ReferenceClient(profile: .wilddog2) }
      #expect(missing.allSatisfy { $0.output == .send(.ping) })
    }
  }

  @Test(arguments: [0, 5, 10, 11])
  func `what is missing is found where the rest has other forms`(number: Int) throws {
    let defect = AbsenceTests.defects[number]
    let mutant = try #require(Mutant.all.first { $0.name == defect.mutant })
    let runner = ScenarioRunner { Self.freeForms(mutant.makeClient($1)) }
    let result = runner.run(try AbsenceTests.scenario(defect.steps), in: .wilddog2)

    let text = Kit.report.text(of: result)
    let sentence = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(sentence.contains(defect.missing), "\(text)")
  }

  @Test func `a report states what is missing, and when, though expected events are listed`()
    throws
  {
    let mutant = try #require(Mutant.all.first { $0.name == "revocation-ignored" })
    let scenario = try AbsenceTests.scenario(
      """
      data: {room: {a: 1}}
      steps:
        - alice.listen: {path: room, event: value, as: feed}
        - expect: {alice.feed: [{value: {a: 1}}]}
        - server.revoke: room
        - alice.set: {path: other, value: 1, as: w}
        - expect: {alice.feed: [{cancelled: permission_denied}], alice.w: {ok: true}}
      """)

    let text = Kit.report.text(of: Kit.failingSetup(mutant).runner.run(scenario, in: .wilddog2))
    let marked = text.split(separator: "\n").filter { $0.hasPrefix("  > ") }
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(
      words.contains("a conforming client cancels feed: permission_denied; alice never does"),
      "\(text)")
    #expect(marked.count == 1, "\(text)")
    #expect(marked.allSatisfy { $0.hasSuffix("(missing) cancels feed: permission_denied") })
  }
}
