public import ClientInterface
internal import Faults
internal import Trace
internal import Tree

/// The process that a client runs in, and what outlives it.
struct Process {
  /// Whether it runs. Killed, it is given nothing and does nothing.
  var isRunning = true
  /// How many there were before it.
  var predecessors = 0
  var storage = StoredTexts()
  /// The storage as it was when the run last settled while the process was running.
  private(set) var settledStorage = StoredTexts()
  /// What is wrong with the disk. It stays wrong when the process ends.
  var disk = Disk()
  let persistence: ClientInput.Persistence?
  /// Makes the client of the next process.
  let makeClient: () -> any SyncClient

  init(_ setup: ClientSetup) {
    persistence = setup.persistence
    makeClient = setup.renew ?? { [client = setup.client] in client }
  }

  mutating func store(_ text: String, under key: String) -> Disk.Outcome {
    disk.store(text, under: key, in: &storage)
  }

  mutating func rememberStorage() {
    if isRunning { settledStorage = storage }
  }

  /// Makes of the storage what a new process is to find.
  ///
  /// - Returns: The fault that tore a record, if one did.
  mutating func prepareStorage(_ condition: StorageCondition) -> Int? {
    switch condition {
    case .kept: break
    case .lost: storage = StoredTexts()
    case .rolledBack: storage = settledStorage
    }
    return disk.tear(&storage)
  }
}

/// What a client has stored, as a process that starts finds it.
struct StoredTexts {
  /// Everything, in the order of the keys.
  private(set) var items: [ClientInput.StoredItem] = []

  /// The text under a key; `nil` erases it.
  subscript(key: String) -> String? {
    get {
      let index = index(of: key)
      return isAt(index, key) ? items[index].text : nil
    }
    set {
      let index = index(of: key)
      switch (isAt(index, key), newValue) {
      case (true, let text?): items[index].text = text
      case (true, nil): items.remove(at: index)
      case (false, let text?): items.insert(ClientInput.StoredItem(key, text), at: index)
      case (false, nil): break
      }
    }
  }

  /// How long the texts are together, in bytes.
  var size: Int { items.reduce(0) { $0 + $1.text.utf8.count } }

  /// The position of the first item whose key is not before `key`.
  private func index(of key: String) -> Int {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if Text(items[middle].key) < Text(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isAt(_ index: Int, _ key: String) -> Bool {
    index < items.count && Text(items[index].key) == Text(key)
  }
}

/// What is wrong with what a client stores on.
struct Disk {
  private var errors: (left: Int, mark: Int?)?
  private var capacity: (bytes: Int, mark: Int?)?
  /// The fault by which the last record will be torn; outer `nil` when it will not.
  private var tearing: Int??
  private var lastKey: String?

  /// Whether a text was stored.
  enum Outcome {
    case stored
    /// It was not, because of the fault with this mark.
    case refused(mark: Int?)
  }

  mutating func fail(_ count: Int, mark: Int?) { errors = (count, mark) }

  mutating func fill(at bytes: Int, mark: Int?) { capacity = (bytes, mark) }

  mutating func tearLast(mark: Int?) { tearing = .some(mark) }

  /// Takes everything from now on.
  ///
  /// - Returns: Whether it did not before.
  mutating func work() -> Bool {
    let failed = (errors?.left ?? 0) > 0 || capacity != nil || tearing != nil
    errors = nil
    capacity = nil
    tearing = nil
    return failed
  }

  mutating func store(_ text: String, under key: String, in storage: inout StoredTexts) -> Outcome {
    if let (left, mark) = errors, left > 0 {
      errors?.left = left - 1
      return .refused(mark: mark)
    }
    if let (bytes, mark) = capacity,
      storage.size - (storage[key]?.utf8.count ?? 0) + text.utf8.count > bytes
    {
      return .refused(mark: mark)
    }
    storage[key] = text
    lastKey = key
    return .stored
  }

  /// Cuts the text that was stored last in half, if that is to be and it is still there.
  ///
  /// - Returns: The fault, if it changed something.
  mutating func tear(_ storage: inout StoredTexts) -> Int? {
    guard let mark = tearing else { return nil }
    tearing = nil
    guard let lastKey, let text = storage[lastKey], !text.isEmpty else { return nil }
    storage[lastKey] = String(text.prefix(text.count / 2))
    return mark
  }
}

// Processes of clients: how they begin and how they vanish.

extension Simulator {
  /// Ends the process of a client: its timers are gone, its connection breaks and the server
  /// notices at once, what is in flight is lost, and nothing of it runs any more.
  ///
  /// The client is notified, so that one that is a class can let go of what it holds; what it does
  /// in consequence is ignored. What it had stored stays. Nothing happens when it does not run.
  mutating func kill(_ index: Int, _ mark: Int?, cause: Int?) {
    guard participants[index].process.isRunning else { return }
    takeEffect(mark)
    let event = record(.input(ClientIndex(index), .close), cause: cause)
    participants[index].client.handle(.close, at: readClock(of: index), into: &outputs)
    outputs.removeAll(keepingCapacity: true)
    if case .connecting = participants[index].connection { inFlight -= 1 }
    participants[index].vanish()
    breakConnections(of: index, cause: event)
  }

  /// Starts a new process of a client that was killed.
  ///
  /// It begins as the client was before the run, with nothing but what is stored. Nothing happens
  /// when one is running.
  mutating func start(_ index: Int, _ storage: StorageCondition, _ mark: Int?, cause: Int?) {
    guard !participants[index].process.isRunning else { return }
    takeEffect(mark)
    takeEffect(participants[index].process.prepareStorage(storage))
    participants[index].process.isRunning = true
    participants[index].process.predecessors += 1
    participants[index].client = participants[index].process.makeClient()
    open(index, cause: cause)
  }

  /// Whether the process of the client runs.
  public func isRunning(_ client: ClientIndex) -> Bool {
    participants[client.number].process.isRunning
  }

  /// Notifies a client that its process starts, and what it finds.
  mutating func open(_ index: Int, cause: Int? = nil) {
    let process = participants[index].process
    let key = ChoiceTape.Key(.clientSeed, entity: index, ordinal: process.predecessors)
    var stream = tape.stream(of: key)
    let opening = ClientInput.Opening(
      host: host, seed: stream.next(), persistence: process.persistence,
      storage: process.storage.items)
    give(.open(opening), to: index, cause: cause)
  }
}

extension Participant {
  /// Forgets everything that belongs to the process, and nothing else.
  fileprivate mutating func vanish() {
    process.isRunning = false
    connection = .none
    isHalfOpen = false
    requestedState = .online
    nestedCalls = [:]
    isTakenOffline = false
    timers = []
    lastFiring = nil
  }
}
