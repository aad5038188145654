internal import ClientInterface
internal import Document
internal import Tree
internal import Wire

/// What outlives the process, as texts under keys. `Specs/rules/offline.md` describes them.
///
/// The client compares it with what it stored last, after each input, and stores the difference.
struct StoredState: Equatable {
  /// A plain write that the server has not answered.
  struct Write: Equatable {
    /// Its location in the order of issue.
    let number: Int
    let request: Request
  }

  /// The token of the user who is signed in.
  var credential: String?
  /// Whether writes wait until a user has signed in again (OFF-21).
  var isPaused = false
  /// In order of issue.
  var writes: [Write] = []
  var data: [PersistedData.Entry] = []

  private static let credentialKey = "credential"
  private static let pauseKey = "paused"
  private static let writePrefix = "write/"
  private static let dataPrefix = "data/"

  /// Under what there is a text.
  var keys: Set<Text> {
    var keys = Set(writes.map(Self.key(of:)) + data.map(\.key))
    if credential != nil { keys.insert(Text(Self.credentialKey)) }
    if isPaused { keys.insert(Text(Self.pauseKey)) }
    return keys
  }

  /// The text under each key.
  var texts: [Text: String] {
    var texts: [Text: String] = [:]
    texts[Text(Self.credentialKey)] = credential
    if isPaused { texts[Text(Self.pauseKey)] = "true" }
    for write in writes { texts[Self.key(of: write)] = write.json.text }
    for entry in data { texts[entry.key] = entry.json }
    return texts
  }

  /// What has to be stored, and erased, where `old` is stored: the text under each key that is not
  /// as it was, `nil` under keys that are gone. No more texts are written than differ.
  func changes(since old: StoredState) -> [Text: String?] {
    var changes: [Text: String?] = [:]
    if credential != old.credential {
      changes.updateValue(credential, forKey: Text(Self.credentialKey))
    }
    if isPaused != old.isPaused {
      changes.updateValue(isPaused ? "true" : nil, forKey: Text(Self.pauseKey))
    }
    for write in old.writes where !writes.contains(where: { $0.number == write.number }) {
      changes.updateValue(nil, forKey: Self.key(of: write))
    }
    for write in writes where !old.writes.contains(write) {
      changes.updateValue(write.json.text, forKey: Self.key(of: write))
    }
    if data != old.data { noteData(since: old.data, in: &changes) }
    return changes
  }

  /// Entries stay where they are in the list, nearly always.
  private func noteData(since old: [PersistedData.Entry], in changes: inout [Text: String?]) {
    for index in old.indices {
      let isThere = index < data.count && data[index].location == old[index].location
      if !isThere, !data.contains(where: { $0.location == old[index].location }) {
        changes.updateValue(nil, forKey: old[index].key)
      }
    }
    for index in data.indices {
      let isThere = index < old.count && isSame(index, as: index, of: old)
      if !isThere, !old.indices.contains(where: { isSame(index, as: $0, of: old) }) {
        changes.updateValue(data[index].json, forKey: data[index].key)
      }
    }
  }

  /// Whether two entries are equal. Member by member: entries are large, and are copied to be
  /// compared as a whole.
  private func isSame(_ index: Int, as other: Int, of old: [PersistedData.Entry]) -> Bool {
    data[index].lastUse == old[other].lastUse && data[index].node == old[other].node
      && data[index].location == old[other].location
  }

  private static func key(of write: Write) -> Text {
    let digits = String(write.number)
    return Text(
      writePrefix + String(repeating: "0", count: max(0, 10 - digits.utf8.count)) + digits)
  }

  /// Under what the data of a location are stored; those of a window with the text of its query.
  static func key(of path: Path, _ query: String?) -> Text {
    Text(dataPrefix + path.relativeText + (query.map { "#" + $0 } ?? ""))
  }

  /// Whether a text under this key is one of these. Without data it is the credential alone.
  static func isOwn(_ key: String, withData: Bool) -> Bool {
    if key == credentialKey { return true }
    return withData
      && (key == pauseKey || key.hasPrefix(writePrefix) || key.hasPrefix(dataPrefix))
  }

  /// Takes in one stored text, as far as it can be read.
  mutating func take(_ item: ClientInput.StoredItem, ranges: Query.RangeReach) {
    switch item.key {
    case Self.credentialKey: credential = item.text
    case Self.pauseKey: isPaused = true
    case let key where key.hasPrefix(Self.writePrefix):
      if let number = Int(key.dropFirst(Self.writePrefix.count)),
        let write = item.json.flatMap({ Write(number, $0) })
      {
        writes.append(write)
      }
    case let key where key.hasPrefix(Self.dataPrefix):
      if let entry = item.json.flatMap({
        PersistedData.Entry(json: $0, storedAs: item.text, ranges: ranges)
      }) {
        data.append(entry)
      }
    default: break
    }
  }
}

extension ClientInput.StoredItem {
  /// The text as JSON; `nil` when it is none, such as one that was torn while it was written.
  fileprivate var json: JSON? {
    do {
      // However long it is: the client has written it.
      return try JSON(parsing: text, upTo: .max)
    } catch {
      return nil
    }
  }
}

extension StoredState.Write {
  /// `{"path": "/a", "put": 1}` or `{"merge": {"b": 1}, "path": "/a"}`.
  fileprivate var json: JSON {
    switch request {
    case let .put(path, node, _): ["path": .string(path.description), "put": node.json]
    case let .merge(path, assignments, _):
      ["merge": assignments.json, "path": .string(path.description)]
    default: .null
    }
  }

  fileprivate init?(_ number: Int, _ json: JSON) {
    guard let path = json["path"]?.string.map({ Path($0) }) else { return nil }
    self.number = number
    if let value = json["put"] {
      request = .put(path, Node(json: value), hash: nil)
    } else if let assignments = json["merge"].flatMap({ [Assignment](json: $0) }) {
      request = .merge(path, assignments, hash: nil)
    } else {
      return nil
    }
  }
}

extension PersistedData.Entry {
  fileprivate init?(json: JSON, storedAs stored: String, ranges: Query.RangeReach) {
    guard let data = json["data"], let path = json["path"]?.string, let use = json["used"]?.integer
    else { return nil }
    var query: Query?
    do {
      query = try json["query"].map { json throws(WireError) in try Query(json: json) }
    } catch {
      return nil
    }
    // As everywhere: only a query with a range reaches anywhere.
    if query?.start != nil || query?.end != nil { query?.reach = ranges }
    self.init(
      .init(path: Path(path), query: query), Node(json: data), lastUse: use, storedAs: stored)
  }
}
