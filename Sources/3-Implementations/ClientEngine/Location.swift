package import ClientInterface
package import ReferenceClient
package import Tree
internal import Wire

/// A reference or a query: a location with the conditions that were added. It holds no data, and
/// needs no connection (REF-15).
package struct Location: Sendable {
  package let engine: Engine
  package let path: Path
  /// The conditions; or why nothing can be called here, which every call reports.
  private let query: Result<QueryBuilder, SyncError>

  private init(_ engine: Engine, _ path: Path, _ query: Result<QueryBuilder, SyncError>) {
    self.engine = engine
    self.path = path
    self.query = query
  }

  /// The root of a database.
  package init(_ engine: Engine) {
    guard let query = try? QueryBuilder(at: .root) else { preconditionFailure("the root is valid") }
    self.init(engine, .root, .success(query))
  }

  /// What is listened to.
  package var target: Operation.Target { Operation.Target(path, (try? query.get().query) ?? .all) }
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
    guard let (address, path) = DatabaseAddress.parse(url) else {
      engine.platform.trap(.noAddress(url))
      return self
    }
    guard address == engine.address else {
      let home = engine.address.text(of: .root)
      engine.platform.trap(SyncError("invalid_url", "\(url) is in another database than \(home)"))
      return self
    }
    return at(path)
  }

  /// The location at a relative path of one key or several (REF-13).
  package func child(_ text: String) -> Location { at(path.appending(Path(text))) }

  /// A location below with a key of its own (PSH-1).
  package func childByAutoId() -> Location {
    if case .failure = query { return self }
    return at(path.appending(engine.makeKey()))
  }

  /// Ordered by the value at a path below each child, or by `.key`, `.value` or `.priority`.
  package func ordered(by index: String) -> Location { adding("orderBy", .string(index)) }

  /// With `limitToFirst` or `limitToLast`.
  package func limited(_ end: String, to count: UInt) -> Location {
    adding(end, .number(Double(count)))
  }

  /// The same query with one more condition, such as `{"limitToFirst": 2}` (QRY-26).
  private func adding(_ condition: String, _ argument: JSON) -> Location {
    guard case let .success(query) = query else { return self }
    do {
      let new = try query.adding(.object([.init(condition, argument)]))
      return Location(engine, path, .success(new))
    } catch {
      let call = "\(condition) \(argument.text.prefix(200))"
      return refused(error, call)
    }
  }

  /// A bound: a value, and among children with that value a key.
  package func adding(_ condition: String, _ value: Any?, childKey: String? = nil) -> Location {
    do throws(SyncError) {
      var argument = [JSON.Member("value", try JSON(converting: value))]
      if let childKey { argument.append(.init("key", .string(childKey))) }
      return adding(condition, .object(argument))
    } catch {
      return refused(SyncError("invalid_query", "\(condition): \(error.detail ?? "")"))
    }
  }

  private func at(_ path: Path) -> Location {
    do {
      return Location(engine, path, .success(try QueryBuilder(at: path)))
    } catch {
      return Location(engine, path, query).refused(error, "\(path)")
    }
  }

  private func refused(_ refusal: Refusal, _ call: String) -> Location {
    let error = SyncError(refusal.code, refusal.reason.map { "\(call): \($0)" } ?? call)
    if refusal.isMistake { engine.platform.trap(error) }
    return refused(error)
  }

  private func refused(_ error: SyncError) -> Location {
    if case .failure = query { return self }
    engine.platform.report(.refusedCall(error))
    return Location(engine, path, .failure(error))
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
    if case let .failure(error) = query {
      engine.refuse(error, cancel)
      return 0
    }
    let path = path
    return engine.observe(
      Observation(type, at: target, lifetime) { event in
        block(Snapshot(event, at: path), event.previous.key?.string)
      } cancel: {
        cancel?($0)
      })
  }

  /// Ends the observation of a handle, if it is one of this location (OBS-5, OBS-16).
  package func removeObservation(_ handle: UInt) {
    engine.remove(.unlisten(ListenerID(String(handle)), at: path))
  }

  /// Ends the observations of the query (OBS-7).
  package func removeObservations() {
    if case .success = query { engine.remove(.unlistenAll(target)) }
  }

  package func keepSynced(_ synchronization: Operation.Synchronization) {
    perform(nil) { .synchronizing(target, synchronization) }
  }

  /// When a write takes place: at once, or when the connection ends (OND-1).
  package enum Moment {
    case now
    case onDisconnect
  }

  package func write(
    _ value: Any?, _ moment: Moment = .now, then completion: CompletionBlock? = nil
  ) {
    perform(completion) { () throws(SyncError) in
      write(Node(json: try JSON(converting: value)), moment)
    }
  }

  package func write(
    _ value: Any?, priority: Any?, _ moment: Moment = .now,
    then completion: CompletionBlock? = nil
  ) {
    perform(completion) { () throws(SyncError) in
      let node = Node(json: try JSON(converting: value))
      return write(node.settingPriority(try Scalar.priority(priority)), moment)
    }
  }

  private func write(_ node: Node, _ moment: Moment) -> Operation {
    moment == .now ? .set(path, node) : .onDisconnectSet(path, node)
  }

  package func remove(_ moment: Moment = .now, then completion: CompletionBlock? = nil) {
    perform(completion) { moment == .now ? .remove(path) : .onDisconnectRemove(path) }
  }

  package func setPriority(_ priority: Any?, then completion: CompletionBlock? = nil) {
    perform(completion) { () throws(SyncError) in
      .setPriority(path, try Scalar.priority(priority)?.json ?? .null)
    }
  }

  package func update(
    _ values: [AnyHashable: Any], _ moment: Moment = .now, then completion: CompletionBlock? = nil
  ) {
    perform(completion) { () throws(SyncError) in
      // In the order of their names, since a dictionary has none.
      let parts = [Assignment](json: try JSON(converting: values)) ?? []
      return moment == .now ? .update(path, parts) : .onDisconnectUpdate(path, parts)
    }
  }

  package func cancelOnDisconnect(then completion: CompletionBlock? = nil) {
    perform(completion) { .onDisconnectCancel(path) }
  }

  private func perform(
    _ completion: CompletionBlock?, _ operation: () throws(SyncError) -> Operation
  ) {
    perform(operation, completion: completion.map { block in { block($1) } })
  }

  /// Makes a call, unless there is a reason to refuse it, which its end then reports.
  func perform(
    _ operation: () throws(SyncError) -> Operation,
    function: ((Node) -> TransactionFunction.Run)? = nil, completion: Engine.EndBlock?
  ) {
    do throws(SyncError) {
      _ = try query.get()
      engine.perform(try operation(), function: function, completion: completion)
    } catch {
      engine.refuse(error, completion.map { block in { block(Completion(error: $0.code), $0) } })
    }
  }
}

extension Event.Previous {
  fileprivate var key: Key? {
    if case let .key(key) = self { key } else { nil }
  }
}

// The same calls for tasks. Those that wait for the server wait until it has answered, however long
// there is no connection, or until the task is cancelled or the engine ends, both with a
// `CancellationError`; what was written by then stays written.

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
  /// - Throws: `SyncError` when it is refused, and `CancellationError` when the listener is removed or the
  ///   task is cancelled.
  package func read(_ lifetime: Observation.Lifetime = .once) async throws -> Snapshot {
    var handle: UInt = 0
    do {
      return try await waiting { answer in
        handle = observe(.value, for: lifetime) { snapshot, _ in
          answer.end(.success(snapshot))
        } cancel: {
          answer.end(.failure($0))
        }
      }
    } catch {
      if Task.isCancelled { removeObservation(handle) }
      throw error
    }
  }

  /// Runs a transaction (TXN-1).
  ///
  /// - Returns: Whether the data were written, and what is there now.
  package func transaction(
    _ function: @escaping @Sendable (MutableTree) throws -> Decision
  ) async throws -> (committed: Bool, snapshot: Snapshot?) {
    try await waiting { answer in
      runTransaction(function, localEvents: .shown) { error, committed, snapshot in
        answer.end(error.map { .failure($0) } ?? .success((committed, snapshot)))
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
    try await waiting { answer in
      call { error in answer.end(error.map { .failure($0) } ?? .success(())) }
    }
  }
}

extension Engine {
  /// Waits until all writes and transactions that are pending now have ended.
  package func written() async throws {
    try await waiting { (answer: PendingAnswer<Void>) in whenWritten { answer.end(.success(())) } }
  }
}

/// Makes a call, and waits for its answer or for the cancellation of the task.
private func waiting<Value: Sendable>(
  _ call: (PendingAnswer<Value>) -> Void
) async throws -> Value {
  let answer = Answer<Value>()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      if answer.begin(continuation) { call(PendingAnswer(answer)) }
    }
  } onCancel: {
    answer.end(.failure(CancellationError()))
  }
}

/// What a task waits for: an answer, or its own cancellation, whichever comes first.
///
/// Unchecked: both properties are used with `lock` taken.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  private let lock = SerialLock()
  private var continuation: CheckedContinuation<Value, any Error>?
  private var isOver = false

  /// - Returns: Whether the call is to be made: not for a task that was cancelled before.
  func begin(_ new: CheckedContinuation<Value, any Error>) -> Bool {
    let isLate = lock.locked {
      if !isOver { continuation = new }
      return isOver
    }
    if isLate { new.resume(throwing: CancellationError()) }
    return !isLate
  }

  func end(_ result: Result<Value, any Error>) {
    let waiting = lock.locked {
      isOver = true
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}

/// An answer, in the hands of the block that is to give it. A block that is dropped before, because its
/// listener was removed or the engine has ended, ends the wait.
private final class PendingAnswer<Value: Sendable>: Sendable {
  private let answer: Answer<Value>

  init(_ answer: Answer<Value>) { self.answer = answer }

  func end(_ result: Result<Value, any Error>) { answer.end(result) }

  deinit { answer.end(.failure(CancellationError())) }
}
