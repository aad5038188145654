internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

// What calls and writes are about.

extension Search {
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
      if rule.unless != .nobody || rule.status != nil {
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
    switch self {
    case let .listen(id, target, types):
      let fewer = types.count == 1 ? [] : EventType.byUse.filter(types.contains)
      return fewer.map { .listen(id, target, [$0]) }
        + target.simpler.map { .listen(id, $0, types) }
    case let .once(id, target, type):
      return (type == .value ? [] : [.once(id, target, .value)])
        + target.simpler.map { .once(id, $0, type) }
    case let .unlistenAll(target): return target.simpler.map { .unlistenAll($0) }
    case let .keepSynced(target, state): return target.simpler.map { .keepSynced($0, state) }
    case let .set(path, node):
      return path.shorter.map { .set($0, node) } + node.simpler.map { .set(path, $0) }
    case let .remove(path): return path.shorter.map { .remove($0) }
    case let .setPriority(path, priority):
      return path.shorter.map { .setPriority($0, priority) }
        + (priority == 1 ? [] : [.setPriority(path, 1)])
    case let .update(path, parts): return parts.simpler.map { .update(path, $0) }
    case let .push(path, node): return (node?.simpler ?? []).map { .push(path, $0) }
    case let .transaction(path, function, events):
      return (events == .hidden ? [.transaction(path, function, localEvents: .shown)] : [])
        + path.shorter.map { .transaction($0, function, localEvents: events) }
        + function.simpler.map { .transaction(path, $0, localEvents: events) }
    case let .onDisconnectSet(path, node):
      return path.shorter.map { .onDisconnectSet($0, node) }
        + node.simpler.map { .onDisconnectSet(path, $0) }
    case let .onDisconnectUpdate(path, parts):
      return parts.simpler.map { .onDisconnectUpdate(path, $0) }
    case let .onDisconnectRemove(path): return path.shorter.map { .onDisconnectRemove($0) }
    case let .onDisconnectCancel(path): return path.shorter.map { .onDisconnectCancel($0) }
    case .unlisten, .goOffline, .goOnline, .authenticate, .unauthenticate, .inspect: return []
    }
  }
}

extension ClientInterface.Operation.Target {
  fileprivate var simpler: [Self] {
    query.simpler.map { Self(path, $0) } + path.shorter.map { Self($0, query) }
  }
}

extension EventType {
  /// The one that says most by itself first.
  fileprivate static let byUse: [EventType] = [
    .value, .childAdded, .childRemoved, .childChanged, .childMoved,
  ]
}
