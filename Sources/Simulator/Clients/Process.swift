internal import ClientInterface
internal import Tree

/// The process that a client runs in, and what outlives it.
struct Process {
  /// Whether it runs. Killed, it is given nothing and does nothing.
  var isRunning = true
  /// How many there were before it.
  var predecessors = 0
  var storage = Storage()
  /// The storage as it was when the run last came to rest while the process was running.
  private(set) var storageAtRest = Storage()
  let persistence: ClientInput.Persistence?
  /// Makes the client of the next process.
  let makeClient: () -> any SyncClient

  init(_ setup: ClientSetup) {
    persistence = setup.persistence
    makeClient = setup.renew ?? { [client = setup.client] in client }
  }

  mutating func rememberStorage() {
    if isRunning { storageAtRest = storage }
  }

  /// Makes of the storage what a new process is to find.
  mutating func prepareStorage(_ condition: StorageCondition) {
    switch condition {
    case .kept: break
    case .lost: storage = Storage()
    case .rolledBack: storage = storageAtRest
    }
  }
}

/// What a process finds of what the one before it has stored.
public enum StorageCondition: Hashable, Sendable {
  /// Everything.
  case kept
  /// Nothing.
  case lost
  /// What was there when the run last came to rest before the process ended: the changes since then
  /// had not reached the disk.
  case rolledBack
}

/// What a client has stored, as a process that starts finds it.
struct Storage {
  private var texts: [Text: String] = [:]

  mutating func store(_ text: String, under key: String) { texts[Text(key)] = text }

  mutating func erase(_ key: String) { texts[Text(key)] = nil }

  /// Everything, in the order of the keys.
  var items: [ClientInput.StoredItem] {
    texts.sorted { $0.key < $1.key }.map { ClientInput.StoredItem($0.key.string, $0.value) }
  }
}
