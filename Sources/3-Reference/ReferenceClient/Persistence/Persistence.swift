internal import ClientInterface
internal import Tree
internal import Wire

/// What the client keeps over its end, and what of it is stored already.
struct PersistenceState {
  /// Whether data and writes are kept, and not the credential alone (OFF-10, OFF-20).
  var keepsData = false
  /// Whether something else than data and writes may have to be stored or erased.
  var needsStoring = false
  var stored: [Text: String] = [:]
  /// What `stored` was written from; `nil` when an earlier process wrote it.
  var state: StoredState?
}

extension ReferenceClient {
  /// Takes up what earlier processes have left: nothing is raised and nothing completes, because
  /// there are no listeners and the calls are gone (OFF-12).
  mutating func remember(_ opening: ClientInput.Opening) {
    var state = StoredState()
    let keepsData = opening.persistence != nil
    let items = opening.storage.filter { StoredState.isOwn($0.key, withData: keepsData) }
    for item in items { state.take(item, ranges: profile.ranges) }
    let keys = state.keys
    for item in items {
      if keys.contains(Text(item.key)) {
        memory.stored[Text(item.key)] = item.text
      } else {
        outputs += [
          .log("what is stored as \(item.key) cannot be read and is erased"),
          .erase(key: item.key),
        ]
      }
    }
    identity.token = state.credential
    guard let persistence = opening.persistence else { return }
    memory.keepsData = true
    if state.isPaused { identity.gate = .paused }
    tree.kept = PersistedData(
      state.data, capacity: persistence.cacheBytes, keepsWhatIsUsed: policy.usedDataStay)
    for write in state.writes { restore(write) }
  }

  /// Shows a write of an earlier process and puts it in line to be sent.
  private mutating func restore(_ write: StoredState.Write) {
    let path = write.request.path ?? .root
    let pending: (id: Int, events: [PendingEvent])
    var isUpdate = false
    switch write.request {
    case let .merge(_, assignments, _):
      isUpdate = true
      pending = tree.write(at: path, estimated(assignments, at: path))
    case let .put(_, node, _): pending = tree.write(at: path, [(path, estimated(node, at: path))])
    default: return
    }
    requests.puts.append(
      OutstandingPut(
        number: write.number, request: write.request,
        purpose: .write(id: pending.id, call: nil, isUpdate: isUpdate)))
    if policy.writeNumbersGoOn { requests.reserve(write.number) }
  }

  /// Stores what the input has changed of what is to be kept.
  mutating func storeChanges() {
    memory.needsStoring = false
    if memory.keepsData { tree.updateKept() }
    if isStored { return }
    var state = StoredState()
    state.credential = identity.token
    if memory.keepsData {
      state.isPaused = identity.gate == .paused
      state.data = tree.kept?.entries ?? []
      state.writes = requests.plainWrites
    }
    let changes = memory.state.map { state.changes(since: $0) } ?? state.allChanges(memory.stored)
    memory.state = state
    for (key, text) in changes.sorted(by: { $0.key < $1.key }) where memory.stored[key] != text {
      memory.stored[key] = text
      outputs.append(text.map { .store(key: key.string, text: $0) } ?? .erase(key: key.string))
    }
  }

  /// Whether everything is stored as it is: most inputs change nothing of it. No list is made of what
  /// is to be stored to see that.
  private var isStored: Bool {
    guard memory.state != nil, memory.state?.credential == identity.token else { return false }
    if !memory.keepsData { return true }
    return memory.state?.isPaused == (identity.gate == .paused)
      && memory.state?.data == (tree.kept?.entries ?? [])
      && requests.hasPlainWrites(memory.state?.writes ?? [])
  }

  /// Everything that the client means to have stored, rewritten: for tests of how it stores no more
  /// than what has changed. `nil` before it has stored anything.
  package var storedAgain: [String: String]? {
    memory.state.map { state in
      Dictionary(state.texts.map { ($0.key.string, $0.value) }) { first, _ in first }
    }
  }
}

extension StoredState {
  /// The same as `changes(since:)`, where it is unknown from what the stored texts were written.
  fileprivate func allChanges(_ stored: [Text: String]) -> [Text: String?] {
    var changes: [Text: String?] = texts.mapValues { $0 }
    for key in stored.keys where changes[key] == nil { changes.updateValue(nil, forKey: key) }
    return changes
  }
}

extension RequestLog {
  /// The writes that are stored. Transactions are not: what they were computed from is gone
  /// (OFF-22).
  fileprivate var plainWrites: [StoredState.Write] {
    puts.compactMap { put in
      guard case .write = put.purpose else { return nil }
      return .init(number: put.number, request: put.request)
    }
  }

  /// Whether these are the writes that are stored.
  fileprivate func hasPlainWrites(_ writes: [StoredState.Write]) -> Bool {
    var count = 0
    for index in puts.indices {
      guard case .write = puts[index].purpose else { continue }
      guard count < writes.count, writes[count].number == puts[index].number,
        writes[count].request == puts[index].request
      else { return false }
      count += 1
    }
    return count == writes.count
  }
}
