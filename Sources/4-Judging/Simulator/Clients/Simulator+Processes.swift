public import ClientInterface
public import Faults
internal import Trace

// Processes of clients: how they begin and how they vanish.

extension Simulator {
  /// Ends the process of a client: its timers are gone, its connection breaks and the server
  /// notices at once, what is in flight is lost, and nothing of it runs any more.
  ///
  /// The client is notified, so that one that is a class can let go of what it holds; what it does
  /// in consequence is ignored. What it had stored stays. Nothing happens when it does not run.
  public mutating func kill(_ client: ClientIndex) {
    kill(client.number, nil, cause: nil)
  }

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
  public mutating func start(_ client: ClientIndex, storage: StorageCondition = .kept) {
    start(client.number, storage, nil, cause: nil)
  }

  mutating func start(
    _ index: Int, _ storage: StorageCondition, _ mark: Int?, cause: Int?
  ) {
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
