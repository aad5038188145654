internal import Tree
internal import Wire

/// The pending writes, in order of issue.
///
/// Of many, those that concern a location are found without a look at the rest.
struct PendingWrites: Sendable {
  /// By their ids.
  private var writes = RequestTable<PendingWrite>()
  /// The ids by the locations that the writes set; `nil` while there are few.
  private var index: PathIndex?

  var isEmpty: Bool { writes.count == 0 }

  /// The id of the first one.
  var firstID: Int? { writes.firstNumber }

  /// All of them.
  var all: [PendingWrite] { writes.values }

  /// Adds the last one.
  mutating func append(_ write: PendingWrite) {
    writes[write.id] = write
    if index != nil {
      enter(write)
    } else if writes.count == PathList<PendingWrite>.indexedCount {
      index = PathIndex()
      for write in all { enter(write) }
    }
  }

  private mutating func enter(_ write: PendingWrite) {
    for set in write.sets { index?.insert(write.id, at: set.path) }
  }

  /// Takes one out; `nil` where it is not there.
  mutating func remove(_ id: Int) -> PendingWrite? {
    guard let write = writes.removeValue(forKey: id) else { return nil }
    if isEmpty {
      index = nil
    } else if index != nil {
      for set in write.sets { index?.remove(id, at: set.path) }
    }
    return write
  }

  mutating func removeAll(where isRemoved: (PendingWrite) -> Bool) {
    let left = all.filter { !isRemoved($0) }
    self = PendingWrites()
    for write in left { append(write) }
  }

  /// Those from an id on among which all are that set something at, above or below a location.
  func related(to path: Path, from first: Int = .min) -> [PendingWrite] {
    guard let index else { return first == .min ? all : all.filter { $0.id >= first } }
    var (found, last): ([PendingWrite], Int?) = ([], nil)
    for id in index.numbers(.related, path, from: first) where id != last {
      if let write = writes[id] { found.append(write) }
      last = id
    }
    return found
  }

  /// The last one that is picked of those that set all of a location.
  func last(covering path: Path, where isPicked: (PendingWrite) -> Bool) -> PendingWrite? {
    guard let index else {
      return all.last { write in
        isPicked(write) && write.sets.contains { path.starts(with: $0.path) }
      }
    }
    return index.last(atOrAbove: path) { id in writes[id].map(isPicked) ?? false }
      .flatMap { writes[$0] }
  }

  /// Whether one of them sets something at a location itself, its priority included.
  func hasAny(exactlyAt path: Path) -> Bool {
    let priority = path.appending(.priority)
    guard let index else {
      return all.contains { $0.sets.contains { $0.path == path || $0.path == priority } }
    }
    return index.has(path) || index.has(priority)
  }

  /// Whether a visible one sets something at a location or below.
  func isSeen(atOrBelow path: Path) -> Bool {
    related(to: path).contains { write in
      write.isVisible && write.sets.contains { $0.path.starts(with: path) }
    }
  }
}

/// A value behind a reference, so that what has it is small and quickly moved. A copy is made when it
/// is changed while another one has it.
struct Boxed<Value: Sendable>: Sendable {
  /// One element: a list is the reference that the language shares and copies by itself.
  private var box: [Value]

  init(_ value: Value) { box = [value] }

  var value: Value {
    get { box[0] }
    _modify { yield &box[0] }
  }
}

extension Node {
  /// Where this node differs from another one, by paths from both. Nodes without children and those
  /// with a priority of their own are compared as a whole.
  func differences(from old: Node) -> [Path] {
    if self == old { return [] }
    let arePlain = [self, old].allSatisfy { !$0.isEmpty && !$0.isScalar && $0.priority == nil }
    if !arePlain { return [.root] }
    return children.differences(from: old.children).flatMap { difference in
      difference.new.differences(from: difference.old).map {
        Path([difference.key]).appending($0)
      }
    }
  }
}
