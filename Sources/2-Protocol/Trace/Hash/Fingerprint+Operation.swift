internal import ClientInterface
internal import Tree
internal import Wire

extension Fingerprint {
  mutating func combine(_ operation: Operation) {
    combine(operation.name)
    switch operation {
    case let .listen(id, target, types):
      combine(id.name)
      combine(target)
      for type in EventType.allCases { combine(types.contains(type) ? 1 : 0) }
    case let .once(id, target, type):
      combine(id.name)
      combine(target)
      combine(type.rawValue)
    case let .unlisten(id, path):
      combine(id.name)
      if let path { combine(path) }
    case let .unlistenAll(target): combine(target)
    case let .set(path, node), let .onDisconnectSet(path, node): combine(path, node)
    case let .remove(path), let .onDisconnectRemove(path), let .onDisconnectCancel(path):
      combine(path)
    case let .setPriority(path, priority):
      combine(path)
      combine(priority)
    case let .update(path, assignments), let .onDisconnectUpdate(path, assignments):
      combine(path, assignments)
    case let .push(path, node):
      combine(path, node ?? .empty)
    case let .transaction(path, function, localEvents):
      combine(path)
      combine(function)
      combine(localEvents == .shown ? 1 : 0)
    case .goOffline, .goOnline, .unauthenticate: break
    case let .keepSynced(target, synchronization):
      combine(target)
      combine(synchronization == .on ? 1 : 0)
    case let .authenticate(token): combine(token)
    case let .inspect(inspection): combine(inspection)
    }
  }

  private mutating func combine(_ target: Operation.Target) {
    combine(target.path)
    combine(target.query)
  }

  private mutating func combine(_ inspection: Inspection) {
    combine(inspection.question)
    combine(inspection.argument)
    combine(inspection.part)
    switch inspection.subject {
    case let .reference(path): combine(path)
    case let .address(text): combine(text)
    case let .snapshot(listener): combine(listener.name)
    case let .mutableData(value, changes):
      combine(value)
      for change in changes { combine(change) }
    case let .query(path, steps):
      combine(path)
      for step in steps { combine(step) }
    }
  }

  private mutating func combine(_ function: TransactionFunction) {
    switch function {
    case let .increment(delta):
      combine(1)
      combine(delta)
    case let .set(json):
      combine(2)
      combine(json)
    case let .setIfNull(json):
      combine(3)
      combine(json)
    case let .merge(json):
      combine(4)
      combine(json)
    case .abort: combine(5)
    case .fail: combine(6)
    case let .setIfNullOrFail(json):
      combine(7)
      combine(json)
    }
  }
}
