package import ClientInterface
package import ReferenceClient
package import Tree

/// A reference or a query: a location with the conditions that were added. It holds no data, and
/// needs no connection (REF-15).
package struct Location: Sendable {
  package let engine: Engine
  package let path: Path
  /// `nil` after a refusal, which only a test outlives: nothing that is called there is done.
  private let query: QueryBuilder?

  private init(_ engine: Engine, _ path: Path) throws(Refusal) {
    try self.init(engine, path, QueryBuilder(at: path))
  }

  private init(_ engine: Engine, _ path: Path, _ query: QueryBuilder?) {
    self.engine = engine
    self.path = path
    self.query = query
  }

  /// Whether it comes of a call that was refused.
  var isRefused: Bool { query == nil }

  /// The root of a database.
  package init(_ engine: Engine) {
    guard let query = try? QueryBuilder(at: .root) else { preconditionFailure("the root is valid") }
    self.init(engine, .root, query)
  }

  /// What is listened to.
  package var target: Operation.Target { Operation.Target(path, query?.query ?? .all) }
  /// The location without any condition (QRY-25).
  package var reference: Location { at(path) }
  /// The root itself has no parent here; profiles differ in what they make of that (REF-4).
  package var parent: Location? { path.parent.map(at) }
  package var root: Location { Location(engine) }
  /// Empty for the root, which has none (REF-10).
  package var key: String { path.key?.string ?? "" }
  /// REF-9
  package var url: String { engine.address.text(of: path) }

  /// The location of an absolute address in the same database (REF-8).
  package func location(of url: String) -> Location {
    guard let (address, path) = DatabaseAddress.parse(url), address == engine.address else {
      return refused(Misuse("invalid_url", "the address \(url)"))
    }
    return at(path)
  }

  /// The location at a relative path of one key or several (REF-13).
  package func child(_ text: String) -> Location { at(path.appending(Path(text))) }

  /// A location below with a key of its own (PSH-1).
  package func childByAutoId() -> Location { at(path.appending(engine.makeKey())) }

  /// Ordered by the value at a path below each child, or by `.key`, `.value` or `.priority`.
  package func ordered(by index: String) -> Location { adding("orderBy", .string(index)) }

  /// With `limitToFirst` or `limitToLast`.
  package func limited(_ end: String, to count: UInt) -> Location {
    adding(end, .number(Double(count)))
  }

  /// The same query with one more condition, such as `{"limitToFirst": 2}` (QRY-26).
  private func adding(_ condition: String, _ argument: JSON) -> Location {
    attempt("\(condition) \(argument)") { () throws(Refusal) in
      Location(engine, path, try query?.adding(.object([.init(condition, argument)])))
    }
  }

  /// A bound: a value, and among children with that value a key.
  package func adding(_ condition: String, _ value: Any?, childKey: String? = nil) -> Location {
    var argument = [JSON.Member("value", engine.json(value))]
    if let childKey { argument.append(.init("key", .string(childKey))) }
    return adding(condition, .object(argument))
  }

  private func at(_ path: Path) -> Location {
    attempt("\(path)") { () throws(Refusal) in try Location(engine, path) }
  }

  private func attempt(_ call: String, _ work: () throws(Refusal) -> Location) -> Location {
    if isRefused { return self }
    do {
      return try work()
    } catch {
      return refused(Misuse(error.code, call))
    }
  }

  private func refused(_ misuse: Misuse) -> Location {
    engine.platform.refuse(misuse)
    return Location(engine, path, nil)
  }
}

// What is called at a location.

extension Location {
  /// What is called with an event: the snapshot and, for the events that have one, the previous key.
  package typealias EventBlock = (Snapshot, String?) -> Void
  /// What is called when a write has ended, with what went wrong.
  package typealias CompletionBlock = (SyncError?) -> Void

  /// Begins to listen; see ``Engine/observe(_:)``.
  package func observe(
    _ type: EventType, for lifetime: Observation.Lifetime = .untilRemoved,
    _ block: @escaping EventBlock, cancel: ((any Error) -> Void)?
  ) -> UInt {
    if isRefused { return 0 }
    let path = path
    return engine.observe(
      Observation(type, at: target, lifetime) { event in
        block(Snapshot(event, at: path), event.previous.key?.string)
      } cancel: { code in
        cancel?(SyncError(code))
      })
  }

  /// Ends the observation of a handle, if it is one of this location (OBS-5, OBS-16).
  package func removeObservation(_ handle: UInt) {
    if !isRefused { engine.remove(.unlisten(ListenerID(String(handle)), at: path)) }
  }

  /// Ends the observations of the query (OBS-7).
  package func removeObservations() {
    if !isRefused { engine.remove(.unlistenAll(target)) }
  }

  package func keepSynced(_ synchronization: Operation.Synchronization) {
    perform(.synchronizing(target, synchronization), nil)
  }

  /// When a write takes place: at once, or when the connection ends (OND-1).
  package enum Moment {
    case now
    case onDisconnect
  }

  package func write(
    _ value: Any?, _ moment: Moment = .now, then completion: CompletionBlock? = nil
  ) {
    write(Node(json: engine.json(value)), moment, completion)
  }

  package func write(
    _ value: Any?, priority: Any?, _ moment: Moment = .now,
    then completion: CompletionBlock? = nil
  ) {
    let node = Node(json: engine.json(value))
    write(node.settingPriority(engine.priority(priority)?.scalar), moment, completion)
  }

  private func write(_ node: Node, _ moment: Moment, _ completion: CompletionBlock?) {
    perform(moment == .now ? .set(path, node) : .onDisconnectSet(path, node), completion)
  }

  package func remove(_ moment: Moment = .now, then completion: CompletionBlock? = nil) {
    perform(moment == .now ? .remove(path) : .onDisconnectRemove(path), completion)
  }

  package func setPriority(_ priority: Any?, then completion: CompletionBlock? = nil) {
    guard let priority = engine.priority(priority) else { return }
    perform(.setPriority(path, priority.scalar?.json ?? .null), completion)
  }

  package func update(
    _ values: [AnyHashable: Any], _ moment: Moment = .now, then completion: CompletionBlock? = nil
  ) {
    let parts = engine.assignments(values)
    perform(moment == .now ? .update(path, parts) : .onDisconnectUpdate(path, parts), completion)
  }

  package func cancelOnDisconnect(then completion: CompletionBlock? = nil) {
    perform(.onDisconnectCancel(path), completion)
  }

  private func perform(_ operation: Operation, _ completion: CompletionBlock?) {
    if isRefused { return }
    engine.perform(
      operation,
      completion: completion.map { block in { block($0.error.map { SyncError($0) }) } })
  }
}

extension Event.Previous {
  fileprivate var key: Key? {
    if case let .key(key) = self { key } else { nil }
  }
}

// The same calls for tasks. Those that wait for the server wait until it has answered, however long
// there is no connection.

extension Location {
  package func write(_ value: sending Any?) async throws {
    try await ended { write(value, then: $0) }
  }

  package func write(_ value: sending Any?, priority: sending Any?) async throws {
    try await ended { write(value, priority: priority, then: $0) }
  }

  package func update(_ values: sending [AnyHashable: Any]) async throws {
    try await ended { update(values, then: $0) }
  }

  package func remove() async throws { try await ended { remove(then: $0) } }

  /// Reads once, with a listener that ends by itself (OBS-9), or with a request (GET-1).
  ///
  /// - Throws: `SyncError` when it is refused, and `CancellationError` when the listener is removed.
  package func read(_ lifetime: Observation.Lifetime = .once) async throws -> Snapshot {
    try await withCheckedThrowingContinuation { continuation in
      let reading = PendingRead(continuation)
      _ = observe(.value, for: lifetime) { snapshot, _ in
        reading.end(.success(snapshot))
      } cancel: {
        reading.end(.failure($0))
      }
    }
  }

  /// Runs a transaction (TXN-1).
  ///
  /// - Returns: Whether the data were written, and what is there now.
  package func transaction(
    _ function: @escaping @Sendable (MutableTree) throws -> Decision
  ) async throws -> (committed: Bool, snapshot: Snapshot?) {
    try await withCheckedThrowingContinuation { continuation in
      runTransaction(function, localEvents: .shown) { error, committed, snapshot in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: (committed, snapshot))
        }
      }
    }
  }

  /// Listens as long as the sequence is iterated; ends with an error when the server refuses.
  package func events<Element>(
    _ type: EventType, _ make: @escaping @Sendable (Snapshot, String?) -> sending Element
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream { continuation in
      let handle = observe(type) { snapshot, previous in
        continuation.yield(make(snapshot, previous))
      } cancel: {
        continuation.finish(throwing: $0)
      }
      continuation.onTermination = { _ in removeObservation(handle) }
    }
  }

  private func ended(_ call: (@escaping CompletionBlock) -> Void) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      call { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }
}

/// A task that waits for the end of a read. What observes holds this; if it is dropped before, the read was
/// removed.
private final class PendingRead {
  private var continuation: CheckedContinuation<Snapshot, any Error>?

  init(_ continuation: CheckedContinuation<Snapshot, any Error>) {
    self.continuation = continuation
  }

  func end(_ result: Result<Snapshot, any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }

  deinit { continuation?.resume(throwing: CancellationError()) }
}
