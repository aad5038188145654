internal import ClientInterface
internal import Faults

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
