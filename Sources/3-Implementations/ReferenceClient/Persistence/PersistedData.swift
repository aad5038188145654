internal import ClientInterface
internal import Tree
internal import Wire

/// The server's data that outlive the listeners and the process (OFF-11).
///
/// There is one entry for each location that is, or was, known completely: everything there, or the
/// window of a filtering query. An entry is in use while a view has its location. Then it repeats
/// what the view knows; otherwise it has what was learned of its location since, from any source.
struct PersistedData {
  /// For each path and query one. No two of them have been used at the same time.
  private var entries = PathList<Entry>()
  /// Under what those were stored that are gone.
  private var erased: [Text] = []
  /// The views that use them, with what they knew when all of them were learned from last; `nil`
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
    let above = entries.allPositions(.atOrAbove, path).filter { entries[$0].query == nil }
    let highest = above.min { entries[$0].path.count < entries[$1].path.count }
    return highest.map { entries[$0].node[path.dropFirst(entries[$0].path.count)] }
  }

  /// The window of a filtering query, if it is kept.
  func window(of query: Query, at path: Path) -> Node? {
    index(at: path, query).map { entries[$0].node }
  }

  private func index(at path: Path, _ query: Query?) -> Int? {
    entries.first(.at, path) { entries[$0].query == query }
  }
}

// MARK: - Storing

extension PersistedData {
  /// What is stored: `{"data": …, "path": "/a", "used": 3}`, with the `query` as the wire has it if
  /// there is one.
  struct Entry {
    let path: Path
    /// The query whose window is kept, or `nil` for everything.
    let query: Query?
    fileprivate(set) var node: Node {
      didSet { (data, isChanged) = (nil, true) }
    }
    /// When it was used last, or began to be used: counts up with every use.
    fileprivate var lastUse: Int {
      didSet { isChanged = true }
    }
    /// Whether a view had its location after the last input.
    fileprivate var isInUse = false
    /// Whether it may not be stored as it is here.
    fileprivate var isChanged = true
    /// Under what it is stored; the window of a query with the text of the query.
    let key: Text
    /// Where the data belong, as the members of an object behind them.
    private let address: String
    /// The data as JSON; `nil` where they have changed since they were written.
    private var data: String?

    fileprivate init(_ path: Path, _ query: Query?, _ node: Node, lastUse: Int) {
      (self.path, self.query, self.node, self.lastUse) = (path, query, node, lastUse)
      let (name, queryText) = (path.relativeText, query.map { $0.json(in: .firebase).text })
      let suffix = query == .all ? Query.all.identifier : queryText
      key = Text(PersistedData.prefix + name + (suffix.map { "#" + $0 } ?? ""))
      address =
        ",\"path\":" + JSON.string("/" + name).text + (queryText.map { ",\"query\":" + $0 } ?? "")
    }

    /// Reads what was stored. Data that are written as they would be here are not written out again.
    init?(json: JSON, storedAs stored: String, ranges: Query.RangeReach) {
      guard let data = json["data"], let path = json["path"]?.string,
        let use = json["used"]?.integer
      else { return nil }
      var query: Query?
      do {
        query = try json["query"].map { json throws(WireError) in try Query(json: json) }
      } catch {
        return nil
      }
      self.init(Path(path), query?.reaching(ranges), Node(json: data), lastUse: use)
      if stored.hasPrefix(Self.head), stored.hasSuffix(tail) {
        let members = stored.utf8.dropFirst(Self.head.utf8.count).dropLast(tail.utf8.count)
        self.data = String(Substring(members))
      }
    }

    private static let head = "{\"data\":"
    private var tail: String {
      var tail = address
      writeUse(to: &tail)
      return tail
    }

    private func writeUse(to text: inout String) {
      text += ",\"used\":"
      text += String(lastUse)
      text += "}"
    }

    /// Writes the data out, unless that was done.
    ///
    /// - Returns: How many bytes they have.
    fileprivate mutating func write() -> Int {
      let written = data ?? node.description
      data = written
      return written.utf8.count
    }

    fileprivate var text: String {
      let data = data ?? node.description
      var text = Self.head
      // At once, since there may be megabytes of it; the use takes up to 32.
      text.reserveCapacity(text.utf8.count + data.utf8.count + address.utf8.count + 32)
      text += data
      text += address
      writeUse(to: &text)
      return text
    }
  }

  /// How the keys of what is stored begin.
  static let prefix = "data/"

  /// Takes in what an earlier process has stored.
  mutating func find(_ entry: Entry) {
    var entry = entry
    bytesBefore += entry.write()
    nextUse = max(nextUse, entry.lastUse + 1)
    if let index = index(at: entry.path, entry.query) {
      entries[index] = entry
    } else {
      entries.append(entry, at: entry.path)
    }
  }

  /// What has changed since this was asked last, as it is to be stored; `nil` for what is gone.
  mutating func takeChanges() -> [(key: Text, text: String?)] {
    var changes: [(key: Text, text: String?)] = erased.map { ($0, nil) }
    erased = []
    for index in entries.indices where entries[index].isChanged {
      entries[index].isChanged = false
      changes.append((entries[index].key, entries[index].text))
    }
    return changes
  }

  /// Has everything stored again.
  mutating func changeAll() {
    for index in entries.indices { entries[index].isChanged = true }
  }
}

// MARK: - Learning

extension PersistedData {
  /// Takes over what the views know, and throws out what is too much.
  mutating func follow(_ views: PathList<View>) {
    if users.count != views.count || !views.indices.allSatisfy({ isLearned($0, from: views) }) {
      let new = begin(views)
      // Several views may share the entry of a location if their queries do not filter: of those the
      // last one counts.
      for index in views.indices
      where !views[index].query.filters || !isLearned(index, from: views) {
        let (path, query) = (views[index].path, views[index].query)
        learn(views[index].serverCache.whole, at: path, query, isInUse: true)
      }
      users = views.map { ($0.id, $0.serverCache.whole) }
      for index in new { touch(views[index].path, views[index].keptQuery) }
    }
    guard entries.indices.contains(where: { entries[$0].isChanged }) || !erased.isEmpty else {
      return
    }
    var bytes = 0
    for index in entries.indices { bytes += entries[index].write() }
    bytesBefore = bytes > bytesBefore ? throwOut(bytes) : bytes
  }

  /// Whether what a view knows stands here already.
  private func isLearned(_ index: Int, from views: PathList<View>) -> Bool {
    users.indices.contains(index) && users[index].id == views[index].id
      && users[index].whole == views[index].serverCache.whole
  }

  /// States which entries are in use from now on.
  ///
  /// - Returns: The positions of the views whose location was not in use.
  private mutating func begin(_ views: PathList<View>) -> [Int] {
    if users.count == views.count, views.indices.allSatisfy({ users[$0].id == views[$0].id }) {
      return []
    }
    // Their numbers rise in the order of the views.
    let last = users.last?.id ?? 0
    let new = views.indices.filter { index in
      views[index].id > last
        && views.first(.at, views[index].path) {
          views[$0].id <= last && views[$0].keptQuery == views[index].keptQuery
        } == nil
    }
    for index in entries.indices { entries[index].isInUse = false }
    for view in views.indices {
      guard let index = index(at: views[view].path, views[view].keptQuery) else { continue }
      entries[index].isInUse = true
    }
    return new
  }

  /// Takes over what a view knew whose last listener has gone: that was a use of it.
  mutating func retire(_ view: View) {
    let isInUse = users.contains { $0.id == view.id }
    learn(view.serverCache.whole, at: view.path, view.query, isInUse: isInUse)
    touch(view.path, view.keptQuery)
  }

  /// Takes over what the view of a query knows, if that is everything.
  private mutating func learn(_ whole: Node?, at path: Path, _ query: Query, isInUse: Bool) {
    guard let whole else { return }
    let kept = query.filters ? query : nil
    let node = kept?.window(of: whole).node ?? whole
    let index = index(at: path, kept)
    let old = index.map { entries[$0].node }
    if old == node { return }
    if let index {
      entries[index].node = node
    } else {
      var entry = Entry(path, kept, node, lastUse: nextUse)
      entry.isInUse = isInUse
      entries.append(entry, at: path)
      nextUse += 1
    }
    if entries.allSatisfy(\.isInUse) { return }
    guard query.filters else { return overwrite([(path, node)]) }
    // What left a window need not be gone.
    overwrite(
      node.children.differences(from: (old ?? .empty).children)
        .filter { !$0.new.isEmpty }
        .map { (path.appending($0.key), $0.new) })
  }

  /// The server has each of `sets` at its path, as far as it is known: entries that no view stands
  /// for learn it as well, so that all that is kept agrees. They happened at once, so that a window
  /// does not depend on their order.
  mutating func overwrite(_ sets: [(path: Path, node: Node)]) {
    for index in entries.indices where !entries[index].isInUse {
      let path = entries[index].path
      var new = entries[index].node
      var isReached = false
      for set in sets {
        if let below = set.path.relative(to: path) {
          new = new.setting(set.node, at: below)
        } else if let below = path.relative(to: set.path) {
          new = set.node[below]
        } else {
          continue
        }
        isReached = true
      }
      if isReached { entries[index].node = entries[index].query?.window(of: new).node ?? new }
    }
  }

  private mutating func touch(_ path: Path, _ query: Query?) {
    guard let index = index(at: path, query) else { return }
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
      let unused = entries.indices.filter { !keepsWhatIsUsed || !entries[$0].isInUse }
      guard let oldest = unused.min(by: { entries[$0].lastUse < entries[$1].lastUse }) else {
        break
      }
      bytes -= entries[oldest].write()
      remove(oldest)
    }
    return bytes
  }

  /// Forgets what is kept at `path` and below it, because it may not be read any more.
  mutating func forget(_ path: Path) {
    for index in entries.allPositions(.atOrBelow, path).reversed() { remove(index) }
    for index in users.indices { users[index].whole = nil }
  }

  private mutating func remove(_ index: Int) {
    erased.append(entries.remove(at: index).key)
    for index in users.indices { users[index].whole = nil }
  }
}

extension ServerCache {
  /// What the server has, if all of it is known.
  fileprivate var whole: Node? { isComplete ? node : nil }
}

extension View {
  /// The query that what is kept for this view is the window of; `nil` for everything.
  fileprivate var keptQuery: Query? { query.filters ? query : nil }
}
