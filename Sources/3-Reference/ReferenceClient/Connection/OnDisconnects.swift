internal import ClientInterface
internal import Tree
internal import Wire

/// The operations that the server has promised to carry out on disconnection, at a location and
/// below it.
///
/// The client needs them because it carries them out locally as well (OND-8). They are kept as a
/// tree, which is also the order in which they are carried out: location by location, and at each
/// location its children as the profile says.
struct AcceptedOnDisconnects: Sendable {
  /// What is written at the location itself; nothing is remembered below it then.
  private var operation: Node?
  /// In order of arrival.
  private var children: [(key: Key, branch: AcceptedOnDisconnects)] = []

  init(_ operation: Node? = nil) { self.operation = operation }

  /// OND-11: an operation below a remembered one changes it; one above swallows it.
  mutating func remember(_ node: Node, at path: Path) {
    guard let key = path.keys.first else {
      self = AcceptedOnDisconnects(node)
      return
    }
    if let old = operation {
      operation = old.setting(node, at: path)
      return
    }
    let index = children.firstIndex { $0.key == key } ?? children.endIndex
    if index == children.endIndex { children.append((key, AcceptedOnDisconnects())) }
    children[index].branch.remember(node, at: path.dropFirst())
  }

  /// Forgets what is to happen at `path` and below; of an operation above, that part alone.
  mutating func forget(_ path: Path) {
    guard let key = path.keys.first else {
      self = AcceptedOnDisconnects()
      return
    }
    if let node = operation {
      if node.isScalar { return }
      operation = nil
      children = Query.all.window(of: node).keys.map { ($0, AcceptedOnDisconnects(node[$0])) }
    }
    guard let index = children.firstIndex(where: { $0.key == key }) else { return }
    children[index].branch.forget(path.dropFirst())
    let branch = children[index].branch
    if branch.operation == nil, branch.children.isEmpty { children.remove(at: index) }
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
  var paths: [Path] { operations(at: .root, order: .ofArrival).map(\.path) }

  /// Everything that is remembered, in order; nothing is afterwards.
  mutating func takeAll(
    order: Profile.OnDisconnectOrder = .ofArrival
  ) -> [(path: Path, node: Node)] {
    defer { self = AcceptedOnDisconnects() }
    return operations(at: .root, order: order)
  }

  private func operations(
    at path: Path, order: Profile.OnDisconnectOrder
  ) -> [(path: Path, node: Node)] {
    if let operation { return [(path, operation)] }
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

extension Key {
  /// Whether the key is written as the index of a list is: digits without a leading zero.
  fileprivate var isIndex: Bool {
    let digits = string.utf8
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      && (digits.count == 1 || digits.first != 0x30)
  }
}
