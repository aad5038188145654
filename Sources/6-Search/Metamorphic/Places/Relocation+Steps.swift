internal import ClientInterface
internal import Scenario
internal import Tree

extension Relocation {
  func steps(_ steps: [Step]) throws(Objection) -> [Step] {
    var moved: [Step] = []
    for step in steps {
      var copy = step
      copy.action = try action(step.action)
      copy.expectation = try step.expectation.map(expectation)
      moved.append(copy)
    }
    return moved
  }

  private func action(_ action: Action) throws(Objection) -> Action {
    switch action {
    case var .call(call):
      call.operation = try operation(call.operation)
      return .call(call)
    case let .server(action): return .server(try serverAction(action))
    case let .together(steps): return .together(try self.steps(steps))
    case .process, .network, .wait, .settle, .disarm, .expect: return action
    }
  }

  private func serverAction(_ action: ServerAction) throws(Objection) -> ServerAction {
    switch action {
    case let .set(path, node): return try .set(self.path(path), self.node(node, at: path))
    case let .update(path, parts):
      return try .update(self.path(path), assignments(parts, at: path))
    case let .remove(path): return .remove(try self.path(path))
    case var .reject(restriction):
      restriction.path = try path(restriction.path)
      return .reject(restriction)
    case let .revoke(path): return .revoke(try self.path(path))
    case .revokeCredential, .restart, .redirect, .shutdown, .clock, .stale: return action
    }
  }

  private func operation(
    _ operation: ClientInterface.Operation
  ) throws(Objection) -> ClientInterface.Operation {
    switch operation {
    case let .listen(id, target, types): try .listen(id, self.target(target), types)
    case let .once(id, target, type): try .once(id, self.target(target), type)
    case let .unlisten(id, place): .unlisten(id, at: try place.map(path))
    case let .unlistenAll(target): .unlistenAll(try self.target(target))
    case let .set(place, value): try .set(path(place), node(value, at: place))
    case let .remove(place): .remove(try path(place))
    case let .setPriority(place, priority): .setPriority(try path(place), priority)
    case let .update(place, parts): try .update(path(place), assignments(parts, at: place))
    case let .push(place, value):
      try .push(path(place), value.map { value throws(Objection) in try node(value, at: place) })
    case let .transaction(place, function, events):
      try .transaction(path(place), self.function(function), localEvents: events)
    case let .onDisconnectSet(place, value):
      try .onDisconnectSet(path(place), node(value, at: place))
    case let .onDisconnectRemove(place): .onDisconnectRemove(try path(place))
    case let .onDisconnectUpdate(place, parts):
      try .onDisconnectUpdate(path(place), assignments(parts, at: place))
    case let .onDisconnectCancel(place): .onDisconnectCancel(try path(place))
    case let .keepSynced(target, mode): .keepSynced(try self.target(target), mode)
    case let .inspect(inspection): .inspect(try self.inspection(inspection))
    case .goOffline, .goOnline, .authenticate, .unauthenticate: operation
    }
  }

  private func function(
    _ function: TransactionFunction
  ) throws(Objection) -> TransactionFunction {
    switch function {
    case let .set(value): .set(renaming(value))
    case let .setIfNull(value): .setIfNull(renaming(value))
    case let .merge(value): .merge(renaming(value))
    case let .setIfNullOrFail(value): .setIfNullOrFail(renaming(value))
    case .increment, .abort, .fail: function
    }
  }
}
