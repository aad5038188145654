internal import ClientInterface
internal import Tree
internal import Wire

/// The server's data that outlive the listeners and the process (OFF-11).
///
/// There is one entry for each location that is, or was, known completely: everything there, or the
/// window of a filtering query. An entry is in use while a view has its location. Then it repeats
/// what the view knows; otherwise it has what was learned of its location since, from any source.
struct PersistedData {
  struct Location: Hashable {
    let path: Path
    /// The query whose window is kept, or `nil` for everything.
    let query: Query?
  }

  struct Entry: Equatable {
    let location: Location
    var node: Node {
      didSet { text = node.description }
    }
    /// When it was used last, or began to be used: counts up with every use.
    var lastUse: Int
    /// The data as JSON.
    private(set) var text: String
    /// Where it belongs, as the members of an object behind the data.
    let address: String
    /// What it is stored under.
    let key: Text
    /// The length of that text.
    var bytes: Int { text.utf8.count }

    /// With the text that it was stored as, if it was: the data are not written out again.
    init(_ location: Location, _ node: Node, lastUse: Int, storedAs stored: String? = nil) {
      self.location = location
      self.node = node
      self.lastUse = lastUse
      let path = JSON.string(location.path.description).text
      let query = location.query.map { $0.json(in: .firebase).text }
      let address = ",\"path\":" + path + (query.map { ",\"query\":" + $0 } ?? "")
      self.address = address
      let isAll = location.query == .all
      key = StoredState.key(of: location.path, isAll ? Query.all.identifier : query)
      text = stored.flatMap { Self.data(in: $0, address, lastUse) } ?? node.description
    }

    /// What is stored: `{"data": …, "path": "/a", "used": 3}`, with the `query` as the wire has it if
    /// there is one.
    var json: String {
      var json = Self.head
      // At once, since there may be megabytes of it.
      json.reserveCapacity(bytes + address.utf8.count + 40)
      json += text
      return json + Self.tail(address, lastUse)
    }

    private static let head = "{\"data\":"

    private static func tail(_ address: String, _ lastUse: Int) -> String {
      address + ",\"used\":\(lastUse)}"
    }

    private static func data(in stored: String, _ address: String, _ lastUse: Int) -> String? {
      let tail = tail(address, lastUse)
      guard stored.hasPrefix(head), stored.hasSuffix(tail) else { return nil }
      return String(
        Substring(stored.utf8.dropFirst(head.utf8.count).dropLast(tail.utf8.count)))
    }

    static func == (a: Entry, b: Entry) -> Bool {
      a.lastUse == b.lastUse && a.node == b.node && a.location == b.location
    }
  }

  /// The position of the entry of a location. Entries are looked at where they are: they are large.
  private func index(of location: Location) -> Int? {
    entries.indices.first { entries[$0].location == location }
  }

  /// In no order that matters: every entry has a location of its own.
  private(set) var entries: [Entry]
  private var inUse: [Location] = []
  /// The views that use them, by which it is seen at once that they are the same as before.
  private var users: [Int] = []
  /// What the views that use them knew when all of them were learned from last, and were complete;
  /// empty when that may not be what stands here.
  private var learned: [Node?] = []
  /// Whether what is in use is not thrown out (OFF-15).
  private let keepsWhatIsUsed: Bool
  private var nextUse: Int
  /// How many bytes the entries may have together.
  private let capacity: Int
  /// How many they had after the last input. What a process finds is not too much yet.
  private var bytesBefore: Int

  init(_ entries: [Entry], capacity: Int, keepsWhatIsUsed: Bool) {
    self.keepsWhatIsUsed = keepsWhatIsUsed
    self.entries = entries
    self.capacity = capacity
    bytesBefore = entries.reduce(0) { $0 + $1.bytes }
    nextUse = (entries.map(\.lastUse).max() ?? 0) + 1
  }

  // MARK: Looking

  /// What is kept of `path`, if all of it is; the entry nearest to the root is asked first.
  func data(at path: Path) -> Node? {
    let above = entries.filter { $0.location.query == nil && path.starts(with: $0.location.path) }
    let highest = above.min { $0.location.path.count < $1.location.path.count }
    return highest.flatMap { entry in
      path.relative(to: entry.location.path).map { entry.node[$0] }
    }
  }

  /// The window of a filtering query, if it is kept.
  func window(of query: Query, at path: Path) -> Node? {
    index(of: Location(path: path, query: query)).map { entries[$0].node }
  }
}

// MARK: - Learning

extension PersistedData {
  /// Takes over what the views know, and throws out what is too much.
  mutating func follow(_ views: PathList<View>) {
    var new: [Location] = []
    if !isInUse(by: views) {
      let locations = views.map(\.location)
      new = locations.filter { !inUse.contains($0) }
      inUse = locations
      users = views.map(\.id)
      learned = []
    }
    if !hasLearned(from: views) {
      for index in views.indices
      where views[index].serverCache.isComplete && !isLearned(index, of: views) {
        learn(views[index])
      }
      learned = views.map(\.serverCache.whole)
    }
    for location in new { touch(location) }
    let bytes = entries.reduce(0) { $0 + $1.bytes }
    bytesBefore = bytes > bytesBefore ? throwOut(bytes) : bytes
  }

  private func isInUse(by views: PathList<View>) -> Bool {
    users.count == views.count && views.indices.allSatisfy { users[$0] == views[$0].id }
  }

  private func hasLearned(from views: PathList<View>) -> Bool {
    learned.count == views.count
      && views.indices.allSatisfy { learned[$0] == views[$0].serverCache.whole }
  }

  /// Whether what a view knows stands here already. Several views may share the entry of a location
  /// if their queries do not filter: of those the last one counts.
  private func isLearned(_ index: Int, of views: PathList<View>) -> Bool {
    guard learned.count == views.count, views[index].query.filters else { return false }
    return learned[index] == views[index].serverCache.whole
  }

  /// Takes over what a view knew whose last listener has gone: that was a use of it.
  mutating func retire(_ view: View) {
    learn(view)
    touch(view.location)
  }

  /// Takes over what one view knows, if that is everything.
  private mutating func learn(_ view: View) {
    let serverCache = view.serverCache
    guard serverCache.isComplete else { return }
    let node = view.query.filters ? view.query.window(of: serverCache.node).node : serverCache.node
    let index = index(of: view.location)
    let old = index.map { entries[$0].node }
    if old == node { return }
    if let index {
      entries[index].node = node
    } else {
      entries.append(Entry(view.location, node, lastUse: nextUse))
      nextUse += 1
    }
    guard view.query.filters else { return overwrite([(view.path, node)]) }
    // What left a window need not be gone.
    overwrite(
      node.children.differences(from: (old ?? .empty).children)
        .filter { !$0.new.isEmpty }
        .map { (view.path.appending($0.key), $0.new) })
  }

  /// The server has each of `sets` at its path, as far as it is known: entries that no view stands
  /// for learn it as well, so that all that is kept agrees. They happened at once, so that a window
  /// does not depend on their order.
  mutating func overwrite(_ sets: [(path: Path, node: Node)]) {
    for index in entries.indices where !inUse.contains(entries[index].location) {
      let location = entries[index].location
      let reached = sets.filter {
        $0.path.starts(with: location.path) || location.path.starts(with: $0.path)
      }
      if reached.isEmpty { continue }
      var new = entries[index].node
      for (path, node) in reached {
        if let below = path.relative(to: location.path) {
          new = new.setting(node, at: below)
        } else if let below = location.path.relative(to: path) {
          new = node[below]
        }
      }
      entries[index].node = location.query?.window(of: new).node ?? new
    }
  }

  private mutating func touch(_ location: Location) {
    guard let index = index(of: location) else { return }
    entries[index].lastUse = nextUse
    nextUse += 1
  }
}

// MARK: - Forgetting

extension PersistedData {
  /// OFF-15: when what is kept has grown, and as long as there is too much, what is not in use
  /// goes, unused for longest first.
  ///
  /// - Returns: How many bytes are left of `total`.
  private mutating func throwOut(_ total: Int) -> Int {
    var bytes = total
    while bytes > capacity {
      let unused = entries.indices.filter {
        !keepsWhatIsUsed || !inUse.contains(entries[$0].location)
      }
      guard let oldest = unused.min(by: { entries[$0].lastUse < entries[$1].lastUse }) else {
        break
      }
      bytes -= entries.remove(at: oldest).bytes
      learned = []
    }
    return bytes
  }

  /// Forgets what is kept at `path` and below it, because it may not be read any more.
  mutating func forget(_ path: Path) {
    entries.removeAll { $0.location.path.starts(with: path) }
    learned = []
  }
}

extension ServerCache {
  /// What the server has, if all of it is known.
  fileprivate var whole: Node? { isComplete ? node : nil }
}

extension View {
  /// What is kept for this view.
  fileprivate var location: PersistedData.Location {
    PersistedData.Location(path: path, query: query.filters ? query : nil)
  }
}
