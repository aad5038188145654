internal import ClientEngine
internal import ClientInterface
internal import ClientMachine
internal import Hosting
internal import Tree
internal import Wire

/// Makes the calls of scenarios with the documented interface, and reports what it calls back.
final class SDKGlue<Reference: HostedReference>: HostedSDK {
  typealias Query = Reference.Query
  typealias Snapshot = Reference.Snapshot

  let environment: Environment
  let refusals: Refusals
  let root: Reference
  private let application: HostedApplication
  private var handles: [ListenerID: [(query: Query, handle: UInt)]] = [:]
  /// What each listener was handed, in order.
  var snapshots: [ListenerID: [Snapshot]] = [:]
  /// What the completions of transactions were handed.
  var results: [CallID: Snapshot] = [:]
  /// Calls that would have ended a program: whatever comes of them does not count.
  private var refusedCalls: Set<CallID> = []
  /// What the completions of other calls were handed.
  var references: [CallID: Reference] = [:]

  init(_ environment: Environment, _ application: HostedApplication) {
    self.environment = environment
    self.application = application
    refusals = application.refusals
    root = Application.$current.withValue(application.application) {
      Reference.begin(at: application.url, environment.persistence)
    }
  }

  func perform(_ operation: Operation, as call: CallID) {
    let refusal = refusals.refusal {
      Application.$current.withValue(application.application) { make(operation, call) }
    }
    guard let refusal else { return }
    refusedCalls.insert(call)
    environment.refuse(call, refusal.code)
  }

  /// Reports a call that the types of the interface already exclude.
  func refuse(_ code: ErrorCode) { refusals.record(Misuse(code, "the glue")) }

  func reference(_ path: Path) -> Reference { root.child(byAppendingPath: path.relativeText) }

  private func make(_ operation: Operation, _ call: CallID) {
    let given = operation.arguments
    switch operation.kind.family {
    case .listening: listen(operation)
    case .writing: write(operation, call)
    case .onDisconnect: writeOnDisconnect(operation, call)
    case .transaction:
      guard let path = given.path, let function = given.function else { return }
      run(function, at: path, given.localEvents ?? .shown, as: call)
    case .connection:
      switch operation.isOnline {
      case true?: Reference.goOnline()
      case false?: Reference.goOffline()
      case nil: Reference.purgeOutstandingWrites()
      }
    case .credential:
      if let token = given.token {
        root.database.signIn(withToken: token, completionBlock: ended(call))
      } else {
        root.database.signOut(completionBlock: ended(call))
      }
    case .inspection: if let inspection = given.inspection { inspect(inspection, as: call) }
    case .reaction: refuse("not_supported")
    }
  }

  private func listen(_ operation: Operation) {
    let given = operation.arguments
    if let synchronization = given.synchronization, let path = given.path {
      query(Operation.Target(path, given.query ?? .all)).keepSynced(synchronization == .on)
      return
    }
    switch operation {
    case let .listen(listener, target, events): listen(listener, target, events)
    case let .once(listener, target, event): once(listener, target, event)
    case let .get(listener, target):
      let show = raise(.value, to: listener)
      query(target).getData { [unowned self] error, snapshot in
        if let snapshot { show(snapshot, nil) } else if let error { cancel(listener, error) }
      }
    case let .unlisten(listener, path): unlisten(listener, at: path)
    case let .unlistenAll(target): query(target).removeAllObservers()
    default: refuse("not_supported")
    }
  }

  private func write(_ operation: Operation, _ call: CallID) {
    switch operation {
    case let .set(path, node): set(node, at: reference(path), as: call)
    case let .remove(path): reference(path).removeValue(completionBlock: ended(call))
    case let .setPriority(path, priority):
      reference(path).setPriority(priority.plain, withCompletionBlock: ended(call))
    case let .update(path, assignments):
      reference(path).updateChildValues(
        assignments.dictionary, withCompletionBlock: ended(call))
    case let .push(path, node):
      let child = reference(path).childByAutoId()
      if let node { set(node, at: child, as: call) }
      if !refusals.isRefusing { environment.answer(call, .string(child.key)) }
    default: break
    }
  }

  private func set(_ node: Node, at reference: Reference, as call: CallID) {
    if let priority = node.priority {
      reference.setValue(
        node.settingPriority(nil).json.plain, andPriority: priority.json.plain,
        withCompletionBlock: ended(call))
    } else {
      reference.setValue(node.json.plain, withCompletionBlock: ended(call))
    }
  }

  private func writeOnDisconnect(_ operation: Operation, _ call: CallID) {
    switch operation {
    case let .onDisconnectSet(path, node):
      if let priority = node.priority {
        reference(path).onDisconnectSetValue(
          node.settingPriority(nil).json.plain, andPriority: priority.json.plain,
          withCompletionBlock: ended(call))
      } else {
        reference(path).onDisconnectSetValue(node.json.plain, withCompletionBlock: ended(call))
      }
    case let .onDisconnectRemove(path):
      reference(path).onDisconnectRemoveValue(completionBlock: ended(call))
    case let .onDisconnectUpdate(path, assignments):
      reference(path).onDisconnectUpdateChildValues(
        assignments.dictionary, withCompletionBlock: ended(call))
    case let .onDisconnectCancel(path):
      reference(path).cancelDisconnectOperations(completionBlock: ended(call))
    default: break
    }
  }

  private func ended(_ call: CallID) -> ((any Error)?, Reference) -> Void {
    { [unowned self] error, reference in
      references[call] = reference
      environment.complete(call, Completion(error: error?.syncCode))
    }
  }

  private func ended(_ call: CallID) -> ((any Error)?) -> Void {
    { [unowned self] error in environment.complete(call, Completion(error: error?.syncCode)) }
  }

  /// Whether the value of a function is refused: the program ends before its transaction begins to
  /// listen, as the reference client has it.
  private func refuses(_ function: TransactionFunction) -> Bool {
    let trial = MutableTree(.empty, of: root.engine)
    if case let .setThenAbort(value) = function {
      trial.value = value.plain
    } else if case let .returned(result) = function(.null) {
      trial.value = result.plain
    }
    return refusals.isRefusing
  }

  private func run(
    _ function: TransactionFunction, at path: Path, _ localEvents: Operation.LocalEvents,
    as call: CallID
  ) {
    if refuses(function) { return }
    func block(_ data: Reference.MutableData) throws -> Reference.Result {
      let input = JSON(plain: data.value) ?? .null
      application.report { [environment] in environment.ranUpdate(call, input: input) }
      switch function(input) {
      case .failed: throw BrokenDown()
      case .aborted:
        if case let .setThenAbort(value) = function { data.value = value.plain }
        return .abort()
      case let .returned(result):
        // TXN-20: a function on plain values keeps the priority, which a new value would drop.
        let priority = data.priority
        data.value = result.plain
        if result[".priority"] == nil { data.priority = priority }
        // ERR-1: a program would have ended, and nothing is sent.
        return refusals.isRefusing ? .abort() : .success(withValue: data)
      }
    }
    let completion: ((any Error)?, Bool, Snapshot?) -> Void = { [unowned self] in
      if refusedCalls.contains(call) { return }
      results[call] = $2
      let value = $2.map { Node(json: JSON(plain: $0.valueInExportFormat()) ?? .null) }
      environment.complete(call, Completion(error: $0?.syncCode, committed: $1, value: value))
    }
    switch function {
    // A documented block cannot throw.
    case .fail, .setIfNullOrFail: reference(path).run(block, localEvents, completion)
    case .increment, .set, .setIfNull, .merge, .abort, .keep, .setThenAbort:
      reference(path).runTransactionBlock(
        { data in (try? block(data)) ?? .abort() }, andCompletionBlock: completion,
        withLocalEvents: localEvents == .shown)
    }
  }
}

/// What the function of a transaction throws.
private struct BrokenDown: Error {}

// Listening.

extension SDKGlue {
  private func listen(
    _ listener: ListenerID, _ target: Operation.Target, _ events: Set<EventType>
  ) {
    let query = query(target)
    for (index, event) in events.sorted().enumerated() {
      let handle = query.observe(
        .init(event), andPreviousSiblingKeyWith: raise(event, to: listener),
        withCancel: index == 0 ? { [unowned self] in cancel(listener, $0) } : nil)
      handles[listener, default: []].append((query, handle))
    }
  }

  private func once(_ listener: ListenerID, _ target: Operation.Target, _ event: EventType) {
    query(target).observeSingleEvent(
      of: .init(event), andPreviousSiblingKeyWith: raise(event, to: listener),
      withCancel: { [unowned self] in cancel(listener, $0) })
  }

  private func unlisten(_ listener: ListenerID, at path: Path?) {
    for (query, handle) in handles[listener] ?? [] {
      if let path {
        reference(path).removeObserver(withHandle: handle)
      } else {
        query.removeObserver(withHandle: handle)
      }
    }
  }

  private func raise(
    _ type: EventType, to listener: ListenerID
  ) -> (Snapshot, String?) -> Void {
    { [unowned self] snapshot, previous in
      snapshots[listener, default: []].append(snapshot)
      var event = Event(
        type, to: listener, key: snapshot.key.isEmpty ? nil : Key(snapshot.key),
        value: Node(json: JSON(plain: snapshot.valueInExportFormat()) ?? .null))
      switch type {
      case .childAdded, .childMoved, .childChanged:
        event.previous = .init(previous.map { Key($0) })
      case .value: event.order = .listed(snapshot.children.map { Key($0.key) })
      case .childRemoved: break
      }
      environment.raise(event)
    }
  }

  private func cancel(_ listener: ListenerID, _ error: any Error) {
    environment.cancel(listener, error.syncCode ?? "")
  }
}

extension Error {
  fileprivate var syncCode: ErrorCode? { (self as? SyncError)?.code }
}

extension [Assignment] {
  fileprivate var dictionary: [AnyHashable: Any] {
    Dictionary(map { ($0.path.relativeText, $0.node.json.plain as Any) }) { $1 }
  }
}
