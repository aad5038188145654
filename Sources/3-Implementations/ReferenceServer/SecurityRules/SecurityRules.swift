public import Document
public import Tree

/// Rules of the database in their documented form: who may read and write where, what data must
/// look like, and what is indexed.
///
/// A value without a clock: who asks, and when, is handed in (SEC-1).
public struct SecurityRules: Sendable {
  /// The rules as they were written, `{"rules": …}`.
  public let json: JSON
  let root: RuleNode

  init(_ json: JSON, root: RuleNode) {
    self.json = json
    self.root = root
  }

  /// Whether a location may be read whole, or what a query of it finds (SEC-2).
  ///
  /// - Complexity: O(*d*) rules for a path of *d* keys.
  public func allowRead(
    of path: Path, _ query: Query?, in tree: Node, for request: RuleRequest
  ) -> Bool {
    let context = RuleContext(
      auth: request.auth, now: request.time, tree: tree, newTree: nil, query: query)
    var isAllowed = false
    visit(path, context) { node, context in
      isAllowed = isAllowed || node.rules.read?.holds(in: context) == true
    }
    return isAllowed
  }

  /// Whether data may become what they would be (SEC-3, SEC-4).
  ///
  /// - Parameters:
  ///   - paths: The locations that are overwritten; priorities count as their nodes.
  ///   - tree: What is stored.
  ///   - newTree: What would be stored.
  ///   - request: Who asks.
  /// - Returns: Whether every location may be written, and everything that is written is valid.
  /// - Complexity: O(*n*) in what is written below locations that have rules.
  public func allowWrite(
    to paths: [Path], from tree: Node, to newTree: Node, for request: RuleRequest
  ) -> Bool {
    let context = RuleContext(
      auth: request.auth, now: request.time, tree: tree, newTree: newTree, query: nil)
    return paths.allSatisfy { path in
      let path = path.key == .priority ? path.parent ?? path : path
      var (isAllowed, isValid) = (false, true)
      let last = visit(path, context) { node, context in
        isAllowed = isAllowed || node.rules.write?.holds(in: context) == true
        isValid = isValid && Self.isValid(node, context, newTree)
      }
      guard isAllowed, isValid else { return false }
      guard let last else { return true }
      return Self.areValid(below: last.node, last.context, newTree[path])
    }
  }

  /// Whether the children of a location are indexed for a query's order (SEC-6).
  public func isIndexed(_ path: Path, by ordering: Query.Ordering) -> Bool {
    let name: String
    switch ordering {
    case .key, .priority: return true
    case .value: name = ".value"
    case let .child(path): name = path.relativeText
    }
    let context = RuleContext(auth: .null, now: 0, tree: .empty, newTree: nil, query: nil)
    return visit(path, context) { _, _ in }?.node.indexes.contains(name) ?? false
  }
}

extension SecurityRules {
  /// Visits the rules of every location from the root down to `path`.
  ///
  /// - Returns: The rules at `path`; `nil` where there are none.
  @discardableResult
  private func visit(
    _ path: Path, _ context: RuleContext, _ body: (RuleNode, RuleContext) -> Void
  ) -> (node: RuleNode, context: RuleContext)? {
    var (node, context) = (root, context)
    body(node, context)
    for key in path.keys {
      guard let child = node.child(key) else { return nil }
      context = context.moved(to: key, called: child.name)
      node = child.node
      body(node, context)
    }
    return (node, context)
  }

  /// Whether the data at a location are as its rule wants them. Nothing needs no permission.
  private static func isValid(_ node: RuleNode, _ context: RuleContext, _ newTree: Node) -> Bool {
    guard let rule = node.rules.validate, !newTree[context.path].isEmpty else { return true }
    return rule.holds(in: context)
  }

  /// Whether everything below a location is as its rules want it; `data` is what is there.
  private static func areValid(
    below node: RuleNode, _ context: RuleContext, _ data: Node
  ) -> Bool {
    if node.children.isEmpty, case .none = node.others { return true }
    for entry in data.children {
      guard let child = node.child(entry.key) else { continue }
      let inner = context.moved(to: entry.key, called: child.name)
      if let rule = child.node.rules.validate, !rule.holds(in: inner) { return false }
      guard areValid(below: child.node, inner, entry.node) else { return false }
    }
    return true
  }
}

extension SecurityRules {
  /// Reads rules from JSON, in which comments may stand.
  ///
  /// - Parameter bytes: The text, as ``DocumentReader`` limits it.
  /// - Returns: The rules, or everything that is wrong with them; what is wrong in an expression is
  ///   located inside it.
  public static func read(_ bytes: [UInt8]) -> (rules: SecurityRules?, problems: [DocumentError]) {
    let plain = RulesText.withoutComments(bytes)
    let document = DocumentReader.readJSON(plain)
    let first = plain.first { !RulesText.blanks.contains($0) }
    let position = document.problems.first?.position ?? .start
    if first == UInt8(ascii: "#") {
      return (nil, [.init(at: position, "found #; expected rules; comments begin with //")])
    }
    if let first, first != UInt8(ascii: "{"), document.root == nil {
      let message =
        "found \(printable(String(UnicodeScalar(first)))); expected rules of a database in JSON, such as "
        + "{\"rules\": {\".read\": true}}; those of Cloud Firestore and of Storage are written otherwise"
      return (nil, [.init(at: position, message)])
    }
    guard let root = document.root, document.problems.isEmpty else {
      return (nil, document.problems)
    }
    return read(root) { RulesText.position(inString: $0, at: $1, of: bytes) }
  }

  /// Reads rules from a part of a document: a mapping with the one key `rules`.
  public static func read(
    _ node: DocumentNode
  ) -> (rules: SecurityRules?, problems: [DocumentError]) {
    read(node) { position, _ in position }
  }

  private static func read(
    _ node: DocumentNode, locate: @escaping (Position, Int) -> Position
  ) -> (rules: SecurityRules?, problems: [DocumentError]) {
    var reader = RulesReader(locate: locate)
    guard let rules = reader.rules(in: node), reader.problems.isEmpty else {
      return (nil, reader.problems)
    }
    return (SecurityRules(node.json, root: rules), [])
  }
}

/// Reads the tree of rules, and collects what is wrong with it.
private struct RulesReader {
  /// Where a character of an expression is that begins at a position.
  let locate: (Position, Int) -> Position
  private(set) var problems: [DocumentError] = []

  init(locate: @escaping (Position, Int) -> Position) { self.locate = locate }

  private mutating func report(_ position: Position, _ message: String) {
    problems.append(DocumentError(at: position, message))
  }

  mutating func rules(in node: DocumentNode) -> RuleNode? {
    guard case let .mapping(entries) = node.content, let rules = node["rules"] else {
      report(node.position, "there are no rules; expected {\"rules\": {...}}")
      return nil
    }
    for entry in entries where entry.key != "rules" {
      report(entry.keyPosition, "unknown key \"\(printable(entry.key))\"; expected \"rules\" alone")
    }
    return location(rules, [])
  }

  /// The rules of a location and those below.
  private mutating func location(_ node: DocumentNode, _ open: [String]) -> RuleNode {
    var result = RuleNode()
    guard case let .mapping(entries) = node.content else {
      report(
        node.position,
        "the rules of a location are no mapping; expected {\".read\": ..., \"KEY\": {...}}")
      return result
    }
    for entry in entries {
      if entry.key.hasPrefix(".") {
        take(entry, open, into: &result)
      } else if entry.key.hasPrefix("$") {
        takeOthers(entry, open, into: &result)
      } else if let problem = Key(entry.key).problem {
        report(entry.keyPosition, "\(problem)")
      } else {
        result.children[Key(entry.key)] = location(entry.value, open)
      }
    }
    return result
  }

  private mutating func takeOthers(
    _ entry: DocumentNode.Entry, _ open: [String], into result: inout RuleNode
  ) {
    if case let .node(name, _) = result.others {
      report(
        entry.keyPosition,
        "a location has one key that begins with $, and $\(printable(name)) is there already;"
          + " remove one of them")
    } else if open.contains(entry.key) {
      report(
        entry.keyPosition,
        "\(printable(entry.key)) is the name of a key above too; expected another name")
    } else {
      let node = location(entry.value, open + [entry.key])
      result.others = .node(String(entry.key.dropFirst()), node)
    }
  }

  private mutating func take(
    _ entry: DocumentNode.Entry, _ open: [String], into result: inout RuleNode
  ) {
    if entry.key == ".indexOn" { return result.indexes = indexes(entry.value) }
    guard let kind = RuleKind(rawValue: entry.key) else {
      let known = RuleKind.allCases.map(\.rawValue) + [".indexOn"]
      return report(
        entry.keyPosition,
        "unknown rule \"\(printable(entry.key))\"\(closestOrAll(to: entry.key, in: known))"
      )
    }
    let rule = expression(entry.value, ExpressionScope(kind: kind, locations: open))
    switch kind {
    case .read: result.rules.read = rule
    case .write: result.rules.write = rule
    case .validate: result.rules.validate = rule
    }
  }

  private mutating func expression(
    _ node: DocumentNode, _ scope: ExpressionScope
  ) -> Expression? {
    let text: String
    switch node.content {
    case let .bool(bool): text = "\(bool)"
    case let .string(string): text = string
    case .null, .number, .list, .mapping:
      report(
        node.position, "a \(scope.kind.rawValue) rule is true, false or an expression in quotes")
      return nil
    }
    do throws(ExpressionError) {
      let expression = try ExpressionParser.parse(text, in: scope)
      try expression.check(is: .boolean, "the \(scope.kind.rawValue) rule")
      return expression
    } catch {
      report(
        locate(node.position, error.offset),
        "\(scope.kind.rawValue), character \(error.offset + 1): \(error.message)")
      return nil
    }
  }

  private mutating func indexes(_ node: DocumentNode) -> [String] {
    switch node.content {
    case let .string(text): return [text]
    case let .list(elements):
      let names = elements.compactMap { element in
        if case let .string(text) = element.content { text } else { String?.none }
      }
      if names.count == elements.count { return names }
    case .null, .bool, .number, .mapping: break
    }
    report(node.position, ".indexOn is the path of a child or \".value\", or a list of such texts")
    return []
  }
}
