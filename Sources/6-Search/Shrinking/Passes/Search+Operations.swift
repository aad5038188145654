internal import ClientInterface
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
    if case let .server(action) = self { return action.simpler.map { .server($0) } }
    guard var call else { return [] }
    return call.operation.simpler.map { operation in
      call.operation = operation
      return .call(call)
    }
  }
}

extension ServerAction {
  fileprivate var simpler: [ServerAction] {
    switch self {
    case let .set(path, node):
      return path.shorter.map { .set($0, node) } + node.simpler.map { .set(path, $0) }
    case let .update(path, parts): return parts.simpler.map { .update(path, $0) }
    case let .remove(path): return path.shorter.map { .remove($0) }
    case let .reject(restriction):
      var copies: [Scenario.Restriction] = []
      for access in Scenario.Access.allCases where restriction.deny.count > 1 {
        copies.append(.init(path: restriction.path, deny: [access], unless: restriction.unless))
      }
      if restriction.unless != .nobody || restriction.status != nil {
        copies.append(.init(path: restriction.path, deny: restriction.deny))
      }
      return copies.map { .reject($0) }
    case .revoke, .revokeCredential, .restart, .redirect, .shutdown, .clock, .stale: return []
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
