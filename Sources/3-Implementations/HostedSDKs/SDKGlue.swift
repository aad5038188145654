internal import ClientEngine
internal import ClientInterface
internal import ClientMachine
internal import Hosting
internal import Tree
internal import Wire

/// Makes the calls of scenarios with the documented interface, and reports what it calls back.
///
/// Unchecked: it is called, and calls the SDK, on one queue or thread only, on which the SDK calls its blocks.
final class SDKGlue<Reference: HostedReference>: HostedSDK, @unchecked Sendable {
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
  /// Calls that were refused: that their blocks get the error as well does not count.
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
  func refuse(_ code: ErrorCode) { refusals.record(SyncError(code, "the glue")) }

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

  private func ended(_ call: CallID) -> @Sendable ((any Error)?, Reference) -> Void {
    { [unowned self] error, reference in
      if refusedCalls.contains(call) { return }
      references[call] = reference
      environment.complete(call, Completion(error: error?.syncCode))
    }
  }

  private func ended(_ call: CallID) -> @Sendable ((any Error)?) -> Void {
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
    @Sendable func block(_ data: Reference.MutableData) throws -> Reference.Result {
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
    let completion: @Sendable ((any Error)?, Bool, Snapshot?) -> Void = { [unowned self] in
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
      let end: @Sendable (any Error) -> Void = { [unowned self] in cancel(listener, $0) }
      let handle = query.observe(
        .init(event), andPreviousSiblingKeyWith: raise(event, to: listener),
        withCancel: index == 0 ? end : nil)
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
  ) -> @Sendable (Snapshot, String?) -> Void {
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
    // A listen that was refused has been reported as that.
    guard let error = error as? SyncError, !error.isRefusal else { return }
    environment.cancel(listener, error.code)
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

extension SDKGlue {
  /// Answers a question with the documented interface, unless it refuses.
  func inspect(_ inspection: Inspection, as call: CallID) {
    var answer = JSON.null
    let refusal = refusals.refusal { answer = self.answer(inspection) }
    if let refusal { return refusals.record(refusal) }
    environment.answer(call, answer)
  }

  private func answer(_ inspection: Inspection) -> JSON {
    let (part, question, argument) = (
      inspection.part.relativeText, inspection.question, inspection.argument
    )
    switch inspection.subject {
    case let .reference(path):
      return answer(
        reference(path).child(byAppendingPath: part), question, argument)
    case let .address(text):
      return answer(Reference.make(url: text).child(byAppendingPath: part), question, argument)
    case let .snapshot(listener, nth):
      let handed = snapshots[listener] ?? []
      let index = (nth ?? handed.count) - 1
      guard handed.indices.contains(index) else { return refused("no_snapshot") }
      return answer(handed[index].childSnapshot(forPath: part), question, argument)
    case let .completion(call):
      if let result = results[call] {
        return answer(result.childSnapshot(forPath: part), question, argument)
      }
      guard let reference = references[call] else { return refused("no_snapshot") }
      return question == "ref" ? path(of: reference) : answer(reference, question, argument)
    case let .mutableData(value, changes):
      let data = Reference.makeData(MutableTree(.empty, of: root.engine))
      data.value = value.plain
      for change in changes { apply(change, to: data) }
      return contents(Contents(data.childData(byAppendingPath: part)), question, argument)
    case let .query(path, steps):
      return answer(query(path, steps), question, argument)
    }
  }

  private func refused(_ code: ErrorCode) -> JSON {
    refuse(code)
    return .null
  }

  private func answer(_ reference: Reference, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "key": reference.key.isEmpty ? .null : .string(reference.key)
    case "parent": reference.anyParent.map { path(of: $0) } ?? .null
    case "root": path(of: reference.root)
    case "child": path(of: reference.child(byAppendingPath: text(argument)))
    case "equals":
      .bool(
        reference.description()
          == root.child(byAppendingPath: text(argument)).description())
    case "url", "description": .string(reference.description())
    default: refused("not_supported")
    }
  }

  private func answer(_ snapshot: Snapshot, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "exists": .bool(snapshot.exists())
    case "ref": path(of: snapshot.ref)
    default: contents(Contents(snapshot), question, argument)
    }
  }

  private func answer(_ query: Query, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "ref": return path(of: query.ref)
    case "valid":
      for step in argument.elements ?? [] { _ = adding(step, to: query) }
      return true
    default: return refused("not_supported")
    }
  }

  private func contents(_ contents: Contents, _ question: String, _ argument: JSON) -> JSON {
    switch question {
    case "value": JSON(plain: contents.value) ?? .null
    case "export": JSON(plain: contents.export()) ?? .null
    case "key": contents.key.isEmpty ? .null : .string(contents.key)
    case "priority": JSON(plain: contents.priority) ?? .null
    case "hasChild": .bool(contents.holds(text(argument)))
    case "hasChildren": .bool(contents.hasChildren)
    case "childrenCount": .number(Double(contents.childrenCount))
    case "children":
      .array(
        contents.children().map { self.contents($0, argument.string ?? "key", .null) })
    default: refused("not_supported")
    }
  }

  private func apply(_ change: JSON, to data: Reference.MutableData) {
    let part = data.childData(byAppendingPath: text(change["child"] ?? ""))
    if let value = change["value"] {
      part.value = value.plain
    } else {
      part.priority = (change["priority"] ?? .null).plain
    }
  }

  private func text(_ argument: JSON) -> String {
    if let text = argument.string { return text }
    refuse("invalid_path")
    return ""
  }

  private func path(of reference: Reference) -> JSON {
    .string(DatabaseAddress.parse(reference.description())?.1.description ?? "/")
  }
}

/// What a snapshot and the data of a transaction answer alike.
private struct Contents {
  let value: Any?
  let priority: Any?
  let export: () -> Any?
  let key: String
  let childrenCount: UInt
  let hasChildren: Bool
  let holds: (String) -> Bool
  let children: () -> [Contents]

  init(_ snapshot: some _DocumentedSnapshot) {
    (value, priority, export) = (snapshot.value, snapshot.priority, snapshot.valueInExportFormat)
    (key, childrenCount) = (snapshot.key, snapshot.childrenCount)
    (hasChildren, holds) = (snapshot.hasChildren(), snapshot.hasChild)
    children = { snapshot.children.map { Contents($0) } }
  }

  init(_ data: some _DocumentedMutableData) {
    (value, priority, export) = (data.value, data.priority, { data.export })
    (key, childrenCount) = (data.key ?? "", data.childrenCount)
    (hasChildren, holds) = (data.hasChildren(), data.hasChild)
    children = { data.children.map { Contents($0) } }
  }
}

extension _DocumentedMutableData {
  /// The data with their priorities, put together from what the interface shows of them.
  fileprivate var export: Any? {
    var members = children.map { JSON.Member($0.key ?? "", JSON(plain: $0.export) ?? .null) }
    if members.isEmpty, let value {
      if priority == nil { return value }
      members.append(.init(".value", JSON(plain: value) ?? .null))
    }
    if let priority = JSON(plain: priority), priority != .null {
      members.append(.init(".priority", priority))
    }
    return members.isEmpty ? nil : JSON.object(members).plain
  }
}

extension SDKGlue {
  /// Builds a query, a condition after the other.
  func query(_ target: Operation.Target) -> Query {
    let given = target.query
    var query = reference(target.path).query
    if given == .all { return query }
    query = ordered(query, by: given.ordering)
    if let start = given.start, start == given.end, start.edge == .inclusive {
      query = equal(query, start.value?.json.plain, start.key?.string)
    } else {
      if let start = given.start {
        query = starting(query, start.edge, start.value?.json.plain, start.key?.string)
      }
      if let end = given.end {
        query = ending(query, end.edge, end.value?.json.plain, end.key?.string)
      }
    }
    switch given.limit {
    case let .first(count)?: return limited(query, Double(count)) { $0.queryLimited(toFirst: $1) }
    case let .last(count)?: return limited(query, Double(count)) { $0.queryLimited(toLast: $1) }
    case nil: return query
    }
  }

  /// Builds a query as an inspection describes it.
  func query(_ path: Path, _ steps: [JSON]) -> Query {
    steps.reduce(reference(path).query) { adding($1, to: $0) }
  }

  /// The same query with one more condition, such as `{"startAt": 3}`.
  func adding(_ step: JSON, to query: Query) -> Query {
    guard let condition = step.members?.first, step.members?.count == 1 else {
      refuse("invalid_query")
      return query
    }
    let argument = condition.value
    let value = argument.members == nil ? argument : argument["value"] ?? .null
    let key = argument["key"]?.string
    switch condition.name {
    case "orderBy":
      if let name = argument.string { return ordered(query, by: .init(indexName: name)) }
    case "startAt": return starting(query, .inclusive, value.plain, key)
    case "startAfter": return starting(query, .exclusive, value.plain, key)
    case "endAt": return ending(query, .inclusive, value.plain, key)
    case "endBefore": return ending(query, .exclusive, value.plain, key)
    case "equalTo": return equal(query, value.plain, key)
    case "limitToFirst":
      return limited(query, argument.number) { $0.queryLimited(toFirst: $1) }
    case "limitToLast": return limited(query, argument.number) { $0.queryLimited(toLast: $1) }
    default: break
    }
    refuse("invalid_query")
    return query
  }

  private func ordered(_ query: Query, by ordering: Tree.Query.Ordering) -> Query {
    switch ordering {
    case .key: query.queryOrderedByKey()
    case .value: query.queryOrderedByValue()
    case .priority: query.queryOrderedByPriority()
    case let .child(path): query.queryOrdered(byChild: path.relativeText)
    }
  }

  private func starting(
    _ query: Query, _ edge: Tree.Query.Bound.Edge, _ value: Any?, _ key: String?
  ) -> Query {
    if edge == .exclusive { return query.queryStarting(afterValue: value, childKey: key) }
    return key == nil
      ? query.queryStarting(atValue: value) : query.queryStarting(atValue: value, childKey: key)
  }

  private func ending(
    _ query: Query, _ edge: Tree.Query.Bound.Edge, _ value: Any?, _ key: String?
  ) -> Query {
    if edge == .exclusive { return query.queryEnding(beforeValue: value, childKey: key) }
    return key == nil
      ? query.queryEnding(atValue: value) : query.queryEnding(atValue: value, childKey: key)
  }

  private func equal(_ query: Query, _ value: Any?, _ key: String?) -> Query {
    key == nil ? query.queryEqual(toValue: value) : query.queryEqual(toValue: value, childKey: key)
  }

  /// The type of the interface knows no negative numbers and no fractions.
  private func limited(
    _ query: Query, _ count: Double?, _ limit: (Query, UInt) -> Query
  ) -> Query {
    if let count = count.flatMap({ UInt(exactly: $0) }) { return limit(query, count) }
    refuse("invalid_query")
    return query
  }
}
