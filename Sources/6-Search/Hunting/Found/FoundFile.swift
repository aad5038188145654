internal import Conformance
internal import Document
internal import Faults
public import Scenario
import ScenarioFiles
import Search

/// The file of a scenario that shows a failure.
///
/// It is a scenario like any other, which can be moved and merged by itself. What a campaign knows
/// of the failure stands in it as a value, and above it for people.
public struct FoundFile: Sendable {
  /// The scenario that shows the failure, with what is known of it if a hunt has found it.
  public var scenario: Scenario
  /// The program as commands name it, for a shell.
  public var program = programName

  /// Takes a scenario under the name of its file; no file is written.
  public init(_ scenario: Scenario, _ find: Scenario.Find) {
    self.scenario = scenario
    self.scenario.find = find
  }

  /// Reads a file; `nil` for one that has no scenario.
  public init?(text: String) {
    guard let scenario = Scenario(text: text) else { return nil }
    self.scenario = scenario
  }

  /// The whole file.
  public var text: String { scenario.yaml(comment: lines.joined(separator: "\n")) }

  private var lines: [String] {
    guard let find = scenario.find else { return [] }
    return ["\(find.signature), \(find.seeds)"] + find.sentences
      + ["with: \(shape)", "\(program) run \(scenario.file) \(find.words)"]
  }

  /// What happens in the scenario, by kinds, each once and in the order of the letters:
  /// `cut, listen limited, update`. Files of one signature that differ in it may show different
  /// defects.
  public var shape: String {
    let kinds = scenario.steps.flatMap { $0.action.kinds }
    return Set(kinds).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ", ")
  }

  /// How long the scenario is: what was not made small is longer than anything that was.
  public var steps: Int {
    guard let find = scenario.find else { return scenario.elementCount }
    return find.shrunk?.after ?? .max
  }
}

extension Action {
  fileprivate var kinds: [String] {
    let own = [call?.operation.circumstances.joined(separator: " "), fault?.kind.name]
    return own.compactMap(\.self) + (members ?? []).flatMap { $0.action.kinds }
  }
}

extension Scenario.Find {
  /// `found by kennel hunt with seed 58, run with seed 16`: the seed that drew it, and the one that its
  /// run uses where that is another.
  public var seeds: String {
    "found by kennel hunt with seed \(seed)" + (run.map { ", run with seed \($0)" } ?? "")
  }

  /// How far it was made small, and whether it was confirmed: `34 -> 3 steps after 120 runs; nothing
  /// can be left out by itself` and `a second process confirms it`.
  public var sentences: [String] {
    let extent = shrunk.map { shrunk in
      "\(shrunk.before) -> \(counted(shrunk.after, "step")) after \(counted(shrunk.runs, "run")); "
        + (shrunk.isMinimal ? "nothing can be left out by itself" : "not proven to be minimal")
    }
    let confirmation =
      switch confirmation {
      case .confirmed: "a second process confirms it"
      case let .unconfirmed(clause): "a second process does not confirm it: \(clause)"
      case nil: "not run again in a second process"
      }
    return [extent ?? "as it was drawn", confirmation]
  }

  /// The options, for a shell.
  public var words: String { options.map(shellWord).joined(separator: " ") }
}
