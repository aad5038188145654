internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

// What calls and writes are about.

extension ShrinkSearch {
  /// Makes each call and each write of the server simpler as far as that goes.
  mutating func simplifyOperations() {
    for element in current.elements.reversed() {
      var isChanged = true
      while isChanged, !isExhausted, current.elements.contains(element) {
        isChanged = attemptFirst(
          current[element].simpler.map { action in
            var candidate = current
            candidate[element] = action
            return candidate
          })
      }
    }
  }
}

extension Action {
  /// Actions of the same kind with less in them, the simplest first.
  fileprivate var simpler: [Action] {
    if let fault { return fault.simpler.map { .fault($0) } }
    guard var call else { return [] }
    return call.operation.simpler.map { operation in
      call.operation = operation
      return .call(call)
    }
  }
}

extension NamedFault {
  fileprivate var simpler: [NamedFault] {
    switch self {
    case let .write(write): return write.simpler.map { .write($0) }
    case let .reject(rule):
      var copies: [SecurityRule] = []
      for access in SecurityRule.Access.allCases where rule.deny.count > 1 {
        copies.append(.init(rule.path, deny: [access], unless: rule.unless))
      }
      if rule.unless != .noUser || rule.status != nil {
        copies.append(.init(rule.path, deny: rule.deny))
      }
      return copies.map { .reject($0) }
    default: return []
    }
  }
}

extension ServerWrite {
  fileprivate var simpler: [ServerWrite] {
    switch self {
    case let .set(path, node):
      path.shorter.map { .set($0, node) } + node.simpler.map { .set(path, $0) }
    case let .update(path, parts): parts.simpler.map { .update(path, $0) }
    case let .remove(path): path.shorter.map { .remove($0) }
    }
  }
}

extension ClientInterface.Operation {
  fileprivate var simpler: [ClientInterface.Operation] {
    let given = arguments
    func with<Value>(
      _ argument: WritableKeyPath<Arguments, Value>, _ values: [Value]
    ) -> [ClientInterface.Operation] {
      values.map { value in mapArguments { $0[keyPath: argument] = value } }
    }
    var simpler: [ClientInterface.Operation] = []
    if let events = given.events, events.count > 1 {
      simpler += with(\.events, EventType.byUse.filter(events.contains).map { [$0] })
    }
    if let event = given.event, event != .value { simpler += with(\.event, [.value]) }
    if given.localEvents == .hidden { simpler += with(\.localEvents, [.shown]) }
    simpler += with(\.query, given.query?.simpler ?? [])
    // The parts of an update and what is pushed are about paths of their own.
    if given.changes == nil, kind != .push, kind != .unlisten {
      simpler += with(\.path, given.path?.shorter ?? [])
    }
    simpler += with(\.value, given.value?.simpler ?? [])
    simpler += with(\.changes, given.changes?.simpler ?? [])
    if let priority = given.priority, priority != 1 { simpler += with(\.priority, [1]) }
    simpler += with(\.function, given.function?.simpler ?? [])
    return simpler + (given.reaction?.simpler ?? []).map { ClientInterface.Operation.on($0) }
  }
}

extension Reaction {
  /// With a call less, or with a simpler one.
  fileprivate var simpler: [Reaction] {
    var simpler: [Reaction] = []
    for index in calls.indices {
      var copy = self
      copy.calls.remove(at: index)
      if !copy.calls.isEmpty { simpler.append(copy) }
    }
    for index in calls.indices {
      simpler += calls[index].operation.simpler.map { operation in
        var copy = self
        copy.calls[index].operation = operation
        return copy
      }
    }
    return simpler
  }
}

extension EventType {
  /// The one that says most by itself first.
  fileprivate static let byUse: [EventType] = [
    .value, .childAdded, .childRemoved, .childChanged, .childMoved,
  ]
}
