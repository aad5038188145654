internal import ClientInterface
public import Conformance
internal import Scenario
internal import Text

/// What distinguishes one run from all others of the same command.
public struct RunName: Hashable, Sendable {
  /// The path of the scenario's file.
  public var file: String
  /// The id of the scenario.
  public var scenario: String
  /// The name of the profile in which it ran.
  public var profile: String
  /// The seed of the run.
  public var seed: UInt64

  /// Names the run that gave this result.
  public init(_ result: ScenarioResult) {
    file = result.scenario.file
    scenario = result.scenario.id
    profile = result.profile.name
    seed = result.seed
  }
}

/// A run that is to be made again by a command.
public struct RepeatedRun: Hashable, Sendable {
  /// The name of the profile in which it ran.
  public var profile: String
  /// The seed of the run.
  public var seed: UInt64
  /// Whether the scenario was run with changes that must not matter.
  public var isMetamorphic: Bool
}

extension TextReport {
  /// How to see a result again: commands that can be pasted in the project's directory.
  func commands(repeating result: ScenarioResult) -> [String] {
    let run = RepeatedRun(
      profile: result.profile.name, seed: result.seed, isMetamorphic: isMetamorphic)
    let commands = [[command, selector(of: result.scenario)] + options(run)]
    let trace = traceFiles[RunName(result)].map { [["replay", pathDisplay.name(of: $0)]] } ?? []
    // A trace does not start the program behind which the client is.
    let behind = adapter.isEmpty ? [] : ["--"] + adapter
    return (commands + trace).map {
      ([program] + ($0 + behind).map(shellWord)).joined(separator: " ")
    }
  }

  /// The id of one of the project's scenarios; of any other its file, with the parameters.
  private func selector(of scenario: Scenario) -> String {
    let file = pathDisplay.name(of: scenario.file)
    if file.hasPrefix("Scenarios/") { return scenario.id }
    return file + scenario.id[(scenario.id.firstIndex(of: "[") ?? scenario.id.endIndex)...]
  }
}
