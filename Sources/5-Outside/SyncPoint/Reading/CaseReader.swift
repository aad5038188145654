public import Document
internal import Tree
internal import Wire

/// Reads sync-point files: a JSON list of `{name, steps}`.
///
/// Members that the format does not have are comments. Everything else is checked, so that a run
/// can only fail by what the client does.
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
  func fail(_ node: DocumentNode, _ mistake: CaseMistake) -> SourceError {
    SourceError(file: file, position: node.position, message: mistake.message)
  }

  private func wrongType(
    _ node: DocumentNode, _ what: String, expected: String
  ) -> SourceError {
    fail(node, .wrongType(what: what, found: node.json.kind, expected: expected))
  }

  /// A member that must be there.
  func field(
    _ name: String, of node: DocumentNode, _ owner: String
  ) throws(SourceError) -> DocumentNode {
    guard let value = node[name] else { throw fail(node, .missing(field: name, owner: owner)) }
    return value
  }

  func requireMapping(_ node: DocumentNode, _ what: String) throws(SourceError) {
    guard case .mapping = node.content else {
      throw wrongType(node, what, expected: "a mapping")
    }
  }

  func list(_ node: DocumentNode, _ what: String) throws(SourceError) -> [DocumentNode] {
    guard case let .list(nodes) = node.content else {
      throw wrongType(node, what, expected: "a list")
    }
    return nodes
  }

  func text(_ node: DocumentNode, _ what: String) throws(SourceError) -> String {
    guard case let .string(text) = node.content else {
      throw wrongType(node, what, expected: "a string")
    }
    return text
  }

  func path(of node: DocumentNode, _ owner: String) throws(SourceError) -> Path {
    Path(try text(try field("path", of: node, owner), "\"path\""))
  }

  /// A whole number from `minimum`.
  func number(
    _ node: DocumentNode, _ what: String, from minimum: Int
  ) throws(SourceError) -> Int {
    guard let number = node.json.integer, number >= minimum else {
      let found = node.json.number == nil ? node.json.kind : node.json.text
      throw fail(
        node,
        .wrongType(what: what, found: found, expected: "a whole number from \(minimum)"))
    }
    return number
  }

  /// The number under `name`, or `nil` when it is not there or null.
  func optionalNumber(_ name: String, of node: DocumentNode) throws(SourceError) -> Int? {
    guard let value = node[name], value.json != .null else { return nil }
    return try number(value, "\"\(name)\"", from: 0)
  }

  /// The truth value under `name`, or `nil` when it is not there.
  func flag(_ name: String, of node: DocumentNode) throws(SourceError) -> Bool? {
    guard let value = node[name] else { return nil }
    guard case let .bool(flag) = value.content else {
      throw wrongType(value, "\"\(name)\"", expected: "true or false")
    }
    return flag
  }

  /// A scalar, or `nil` for null.
  func scalar(_ node: DocumentNode, _ what: String) throws(SourceError) -> Scalar? {
    switch node.content {
    case .null: return nil
    case .bool, .number, .string: return Scalar(node.json)
    case .list, .mapping: throw wrongType(node, what, expected: "a scalar or null")
    }
  }

  /// The members of `data`, whose names may be paths.
  func assignments(of node: DocumentNode, _ owner: String) throws(SourceError) -> [Assignment] {
    let data = try field("data", of: node, owner)
    guard let assignments = [Assignment](json: data.json) else {
      throw wrongType(data, "\"data\"", expected: "a mapping of paths to values")
    }
    return assignments
  }
}
