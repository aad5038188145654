internal import Faults
internal import Scenario
public import ScenarioFiles

/// A fault as rules have it, perhaps for each client, perhaps several times.
public struct FaultRule: Sendable {
  let step: Step
  let times: Int
  /// Whether it is one for each client, those to come included.
  let isForEach: Bool

  /// A rule that was read.
  public init(_ rule: ReadFaultRules.Rule) {
    step = rule.step
    times = rule.times
    isForEach = rule.isForEach
  }

  /// Whether it is nothing but a state of the network, from the beginning, that `heal` ends.
  var isHealed: Bool {
    let faults = faults(of: [ReadFaultRules.everyone])
    return faults.trigger == nil
      && faults.faults.allSatisfy { [.cut, .refuse, .stall].contains($0.kind) }
  }

  /// The faults that it is for clients with these names.
  fileprivate func faults(of clients: [String]) -> StepFaults { StepFaults(step, of: clients) }
}

extension FaultyServer {
  /// Lets a rule hold: what it says happens now, or waits for its trigger.
  ///
  /// A rule for each client begins for those to come when they do.
  ///
  /// - Returns: The positions of the marks that it has by now.
  @discardableResult
  public mutating func add(_ rule: FaultRule) -> Range<Int> {
    watch()
    return amongArrivals { live in
      let first = live.marks.count
      if rule.isForEach {
        live.rules.append(rule)
        for index in live.clients.indices { live.apply(rule, to: index) }
      } else {
        live.apply(rule, to: nil)
      }
      return first..<live.marks.count
    }
  }

  /// Lets all rules for each client hold for one that has come.
  mutating func applyRules(to client: Int) {
    for rule in rules { apply(rule, to: client) }
  }

  private mutating func apply(_ rule: FaultRule, to client: Int?) {
    var names = clients
    if let client { names[client] = ReadFaultRules.everyone }
    let faults = rule.faults(of: names)
    for fault in faults.faults {
      if let trigger = faults.trigger {
        let mark = armNow(fault, trigger)
        if rule.times > 1 { self.faults.setRepeats(rule.times - 1, of: mark) }
      } else {
        injectNow(fault)
      }
    }
  }
}
