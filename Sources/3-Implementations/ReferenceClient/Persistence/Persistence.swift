internal import ClientInterface
internal import Document
internal import Tree
internal import Wire

/// What outlives the process, as texts under keys. `Specs/rules/offline.md` describes them.
///
/// Whatever changes is written down under its key, and stored at the end of the input unless it is
/// stored like that already.
struct PersistenceState {
  /// Whether data and writes are kept, and not the credential alone (OFF-10, OFF-20).
  fileprivate(set) var keepsData = false
  fileprivate var stored: [Text: String] = [:]
  /// What may have to be stored instead; `nil` where nothing is to be stored any more. Of several
  /// for one key the last counts.
  private var changes: [(key: Text, text: String?)] = []
  private var isPaused = false

  var hasChanges: Bool { !changes.isEmpty }

  fileprivate static let credentialKey: Text = "credential"
  fileprivate static let pauseKey: Text = "paused"
  fileprivate static let writePrefix = "write/"
  /// The first number with more than ten digits.
  private static let firstLong = 10_000_000_000

  mutating func keep(credential: String?) {
    changes.append((Self.credentialKey, credential))
  }

  /// Keeps whether writes wait until a user has signed in again (OFF-21).
  mutating func keep(isPaused: Bool) {
    if !keepsData || isPaused == self.isPaused { return }
    self.isPaused = isPaused
    changes.append((Self.pauseKey, isPaused ? "true" : nil))
  }

  /// Keeps a plain write until the server has answered it. Transactions are not kept: what they were
  /// computed from is gone (OFF-22).
  mutating func keep(_ request: OutstandingRequest) {
    guard keepsData, case .write = request.purpose else { return }
    changes.append((Self.key(ofWrite: request.number), request.request.storedText))
  }

  mutating func forget(_ request: OutstandingRequest) {
    if keepsData { changes.append((Self.key(ofWrite: request.number), nil)) }
  }

  /// Keeps the data that changed last.
  mutating func keep(_ data: inout PersistedData?) {
    if let taken = data?.takeChanges() { changes.add(taken) }
  }

  /// What has to be stored and erased, in order of the keys, so that everything is as it is kept.
  mutating func takeChanges() -> [ClientOutput] {
    if changes.isEmpty { return [] }
    if changes.count > 1 {
      changes = changes.enumerated().sorted { a, b in
        a.element.key != b.element.key ? a.element.key < b.element.key : a.offset < b.offset
      }.map(\.element)
    }
    var outputs: [ClientOutput] = []
    for (index, change) in changes.enumerated() {
      let isLast = index + 1 == changes.count || changes[index + 1].key != change.key
      if !isLast || !store(change.text, under: change.key) { continue }
      let key = change.key.string
      outputs.append(change.text.map { .store(key: key, text: $0) } ?? .erase(key: key))
    }
    changes.removeAllKeepingStorage()
    return outputs
  }

  /// - Returns: Whether something else was stored there.
  private mutating func store(_ text: String?, under key: Text) -> Bool {
    guard let text else { return stored.removeValue(forKey: key) != nil }
    return stored.updateValue(text, forKey: key) != text
  }

  /// Whether a text under this key is one of these. Without data it is the credential alone.
  fileprivate func isOwn(_ key: String) -> Bool {
    if key == Self.credentialKey.string { return true }
    return keepsData
      && (key == Self.pauseKey.string || key.hasPrefix(Self.writePrefix)
        || key.hasPrefix(PersistedData.prefix))
  }

  /// Under what a write is stored: by its number, so that the keys have the order of issue.
  fileprivate static func key(ofWrite number: Int) -> Text {
    var key = writePrefix
    if (0..<firstLong).contains(number) {
      // Its ten digits, zeros included, without the one in front of them.
      key += String(firstLong + number).dropFirst()
    } else {
      key += String(number)
    }
    return Text(key)
  }
}

// MARK: - Texts

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

extension Request {
  /// A write as it is stored: `{"path":"/a","put":1}` or `{"merge":{"b":1},"path":"/a"}`.
  fileprivate var storedText: String? {
    switch self {
    case let .put(path, node, _):
      // Without making the JSON of the node, which may be large.
      var bytes = Array("{\"path\":".utf8)
      JSON.string(path.description).write(to: &bytes)
      bytes.append(contentsOf: ",\"put\":".utf8)
      node.write(to: &bytes)
      bytes.append(UInt8(ascii: "}"))
      return String(decoding: bytes, as: UTF8.self)
    case let .merge(path, assignments, _):
      return (["merge": assignments.json, "path": .string(path.description)] as JSON).text
    default: return nil
    }
  }

  fileprivate init?(stored json: JSON) {
    guard let path = json["path"]?.string.map({ Path($0) }) else { return nil }
    if let value = json["put"] {
      self = .put(path, Node(json: value), hash: nil)
    } else if let assignments = json["merge"].flatMap({ [Assignment](json: $0) }) {
      self = .merge(path, assignments, hash: nil)
    } else {
      return nil
    }
  }
}

// MARK: - The client

extension ReferenceClient {
  /// Takes up what earlier processes have left: nothing is raised and nothing completes, because
  /// there are no listeners and the calls are gone (OFF-12).
  mutating func remember(_ opening: ClientInput.Opening) {
    memory.keepsData = opening.persistence != nil
    tree.kept = opening.persistence.map {
      PersistedData(capacity: $0.cacheBytes, keepsWhatIsUsed: policy.usedDataStay)
    }
    var writes: [(number: Int, request: Request)] = []
    for item in opening.storage where memory.isOwn(item.key) {
      if take(item, &writes) == Text(item.key) {
        memory.stored[Text(item.key)] = item.text
      } else {
        outputs += [
          .log("what is stored as \(item.key) cannot be read and is erased"),
          .erase(key: item.key),
        ]
      }
    }
    // Last, because what they are estimated to set depends on the data.
    for (number, request) in writes {
      enqueue(request, number, for: .write(id: show(request).id, call: nil))
      // The keys of stored writes are their numbers.
      if policy.writeNumbersGoOn { requests.lastNumber = max(requests.lastNumber, number) }
    }
  }

  /// Takes in one stored text, as far as it can be read.
  ///
  /// - Returns: Under what it belongs; `nil` if it cannot be read.
  private mutating func take(
    _ item: ClientInput.StoredItem, _ writes: inout [(number: Int, request: Request)]
  ) -> Text? {
    switch item.key {
    case PersistenceState.credentialKey.string: identity.token = item.text
    case PersistenceState.pauseKey.string: identity.gate = .paused
    case let key where key.hasPrefix(PersistenceState.writePrefix):
      guard let number = Int(key.dropFirst(PersistenceState.writePrefix.count)),
        let request = item.json.flatMap({ Request(stored: $0) })
      else { return nil }
      writes.append((number, request))
      return PersistenceState.key(ofWrite: number)
    default:
      guard let json = item.json,
        let entry = PersistedData.Entry(json: json, storedAs: item.text, ranges: profile.ranges)
      else { return nil }
      tree.kept?.find(entry)
      return entry.key
    }
    return Text(item.key)
  }

  /// Stores what the input has changed of what is to be kept.
  mutating func storeChanges() {
    tree.kept?.follow(tree.views)
    memory.keep(isPaused: identity.gate == .paused)
    memory.keep(&tree.kept)
    outputs.add(memory.takeChanges())
  }

  /// Everything that the client means to have stored, written down again: for tests of how it stores
  /// no more than what has changed. `nil` where it keeps no data.
  package var storedAgain: [String: String]? {
    guard memory.keepsData else { return nil }
    var again = PersistenceState()
    again.keepsData = true
    again.keep(credential: identity.token)
    again.keep(isPaused: identity.gate == .paused)
    for request in requests.outstanding { again.keep(request) }
    var data = tree.kept
    data?.changeAll()
    again.keep(&data)
    return again.takeChanges().reduce(into: [:]) { texts, change in
      if case let .store(key, text) = change { texts[key] = text }
    }
  }
}
