import ClientInterface
import Scenario

extension Scenario {
  /// All of it except where it stands in its file.
  var substance: [String] {
    ["\(clients)", "\(data)"] + security.map { "\($0)" } + steps.flatMap(\.substance)
  }
}

extension Step {
  fileprivate var substance: [String] {
    let done =
      switch action {
      case let .call(call): ["\(call.client) \(call.id.name) \(call.operation.substance)"]
      case let .together(steps): ["together"] + steps.flatMap(\.substance)
      case .fault, .wait, .settle, .disarm, .expect: ["\(action)"]
      }
    return done + (expectation?.substance ?? [])
  }
}

extension Expectation {
  fileprivate var substance: [String] {
    ["\(timing) \(server?.description ?? "-")"]
      + listeners.flatMap { one in
        ["\(one.client).\(one.listener.name)"] + one.items.flatMap(\.substance)
      }
      + outcomes.map { "\($0.client).\($0.call.name) \($0.outcome)" }
      + alternatives.flatMap { ["or"] + $0.substance }
  }
}

extension ListenerExpectation.Item {
  fileprivate var substance: [String] {
    switch self {
    case let .event(event): [event.substance]
    case let .unordered(events): ["unordered"] + events.map(\.substance)
    }
  }
}

extension ExpectedEvent {
  fileprivate var substance: String {
    "\(kind) \(key?.description ?? "-") \(value?.description ?? "-") \(previous)"
  }
}

extension ClientInterface.Operation {
  /// Sets have no order of their own.
  fileprivate var substance: String {
    if case let .listen(id, target, types) = self {
      "listen \(id) \(target) \(types.sorted())"
    } else {
      "\(self)"
    }
  }
}

/// Where two scenarios differ.
func differences(_ a: Scenario, _ b: Scenario) -> [String] {
  let (a, b) = (a.substance, b.substance)
  let pairs = zip(a, b).filter { $0 != $1 }.flatMap { ["- " + $0, "+ " + $1] }
  return pairs + (a.count == b.count ? [] : ["\(a.count) lines, not \(b.count)"])
}
