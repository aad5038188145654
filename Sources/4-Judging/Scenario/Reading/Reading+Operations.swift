import ClientInterface
import Document
import Tree
import Wire

extension Reading {
  /// The operation of a call that is neither about listeners nor about being online.
  mutating func operation(_ verb: Verb, _ fields: Fields) -> ClientInterface.Operation? {
    let path = fields["path"].flatMap { self.path($0) }
    switch verb {
    case .set, .onDisconnectSet:
      guard let node = written(fields, at: path, .argument), let path else { return nil }
      return verb == .set ? .set(path, node) : .onDisconnectSet(path, node)
    case .update, .onDisconnectUpdate:
      let changes = fields["value"].flatMap { assignments($0, at: path ?? .root, .argument) }
      guard let changes, let path else { return nil }
      return verb == .update ? .update(path, changes) : .onDisconnectUpdate(path, changes)
    case .setPriority:
      guard let node = fields["priority"] else { return nil }
      checkPriority(node, .argument)
      return path.map { .setPriority($0, Scalar(node.json)) }
    case .push:
      let value = fields["value"].flatMap { $0.isNull ? nil : node($0, at: path, .argument) }
      return path.map { .push($0, value) }
    case .transaction: return transaction(fields, at: path)
    case .auth:
      return fields["token"].flatMap { string($0, "token") }.map { .authenticate(token: $0) }
    case .unauth: return .unauthenticate
    case .remove: return path.map { .remove($0) }
    case .onDisconnectRemove: return path.map { .onDisconnectRemove($0) }
    case .onDisconnectCancel: return path.map { .onDisconnectCancel($0) }
    case .listen, .once, .unlisten, .unlistenAll, .goOffline, .goOnline, .inspect, .keepSynced:
      return nil
    }
  }

  /// `value` with `priority`.
  mutating func written(_ fields: Fields, at path: Path?, _ use: ValueUse) -> Node? {
    guard let value = fields["value"] else { return nil }
    let node = node(value, at: path, use)
    guard let priority = fields.entry("priority") else { return node }
    checkPriority(priority.value, use)
    if value[".priority"] != nil {
      report(priority.keyPosition, "the value has a priority too; expected it in one place")
    } else if node.isEmpty, !priority.value.isNull {
      report(priority.keyPosition, "null has a priority; expected a value with it")
    }
    return Node(json: value.json, priority: Scalar(priority.value.json))
  }

  /// The members of an update; their names are paths.
  mutating func assignments(
    _ node: DocumentNode, at path: Path, _ use: ValueUse
  ) -> [Assignment]? {
    guard case let .mapping(entries) = node.content else {
      mismatch("value", node, expected: "a mapping from children or paths to values")
      return nil
    }
    return entries.map { entry in
      let place = Path(entry.key)
      if use != .argument, let problem = place.problem {
        report(entry.keyPosition, problem.description)
      }
      return Assignment(place, self.node(entry.value, at: path.appending(place), use))
    }
  }

  private mutating func transaction(
    _ fields: Fields, at path: Path?
  ) -> ClientInterface.Operation? {
    let function = fields["update"].flatMap { transactionFunction($0) }
    let shown = fields["localEvents"].flatMap { bool($0, "localEvents") } ?? true
    guard let path, let function else { return nil }
    return .transaction(path, function, localEvents: shown ? .shown : .hidden)
  }

  private static let functions = [
    "increment", "set", "setIfNull", "merge", "abort", "fail", "setIfNullOrFail",
  ]

  /// `{increment: 1}`, `{set: V}`, `{setIfNull: V}`, `{merge: {…}}`, `{abort: true}`, …
  private mutating func transactionFunction(_ node: DocumentNode) -> TransactionFunction? {
    guard let fields = fields(of: node, "update", keys: Self.functions) else { return nil }
    guard let entry = fields.entries.first, fields.entries.count == 1 else {
      report(
        node.position,
        "update has \(fields.entries.count) functions; "
          + "expected one of \(alternatives(Self.functions))")
      return nil
    }
    switch entry.key {
    case "increment": return number(entry.value, "increment").map(TransactionFunction.increment)
    case "abort", "fail":
      if entry.value.json != true { mismatch(entry.key, entry.value, expected: "true") }
      return entry.key == "abort" ? .abort : .fail
    case "merge":
      guard case .mapping = entry.value.content else {
        mismatch("merge", entry.value, expected: "a mapping from children to values")
        return nil
      }
      checkStored(entry.value, at: .root, .argument)
      return .merge(entry.value.json)
    case "set", "setIfNull", "setIfNullOrFail":
      checkStored(entry.value, at: .root, .argument)
      let value = entry.value.json
      if entry.key == "set" { return .set(value) }
      return entry.key == "setIfNull" ? .setIfNull(value) : .setIfNullOrFail(value)
    default: return nil
    }
  }
}
