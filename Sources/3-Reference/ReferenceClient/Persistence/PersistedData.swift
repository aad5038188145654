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

  struct Entry {
    let location: Location
    fileprivate(set) var node: Node {
      didSet { text = node.description }
    }
    /// When it was used last, or began to be used: counts up with every use.
    fileprivate var lastUse: Int
    /// Under what the data are stored, and where they belong, as the members of an object behind them.
    let key: Text
    private let address: String
    /// The data as JSON.
    private var text: String
    /// The length of that text.
    fileprivate var bytes: Int { text.utf8.count }

    /// With the text that it was stored as, if it was: the data are not written out again.
    fileprivate init(
      _ location: Location, _ node: Node, lastUse: Int, storedAs stored: String? = nil
    ) {
      self.location = location
      self.node = node
      self.lastUse = lastUse
      (key, address, text) = (location.key, location.address, "")
      text = stored.flatMap(data(in:)) ?? node.description
    }
  }

  /// No two of them have been used at the same time.
  private var entries: [Location: Entry] = [:]
  /// What may not be stored as it is here.
  private var changed: Set<Location> = []
  private var inUse: Set<Location> = []
  /// The views that use them, with what they knew when all of them were learned from last; empty
  /// when that may not be what stands here.
  private var users: [(id: Int, whole: Node?)] = []
  /// Whether what is in use is not thrown out (OFF-15).
  private let keepsWhatIsUsed: Bool
  private var nextUse = 1
  /// How many bytes the entries may have together.
  private let capacity: Int
  /// How many they had after the last input. What a process finds is not too much yet.
  private var bytesBefore = 0

  init(capacity: Int, keepsWhatIsUsed: Bool) {
    self.capacity = capacity
    self.keepsWhatIsUsed = keepsWhatIsUsed
  }

  // MARK: Looking

  /// What is kept of `path`, if all of it is; the entry nearest to the root is asked first.
  func data(at path: Path) -> Node? {
    let above = entries.values.filter {
      $0.location.query == nil && path.starts(with: $0.location.path)
    }
    let highest = above.min { $0.location.path.count < $1.location.path.count }
    return highest.flatMap { entry in
      path.relative(to: entry.location.path).map { entry.node[$0] }
    }
  }

  /// The window of a filtering query, if it is kept.
  func window(of query: Query, at path: Path) -> Node? {
    entries[Location(path: path, query: query)]?.node
  }
}

// MARK: - Storing

extension PersistedData {
  /// How the keys of what is stored begin.
  static let prefix = "data/"

  /// Takes in what an earlier process has stored.
  mutating func find(_ entry: Entry) {
    entries[entry.location] = entry
    changed.insert(entry.location)
    bytesBefore += entry.bytes
    nextUse = max(nextUse, entry.lastUse + 1)
  }

  /// What has changed since this was asked last, as it is to be stored; `nil` for what is gone.
  mutating func takeChanges() -> [(key: Text, text: String?)] {
    defer { changed = [] }
    return changed.map { location in
      entries[location].map { ($0.key, $0.json) } ?? (location.key, nil)
    }
  }

  /// Has everything stored again.
  mutating func changeAll() { changed = Set(entries.keys) }
}

extension PersistedData.Location {
  private var queryText: String? { query.map { $0.json(in: .firebase).text } }

  /// Under what the data are stored; those of a window with the text of its query.
  fileprivate var key: Text {
    let query = query == .all ? Query.all.identifier : queryText
    return Text(PersistedData.prefix + path.relativeText + (query.map { "#" + $0 } ?? ""))
  }

  fileprivate var address: String {
    ",\"path\":" + JSON.string(path.description).text
      + (queryText.map { ",\"query\":" + $0 } ?? "")
  }
}

extension PersistedData.Entry {
  /// What is stored: `{"data": …, "path": "/a", "used": 3}`, with the `query` as the wire has it if
  /// there is one.
  fileprivate var json: String {
    let tail = tail
    var json = Self.head
    // At once, since there may be megabytes of it.
    json.reserveCapacity(bytes + tail.utf8.count + Self.head.utf8.count)
    json += text
    return json + tail
  }

  private static let head = "{\"data\":"

  private var tail: String { address + ",\"used\":\(lastUse)}" }

  private func data(in stored: String) -> String? {
    let tail = tail
    guard stored.hasPrefix(Self.head), stored.hasSuffix(tail) else { return nil }
    return String(
      Substring(stored.utf8.dropFirst(Self.head.utf8.count).dropLast(tail.utf8.count)))
  }

  /// Reads what was stored.
  init?(json: JSON, storedAs stored: String, ranges: Query.RangeReach) {
    guard let data = json["data"], let path = json["path"]?.string, let use = json["used"]?.integer
    else { return nil }
    var query: Query?
    do {
      query = try json["query"].map { json throws(WireError) in try Query(json: json) }
    } catch {
      return nil
    }
    self.init(
      .init(path: Path(path), query: query?.reaching(ranges)), Node(json: data), lastUse: use,
      storedAs: stored)
  }
}

// MARK: - Learning

extension PersistedData {
  /// Takes over what the views know, and throws out what is too much.
  mutating func follow(_ views: PathList<View>) {
    if !isLearned(from: views) {
      var new: [Location] = []
      if users.map(\.id) != views.map(\.id) {
        new = views.map(\.location).filter { !inUse.contains($0) }
        inUse = Set(views.map(\.location))
      }
      // Several views may share the entry of a location if their queries do not filter: of those the
      // last one counts.
      for index in views.indices
      where !views[index].query.filters || !isLearned(index, from: views) {
        learn(views[index])
      }
      users = views.map { ($0.id, $0.serverCache.whole) }
      for location in new { touch(location) }
    }
    let bytes = entries.values.reduce(0) { $0 + $1.bytes }
    bytesBefore = bytes > bytesBefore ? throwOut(bytes) : bytes
  }

  private func isLearned(from views: PathList<View>) -> Bool {
    users.count == views.count && views.indices.allSatisfy { isLearned($0, from: views) }
  }

  /// Whether what a view knows stands here already.
  private func isLearned(_ index: Int, from views: PathList<View>) -> Bool {
    users.indices.contains(index) && users[index].id == views[index].id
      && users[index].whole == views[index].serverCache.whole
  }

  /// Takes over what a view knew whose last listener has gone: that was a use of it.
  mutating func retire(_ view: View) {
    learn(view)
    touch(view.location)
  }

  /// Takes over what one view knows, if that is everything.
  private mutating func learn(_ view: View) {
    guard let whole = view.serverCache.whole else { return }
    let node = view.query.filters ? view.query.window(of: whole).node : whole
    let old = entries[view.location]?.node
    if old == node { return }
    changed.insert(view.location)
    if old == nil {
      entries[view.location] = Entry(view.location, node, lastUse: nextUse)
      nextUse += 1
    } else {
      entries[view.location]?.node = node
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
    for (location, entry) in entries where !inUse.contains(location) {
      let reached = sets.filter { $0.path.isRelated(to: location.path) }
      if reached.isEmpty { continue }
      var new = entry.node
      for (path, node) in reached {
        if let below = path.relative(to: location.path) {
          new = new.setting(node, at: below)
        } else if let below = location.path.relative(to: path) {
          new = node[below]
        }
      }
      entries[location]?.node = location.query?.window(of: new).node ?? new
      changed.insert(location)
    }
  }

  private mutating func touch(_ location: Location) {
    guard entries[location] != nil else { return }
    entries[location]?.lastUse = nextUse
    changed.insert(location)
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
      let unused = entries.values.filter { !keepsWhatIsUsed || !inUse.contains($0.location) }
      guard let oldest = unused.min(by: { $0.lastUse < $1.lastUse }) else { break }
      bytes -= oldest.bytes
      remove(oldest.location)
    }
    return bytes
  }

  /// Forgets what is kept at `path` and below it, because it may not be read any more.
  mutating func forget(_ path: Path) {
    for location in entries.keys where location.path.starts(with: path) { remove(location) }
    users = []
  }

  private mutating func remove(_ location: Location) {
    entries[location] = nil
    changed.insert(location)
    users = []
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
