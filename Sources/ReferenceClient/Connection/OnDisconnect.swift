internal import ClientInterface
internal import Tree
internal import Wire

/// The operations that the server has promised to carry out on disconnection.
///
/// The client needs them because it carries them out locally as well (OND-8).
struct OnDisconnectMemory {
  /// No path lies at or below another.
  private var operations: [(path: Path, node: Node)] = []

  /// OND-11: an operation below a remembered one changes it; one above swallows it.
  mutating func remember(_ node: Node, at path: Path) {
    if let index = operations.firstIndex(where: { path.starts(with: $0.path) }),
      let below = path.relative(to: operations[index].path)
    {
      operations[index].node = operations[index].node.setting(node, at: below)
    } else {
      operations.removeAll { $0.path.starts(with: path) }
      operations.append((path, node))
    }
  }

  /// Forgets what is to happen at `path` and below; of an operation above, that part alone.
  mutating func forget(_ path: Path) {
    operations.removeAll { $0.path.starts(with: path) }
    guard let index = operations.firstIndex(where: { path.starts(with: $0.path) }) else { return }
    let (place, node) = operations[index]
    guard !node.isScalar else { return }
    let parts = node.children.map { (path: place.appending($0.key), node: $0.node) }
    operations.replaceSubrange(index...index, with: parts)
    forget(path)
  }

  /// Does what the server has agreed to.
  mutating func remember(_ request: Request) {
    switch request {
    case let .onDisconnectPut(path, node): remember(node, at: path)
    case let .onDisconnectMerge(path, assignments):
      for assignment in assignments {
        remember(assignment.node, at: path.appending(assignment.path))
      }
    case let .onDisconnectCancel(path): forget(path)
    default: break
    }
  }

  /// Everything that is remembered, in order; nothing is afterwards.
  mutating func takeAll() -> [(path: Path, node: Node)] {
    defer { operations = [] }
    return operations
  }
}

extension ReferenceClient {
  mutating func requestOnDisconnect(_ operation: Operation, as call: CallID) {
    guard let request = operation.onDisconnectRequest else { return }
    requests.onDisconnects.append(
      OutstandingOnDisconnect(number: requests.nextNumber(), request: request, call: call))
    if link.state == .ready { transmitOnDisconnect(requests.onDisconnects.count - 1) }
  }

  /// The server answered: what it promised is remembered, and the application told.
  mutating func finish(_ request: OutstandingOnDisconnect, status: String) {
    if status == "ok" { onDisconnects.remember(request.request) }
    complete(request.call, status: status)
  }

  /// The connection is gone in the instant of an answer: what the server promised in it belongs to
  /// that connection, not to the next one. The application is told in the next turn all the same.
  mutating func rememberAnsweredOnDisconnects() {
    for index in nextTurn.indices {
      guard case let .finishOnDisconnect(request, status) = nextTurn[index] else { continue }
      if status == "ok" { onDisconnects.remember(request.request) }
      nextTurn[index] = .complete(request.call, status: status)
    }
  }
}

extension Operation {
  fileprivate var onDisconnectRequest: Request? {
    switch self {
    case let .onDisconnectSet(path, node): .onDisconnectPut(path, node)
    case let .onDisconnectRemove(path): .onDisconnectPut(path, .empty)
    case let .onDisconnectUpdate(path, assignments): .onDisconnectMerge(path, assignments)
    case let .onDisconnectCancel(path): .onDisconnectCancel(path)
    default: nil
    }
  }
}
