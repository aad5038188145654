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

extension TextReport {
  /// How to see a result again: commands that can be pasted in the project's directory.
  func commands(repeating result: ScenarioResult) -> [String] {
    let trace = traceFiles[RunName(result)].map {
      ["\(program) replay \(shellWord(pathDisplay.name(of: $0)))" + behind]
    }
    return [command(result)] + (trace ?? [])
  }

  /// The program behind which the client is: a trace does not start it.
  private var behind: String {
    adapter.isEmpty ? "" : " " + (["--"] + adapter.map(shellWord)).joined(separator: " ")
  }

  private func command(_ result: ScenarioResult) -> String {
    let words = [shellWord(selector(of: result.scenario)), "--profile", result.profile.name]
    let subject = client.map { ["--client", shellWord($0)] } ?? []
    if let explorationOptions {
      return ([program, "explore"] + words + [explorationOptions] + subject)
        .joined(separator: " ") + behind
    }
    let rest = (runOptions.map { [$0] } ?? []) + subject + (isAudited ? ["--audit"] : [])
    return ([program, "run"] + words + ["--seed", "\(result.seed)"] + rest)
      .joined(separator: " ") + behind
  }

  /// The id of one of the project's scenarios; of any other its file, with the parameters.
  private func selector(of scenario: Scenario) -> String {
    let file = pathDisplay.name(of: scenario.file)
    if file.hasPrefix("Scenarios/") { return scenario.id }
    return file + scenario.id[(scenario.id.firstIndex(of: "[") ?? scenario.id.endIndex)...]
  }
}
