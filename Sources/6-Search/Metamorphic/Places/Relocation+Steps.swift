internal import ClientInterface
internal import Scenario
internal import Tree

extension Relocation {
  func steps(_ steps: [Step]) throws(Objection) -> [Step] {
    var mapping = ActionMapping<Objection>()
    mapping.call = { call throws(Objection) in
      var copy = call
      copy.operation = try operation(call.operation)
      return copy
    }
    mapping.path = path
    mapping.node = node
    mapping.assignments = assignments
    var moved: [Step] = []
    for step in steps {
      var copy = try step.mapped(mapping)
      copy.expectation = try step.expectation.map(expectation)
      moved.append(copy)
    }
    return moved
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
