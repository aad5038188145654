package import AdapterSessions
package import ClientInterface
package import Conformance
import Document
import Metamorphic
package import Scenario
import System
import Trace
import Tree

/// Runs of scenarios in which several implementations play the clients in every combination.
///
/// What an implementation does alone is tested by `kennel run`. The matrix shows what only a
/// combination does: a pair of implementations of which each passes a scenario alone, and which fail it
/// together.
package struct FleetMatrix {
  /// What can play a client.
  package struct Implementation {
    /// As `--client` or a command line names it.
    package var name: String
    package var subject: ClientUnderTest

    package init(name: String, subject: ClientUnderTest) {
      (self.name, self.subject) = (name, subject)
    }
  }

  /// A run in which each client is played by one of the implementations.
  package struct Run {
    /// The implementation of each client, in the order of the scenario's clients.
    package let parts: [Int]
    package let verdict: Verdict
    /// What went wrong; empty where nothing did.
    package let sentence: String

    /// Keeps of a result what is reported: a matrix has many runs.
    package init(parts: [Int], _ result: ScenarioResult) {
      self.parts = parts
      verdict = result.verdict
      sentence = result.verdict.count == .passed ? "" : result.sentence
    }

    /// Whether one implementation plays all clients.
    package var isAlone: Bool { Set(parts).count < 2 }
    package var hasFailed: Bool { verdict.count == .failed }
    package var isJudged: Bool { verdict.count != .skipped }
  }

  /// The runs of a scenario in a profile.
  package struct Row {
    package var scenario: Scenario
    package var profile: Profile
    /// Those of one implementation alone come first.
    package var runs: [Run]
    /// How many combinations were left out, as clients that do the same only change places in them.
    package var leftOut = 0
  }

  package let implementations: [Implementation]
  /// Whether combinations are left out in which clients that do the same only change places.
  private let isReduced: Bool

  /// Whether a program has failed so often that nothing more is run.
  package var hasGivenUp: Bool { implementations.contains { $0.subject.hasGivenUp } }

  package init(_ implementations: [Implementation], isReduced: Bool = true) {
    (self.implementations, self.isReduced) = (implementations, isReduced)
  }

  /// Runs a scenario with every combination, or one of those that are alike.
  ///
  /// - Complexity: At most as many runs as implementations to the power of clients.
  package func row(_ scenario: Scenario, in profile: Profile, seed: UInt64) -> Row {
    let all = Self.combinations(of: scenario.clients.count, among: implementations.count)
    let combinations =
      isReduced ? Self.reduced(all, by: scenario.interchangeableClients) : all
    let runs = combinations.map { Run(parts: $0, run(scenario, in: profile, seed: seed, $0)) }
    return Row(
      scenario: scenario, profile: profile,
      runs: runs.filter(\.isAlone) + runs.filter { !$0.isAlone },
      leftOut: all.count - combinations.count)
  }

  /// Leaves one of the combinations that are the same but for clients that change places.
  ///
  /// - Parameters:
  ///   - combinations: All of them.
  ///   - groups: For each client the first one with which it can change places.
  /// - Returns: Those that are left, in the same order.
  static func reduced(_ combinations: [[Int]], by groups: [Int]) -> [[Int]] {
    combinations.filter { parts in
      parts.indices.allSatisfy { index in
        parts.indices.prefix(index).last { groups[$0] == groups[index] }
          .map { parts[$0] <= parts[index] } ?? true
      }
    }
  }

  private func run(
    _ scenario: Scenario, in profile: Profile, seed: UInt64, _ parts: [Int]
  ) -> ScenarioResult {
    let places = Dictionary(
      zip(scenario.clients, parts), uniquingKeysWith: { first, _ in first })
    return ClientUnderTest(fleet: implementations.map(\.subject), places).runner(seed: seed)
      .run(scenario, in: profile)
  }

  /// All ways to give some clients one of several parts each, in the order of counting.
  static func combinations(of clients: Int, among parts: Int) -> [[Int]] {
    (0..<clients).reduce([[]]) { shorter, _ in
      shorter.flatMap { start in (0..<parts).map { start + [$0] } }
    }
  }
}

extension FleetMatrix.Row {
  /// The implementations that fail the scenario alone.
  package var failingAlone: Set<Int> {
    Set(runs.filter { $0.isAlone && $0.hasFailed }.flatMap(\.parts))
  }

  /// Whether a run was judged in which just these implementations play clients.
  package func isJudged(_ implementations: Set<Int>) -> Bool {
    runs.contains { $0.isJudged && Set($0.parts) == implementations }
  }

  /// The runs that fail though each of their implementations passes alone.
  ///
  /// A run with one that is not judged alone says nothing about a pair.
  package var divergent: [FleetMatrix.Run] {
    let passing = Set(
      runs.filter { $0.isAlone && $0.isJudged && !$0.hasFailed }.flatMap(\.parts))
    return runs.filter { !$0.isAlone && $0.hasFailed && passing.isSuperset(of: $0.parts) }
  }

  /// The pairs that fail together. Of a run with more than two implementations that is one pair only
  /// where no pair of them fails without the others: then all of its pairs.
  package var pairs: Set<[Int]> {
    let sets = divergent.map { Set($0.parts) }
    let two = Set(sets.filter { $0.count == 2 }.map { $0.sorted() })
    return sets.filter { $0.count > 2 }.reduce(into: two) { pairs, set in
      let own = set.flatMap { first in set.filter { $0 > first }.map { [first, $0] } }
      if two.isDisjoint(with: own) { pairs.formUnion(own) }
    }
  }
}

extension FleetMatrix {
  /// `alice=reference bob=old`.
  private func words(_ run: Run, of scenario: Scenario) -> [String] {
    zip(scenario.clients, run.parts).map { "\($0)=\(implementations[$1].name)" }
  }

  /// `alice: reference, bob: old 1.2`.
  private func players(_ run: Run, of scenario: Scenario) -> String {
    zip(scenario.clients, run.parts).map { "\($0): \(implementations[$1].subject.name)" }
      .joined(separator: ", ")
  }

  /// What is new in a row, as text: runs that diverge together, each with the command that repeats it and
  /// an empty line behind it; nothing where there are none.
  package func text(of row: Row) -> String {
    row.divergent.map { run in
      let clients = words(run, of: row.scenario)
      let command =
        [programWord, "run", shellWord(row.scenario.id), "--profile", row.profile.name]
        + clients.flatMap { ["--client", shellWord($0)] }
      return """
        DIVERGES  \(row.scenario.id)  \(row.profile.name)
          \(players(run, of: row.scenario))
          \(run.sentence)
          \(command.joined(separator: " "))


        """
    }.joined()
  }

  /// The table of pairs, and of what each implementation fails alone.
  package func summary(of rows: [Row]) -> String {
    var lines: [String] = []
    for (index, implementation) in implementations.enumerated() {
      lines.append(
        line("\(implementation.name) alone", rows.filter { $0.isJudged([index]) }) {
          $0.failingAlone.contains(index)
        })
    }
    for first in implementations.indices {
      for second in implementations.indices where second > first {
        let name = "\(implementations[first].name) with \(implementations[second].name)"
        lines.append(
          line(name, rows.filter { $0.isJudged([first, second]) }) {
            $0.pairs.contains([first, second])
          })
      }
    }
    let leftOut = rows.reduce(0) { $0 + $1.leftOut }
    if leftOut > 0 {
      let all = counted(leftOut + rows.reduce(0) { $0 + $1.runs.count }, "run")
      lines.append("left out \(leftOut) of \(all), in which clients that do the same change places")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ name: String, _ rows: [Row], fails: (Row) -> Bool) -> String {
    if rows.isEmpty { return "\(name): nothing was judged" }
    let failed = rows.filter(fails)
    guard let first = failed.first else { return "\(name): passes \(rows.count)" }
    return "\(name): fails \(failed.count) of \(rows.count), such as \(first.scenario.id) in "
      + first.profile.name
  }

  /// A row as a line of JSON: its runs, and the pairs that diverge.
  package func json(of row: Row) -> String {
    let runs = row.runs.map { run in
      JSON.object([
        .init(
          "clients",
          .object(
            zip(row.scenario.clients, run.parts).map {
              .init($0, .string(implementations[$1].name))
            })),
        .init("verdict", .string(run.verdict.rawValue)), .init("sentence", .string(run.sentence)),
      ])
    }
    let pairs = row.pairs.sorted { $0.lexicographicallyPrecedes($1) }.map { pair in
      JSON.array(pair.map { .string(implementations[$0].name) })
    }
    return JSON.object([
      .init("scenario", .string(row.scenario.id)), .init("profile", .string(row.profile.name)),
      .init("runs", .array(runs)), .init("leftOut", .count(row.leftOut)),
      .init("pairs", .array(pairs)),
    ]).text + "\n"
  }
}
