internal import ClientInterface
internal import Scenario

extension Scenario {
  /// The scenario without names of calls in callbacks whose outcome is expected nowhere: a file must
  /// not have such names.
  var withoutIdleNames: Scenario {
    var listed = Set(callbackNames)
    for outcome in steps.flatMap({ $0.expectation?.outcomes ?? [] }) {
      listed.insert("\(outcome.client) \(outcome.call.name)")
    }
    var copy = self
    // Beyond the numbers of other calls without a name.
    var count = 9000
    for index in copy.steps.indices {
      guard case .call(var call) = copy.steps[index].action,
        case .on(var reaction) = call.operation
      else { continue }
      for position in reaction.calls.indices {
        let own = reaction.calls[position]
        if !own.isNamed || own.operation.kind.registersListener { continue }
        if listed.contains("\(call.client) \(own.id.name)") { continue }
        count += 1
        reaction.calls[position].id = CallID("#\(count)")
      }
      call.operation = .on(reaction)
      copy.steps[index].action = .call(call)
    }
    return copy
  }

  /// The calls and listeners in whose callbacks something is done, with their clients.
  private var callbackNames: [String] {
    steps.compactMap { step in
      guard case let .call(call) = step.action, case let .on(reaction) = call.operation else {
        return nil
      }
      return "\(call.client) \(reaction.callback.name)"
    }
  }
}
