internal import Tree
internal import Wire

/// The pending writes, in order of issue.
///
/// Of many, those that concern a location are found without a look at the rest.
struct PendingWrites: Sendable {
  /// A slice, because most are answered in order: the first one goes without moving the others.
  private(set) var all: ArraySlice<PendingWrite> = []
  /// The ids by the locations that the writes set; `nil` while there are few.
  private var index: PathIndex?

  var isEmpty: Bool { all.isEmpty }

  /// Adds the last one, whose id is larger than those of the others.
  mutating func append(_ write: PendingWrite) {
    all.append(write)
    if index != nil {
      enter(write)
    } else if all.count == PathList<PendingWrite>.indexedCount {
      index = PathIndex()
      for write in all { enter(write) }
    }
  }

  private mutating func enter(_ write: PendingWrite) {
    for set in write.sets { index?.insert(write.id, at: set.path) }
  }

  /// Where the first one is whose id is not smaller.
  private func position(of id: Int) -> Int {
    var (low, high) = (all.startIndex, all.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func write(_ id: Int) -> PendingWrite? {
    let position = position(of: id)
    return position < all.endIndex && all[position].id == id ? all[position] : nil
  }

  /// Takes one out; `nil` where it is not there.
  mutating func remove(_ id: Int) -> PendingWrite? {
    guard let write = write(id) else { return nil }
    if all.count == 1 {
      self = PendingWrites()
      return write
    }
    let position = position(of: id)
    if position == all.startIndex { all.removeFirst() } else { all.remove(at: position) }
    if index != nil { for set in write.sets { index?.remove(id, at: set.path) } }
    return write
  }

  mutating func removeAll(where isRemoved: (PendingWrite) -> Bool) {
    let left = all.filter { !isRemoved($0) }
    self = PendingWrites()
    for write in left { append(write) }
  }

  /// Those from an id on among which all are that set something at, above or below a location.
  func related(to path: Path, from first: Int = .min) -> ArraySlice<PendingWrite> {
    guard let index else { return all[position(of: first)...] }
    var (found, last): (ArraySlice<PendingWrite>, Int?) = ([], nil)
    for id in index.numbers(.related, path, from: first) where id != last {
      if let write = write(id) { found.append(write) }
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
    return index.last(atOrAbove: path) { id in write(id).map(isPicked) ?? false }
      .flatMap { write($0) }
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
