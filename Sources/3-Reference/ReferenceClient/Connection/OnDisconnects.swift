internal import ClientInterface
internal import Tree
internal import Wire

/// The operations that the server has promised to carry out on disconnection.
///
/// The client needs them because it carries them out locally as well (OND-8). They are kept as a
/// tree, which is also the order in which they are carried out: location by location, and at each
/// location its children as the profile says.
struct AcceptedOnDisconnects: Sendable {
  private var root = Branch.children([])

  fileprivate indirect enum Branch: Sendable {
    case operation(Node)
    /// In order of arrival.
    case children([Child])
  }

  fileprivate struct Child: Sendable {
    let key: Key
    var branch: Branch
  }

  /// OND-11: an operation below a remembered one changes it; one above swallows it.
  mutating func remember(_ node: Node, at path: Path) {
    root.remember(node, at: path.keys[...])
  }

  /// Forgets what is to happen at `path` and below; of an operation above, that part alone.
  mutating func forget(_ path: Path) {
    if root.forget(path.keys[...]) == .nothingLeft { root = .children([]) }
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

  /// Where something is remembered.
  var paths: [Path] { root.operations(at: .root, order: .ofArrival).map(\.path) }

  /// Everything that is remembered, in order; nothing is afterwards.
  mutating func takeAll(
    order: Profile.OnDisconnectOrder = .ofArrival
  ) -> [(path: Path, node: Node)] {
    defer { root = .children([]) }
    return root.operations(at: .root, order: order)
  }
}

extension AcceptedOnDisconnects.Branch {
  fileprivate enum Remainder {
    case something
    case nothingLeft
  }

  fileprivate mutating func remember(_ node: Node, at keys: ArraySlice<Key>) {
    guard let key = keys.first else {
      self = .operation(node)
      return
    }
    switch self {
    case let .operation(old): self = .operation(old.setting(node, at: Path(Array(keys))))
    case var .children(children):
      let index = children.firstIndex { $0.key == key } ?? children.endIndex
      if index == children.endIndex { children.append(.init(key: key, branch: .children([]))) }
      children[index].branch.remember(node, at: keys.dropFirst())
      self = .children(children)
    }
  }

  fileprivate mutating func forget(_ keys: ArraySlice<Key>) -> Remainder {
    guard let key = keys.first else { return .nothingLeft }
    if case let .operation(node) = self {
      if node.isScalar { return .something }
      let keys = Query.all.window(of: node).keys
      self = .children(keys.map { .init(key: $0, branch: .operation(node[$0])) })
    }
    guard case var .children(children) = self else { return .something }
    if let index = children.firstIndex(where: { $0.key == key }),
      children[index].branch.forget(keys.dropFirst()) == .nothingLeft
    {
      children.remove(at: index)
    }
    self = .children(children)
    return children.isEmpty ? .nothingLeft : .something
  }

  fileprivate func operations(
    at path: Path, order: Profile.OnDisconnectOrder
  ) -> [(path: Path, node: Node)] {
    switch self {
    case let .operation(node): return [(path, node)]
    case let .children(children):
      let ordered =
        switch order {
        case .ofArrival: children
        case .indexesFirst:
          children.filter(\.key.isIndex).sorted { $0.key < $1.key }
            + children.filter { !$0.key.isIndex }
        }
      return ordered.flatMap { $0.branch.operations(at: path.appending($0.key), order: order) }
    }
  }
}

extension Key {
  /// Whether the key is written as the index of a list is: digits without a leading zero.
  fileprivate var isIndex: Bool {
    let digits = string.utf8
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      && (digits.count == 1 || digits.first != 0x30)
  }
}

extension ReferenceClient {
  mutating func requestOnDisconnect(_ operation: Operation, as call: CallID) {
    guard let request = operation.onDisconnectRequest else { return }
    requests.onDisconnects.append(
      OutstandingOnDisconnect(number: requests.nextNumber(), request: request, call: call))
    if link.state == .ready { transmitOnDisconnect(requests.onDisconnects.count - 1) }
  }

  /// The server answered: what it promised is remembered, and reported to the application.
  mutating func finish(_ request: OutstandingOnDisconnect, status: String) {
    if status == "ok" { onDisconnects.remember(request.request) }
    complete(request.call, status: status)
  }

  /// The connection is gone in the instant of an answer: what the server promised in it belongs to
  /// that connection, not to the next one. The application is still notified in the next turn.
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
    case let .onDisconnectSet(path, node): .onDisconnectPut(path, node.stored)
    case let .onDisconnectRemove(path): .onDisconnectPut(path, .empty)
    case let .onDisconnectUpdate(path, assignments): .onDisconnectMerge(path, assignments)
    case let .onDisconnectCancel(path): .onDisconnectCancel(path)
    default: nil
    }
  }
}
