public import Document
internal import Tree
internal import Wire

/// Reads sync-point files: a JSON list of `{name, steps}`.
///
/// Members that the format does not have are comments. Everything else is checked.
public struct CaseReader {
  let file: String
  /// How many writes the steps of the current case have made so far.
  var writes = 0

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - file: The name that errors shall show.
  /// - Returns: Its cases, in its order.
  /// - Throws: `SourceError` with the first mistake.
  public static func read(_ bytes: [UInt8], file: String) throws(SourceError) -> [Case] {
    let document = DocumentReader.readJSON(bytes)
    if let error = document.problems.first { throw SourceError(file: file, error) }
    var reader = CaseReader(file: file)
    guard let root = document.root else { return [] }
    var cases: [Case] = []
    for node in try reader.list(root, "the file") { cases.append(try reader.readCase(node)) }
    return cases
  }

  private init(file: String) {
    self.file = file
  }

  private mutating func readCase(_ node: DocumentNode) throws(SourceError) -> Case {
    writes = 0
    try requireMapping(node, "the case")
    let name = try text(try field("name", of: node, "the case"), "\"name\"")
    let nodes = try list(try field("steps", of: node, "the case"), "\"steps\"")
    var steps: [CaseStep] = []
    for node in nodes { steps.append(try step(node)) }
    return Case(name: name, file: file, position: node.position, steps: steps)
  }
}

// MARK: - Kinds of value

extension CaseReader {
  func fail(_ node: DocumentNode, _ message: String) -> SourceError {
    SourceError(file: file, position: node.position, message: message)
  }

  /// What `part` finds in the node.
  private func require<Value>(
    _ part: Value?, _ node: DocumentNode, _ what: String, expected: String, found: String? = nil
  ) throws(SourceError) -> Value {
    if let part { return part }
    throw fail(node, "\(what) is \(found ?? node.json.kind); expected \(expected)")
  }

  /// A member that must be there.
  func field(
    _ name: String, of node: DocumentNode, _ owner: String
  ) throws(SourceError) -> DocumentNode {
    if let value = node[name] { return value }
    throw fail(node, "\(owner) has no \"\(name)\"; expected one")
  }

  func requireMapping(_ node: DocumentNode, _ what: String) throws(SourceError) {
    _ = try require(node.json.members, node, what, expected: "a mapping")
  }

  func list(_ node: DocumentNode, _ what: String) throws(SourceError) -> [DocumentNode] {
    let nodes: [DocumentNode]? = if case let .list(nodes) = node.content { nodes } else { nil }
    return try require(nodes, node, what, expected: "a list")
  }

  func text(_ node: DocumentNode, _ what: String) throws(SourceError) -> String {
    try require(node.json.string, node, what, expected: "a string")
  }

  func path(of node: DocumentNode, _ owner: String) throws(SourceError) -> Path {
    Path(try text(try field("path", of: node, owner), "\"path\""))
  }

  /// A whole number from `minimum`.
  func number(
    _ node: DocumentNode, _ what: String, from minimum: Int
  ) throws(SourceError) -> Int {
    try require(
      node.json.integer.flatMap { $0 >= minimum ? $0 : nil }, node, what,
      expected: "a whole number from \(minimum)",
      found: node.json.number == nil ? nil : node.json.text)
  }

  /// The number under `name`, or `nil` when it is not there or null.
  func optionalNumber(_ name: String, of node: DocumentNode) throws(SourceError) -> Int? {
    guard let value = node[name], value.json != .null else { return nil }
    return try number(value, "\"\(name)\"", from: 0)
  }

  /// The truth value under `name`, or `nil` when it is not there.
  func flag(_ name: String, of node: DocumentNode) throws(SourceError) -> Bool? {
    guard let value = node[name] else { return nil }
    return try require(value.json.bool, value, "\"\(name)\"", expected: "true or false")
  }

  /// A scalar, or `nil` for null.
  func scalar(_ node: DocumentNode, _ what: String) throws(SourceError) -> Scalar? {
    if node.json == .null { return nil }
    let isCollection = node.json.members != nil || node.json.elements != nil
    return try require(
      isCollection ? nil : Scalar(node.json), node, what, expected: "a scalar or null")
  }

  /// The members of `data`, whose names may be paths.
  func assignments(of node: DocumentNode, _ owner: String) throws(SourceError) -> [Assignment] {
    let data = try field("data", of: node, owner)
    return try require(
      [Assignment](json: data.json), data, "\"data\"", expected: "a mapping of paths to values")
  }
}
