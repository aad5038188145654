import ClientInterface
import Document
import Scenario
import Tree
import Wire

extension Reading {
  /// Reads an argument of a call. One that is wrong is reported and left out.
  mutating func read(
    _ parameter: Operation.Parameter, of client: String, _ fields: Fields,
    into given: inout Operation.Arguments
  ) {
    switch parameter {
    // These are read with the name of the call.
    case .listener, .events, .event: break
    case .path, .optionalPath: given.path = fields["path"].flatMap { path($0) }
    case .query: given.query = fields["query"].flatMap { query($0) } ?? .all
    case .value: given.value = written(fields, at: given.path, .argument)
    case .optionalValue:
      let path = given.path
      given.value = fields["value"].flatMap { $0.isNull ? nil : node($0, at: path, .argument) }
    case .changes:
      let path = given.path ?? .root
      given.changes = fields["value"].flatMap { assignments($0, at: path, .argument) }
    case .priority:
      given.priority = fields["priority"]?.json
    case .function: given.function = fields["update"].flatMap { transactionFunction($0) }
    case .localEvents:
      let isShown = fields["localEvents"].flatMap { bool($0, "localEvents") } ?? true
      given.localEvents = isShown ? .shown : .hidden
    case .synchronization:
      given.synchronization = fields["on"].flatMap { bool($0, "on") } ?? true ? .on : .off
    case .token: given.token = fields["token"].flatMap { string($0, "token") }
    case .inspection: given.inspection = inspection(fields, of: client)
    case .reaction: given.reaction = reaction(fields, of: client)
    }
  }

  /// `value` with `priority`.
  mutating func written(_ fields: Fields, at path: Path?, _ use: ValueUse) -> Node? {
    guard let value = fields["value"] else { return nil }
    let node = node(value, at: path, use)
    guard let priority = fields.entry("priority") else { return node }
    checkPriority(priority.value, use)
    if value[".priority"] != nil {
      report(priority.keyPosition, "the value has a priority too; expected it in one location")
    } else if node.isEmpty, let given = Scalar(priority.value.json) {
      if use == .argument { return .nothing(priority: given) }
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
      let relative = Path(entry.key)
      if use != .argument, let problem = relative.problem {
        report(entry.keyPosition, problem.description)
      }
      return Assignment(relative, self.node(entry.value, at: path.appending(relative), use))
    }
  }

  private static let functions = TransactionFunction.Kind.allCases.map(\.rawValue)

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
    guard let kind = TransactionFunction.Kind(rawValue: entry.key) else { return nil }
    switch kind.argument {
    case .number: return number(entry.value, entry.key).map { .init(kind, .number($0)) }
    case .none:
      if entry.value.json != true { mismatch(entry.key, entry.value, expected: "true") }
    case .children:
      guard case .mapping = entry.value.content else {
        mismatch(entry.key, entry.value, expected: "a mapping from children to values")
        return nil
      }
      checkStored(entry.value, at: .root, .argument)
    case .value: checkStored(entry.value, at: .root, .argument)
    }
    return .init(kind, entry.value.json)
  }
}
