import Document
import LiveServer
import Scenario
import ScenarioFiles
import System

/// What goes wrong at a live server from the start: by a scenario, and by a file of faults.
struct FaultPlan {
  let rules: [FaultRule]
  private let scenario: Scenario?
  private let read: ReadFaultRules?

  /// - Throws: `Failure.unusable` with everything that is wrong in the file.
  init(file: String?, _ scenario: Scenario?) throws(Failure) {
    self.scenario = scenario
    guard let file else {
      (read, rules) = (nil, [])
      return
    }
    let text = try Files.text(of: file)
    let read = ReadFaultRules(
      file: file, bytes: Array(text.utf8), clients: scenario?.clients ?? [],
      isJSON: file.hasSuffix(".json"))
    guard read.problems.isEmpty else {
      throw .unusable(read.problems.map(\.description).joined(separator: "\n"))
    }
    self.read = read
    rules = read.rules.map { FaultRule($0) }
  }

  /// The server, before anything goes wrong.
  func server(_ settings: LiveServerSettings, seed: UInt64) -> FaultyServer {
    let live = LiveServer(settings)
    var server =
      scenario.map { FaultyServer(live, $0, seed: seed) } ?? FaultyServer(live, seed: seed)
    if let read { server.take(read) }
    return server
  }

  /// What is done of the scenario's steps, and what is not; nil without a scenario.
  var sentence: String? {
    guard let scenario else { return nil }
    let script = FaultScript(scenario)
    var lines: [String] = []
    if script.stepCount > 0 {
      lines.append(
        "steps of the network and the server that are done after the hello of the first client: "
          + "\(script.stepCount)")
    }
    if script.passedOver > 0 {
      lines.append(
        "steps that are passed over, calls of clients and expectations: \(script.passedOver)")
    }
    lines += script.unsupportedReasons.map { "passed over: \($0)" }
    return lines.map { $0 + "\n" }.joined()
  }
}
