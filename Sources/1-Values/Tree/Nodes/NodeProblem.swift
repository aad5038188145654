/// Why the database would refuse to store a node.
public enum NodeProblem: Error, Hashable, Sendable {
  case key(KeyProblem, below: Path)
  case path(PathProblem)
  case priority(Scalar, at: Path)
  case number(at: Path)
}

extension NodeProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case let .key(problem, path): "below \(path): \(problem)"
    case let .path(problem): problem.description
    case let .priority(priority, path):
      "the priority \(priority.json) at \(path) is not allowed; a priority is a number, a string, a"
        + " server value, or null"
    case let .number(path):
      "the number at \(path) is not finite; the database stores finite numbers only"
    }
  }

  /// The first thing that is wrong with writing `node` at `path`, in key order, or `nil`.
  ///
  /// - Complexity: O(*n*).
  public static func first(in node: Node, at path: Path) -> NodeProblem? {
    if let scalar = node.scalar, !scalar.isFinite { return .number(at: path) }
    if let priority = node.priority {
      if !priority.isPriority { return .priority(priority, at: path) }
      if !priority.isFinite { return .number(at: path.appending(.priority)) }
    }
    if node.children.isEmpty { return nil }
    let room = path.room
    for entry in node.children {
      if let problem = entry.key.problem { return .key(problem, below: path) }
      let fits = entry.key.byteCount < room
      // Nearly every child: without a path of its own.
      if fits, case let .scalar(scalar) = entry.node.storage, scalar.isFinite { continue }
      let child = path.appending(entry.key)
      if !fits, let problem = child.problem { return .path(problem) }
      if let problem = first(in: entry.node, at: child) { return problem }
    }
    return nil
  }
}

extension Path {
  /// How many bytes the key of a child and the slash before it may have; 0 where nothing more may
  /// lie below.
  fileprivate var room: Int {
    guard problem == nil, count < Self.maximumDepth else { return 0 }
    let bytes = keys.indices.reduce(max(0, count - 1)) { $0 + keys[$1].byteCount }
    return max(0, Self.maximumBytes - bytes)
  }
}

extension Scalar {
  /// Whether this scalar can be a priority (PRI-4).
  public var isPriority: Bool {
    if case .bool = self { false } else { true }
  }

  /// Whether this is not an infinite number, nor one that is not a number (ERR-3).
  var isFinite: Bool {
    switch self {
    case let .number(number), let .serverValue(.increment(number)): number.isFinite
    case .bool, .string, .serverValue(.timestamp): true
    }
  }
}

extension JSON {
  /// Members of data that begin with a dot and mean something.
  private static let reserved: Set = [".priority", ".value", ".sv"]

  /// What is wrong with data in the form in which they are sent; `nil` for nothing. A string may have
  /// `longestText` bytes of UTF-8. What is looked for here cannot be seen in a `Node` any more.
  package func problem(longestText: Int) -> String? {
    switch self {
    case .null, .bool, .number: return nil
    case let .string(text):
      return text.utf8.count > longestText
        ? "a string has more than \(longestText) bytes of UTF-8" : nil
    case let .array(elements):
      return elements.lazy.compactMap { $0.problem(longestText: longestText) }.first
    case let .object(members):
      return memberProblem(in: members)
        ?? members.lazy.compactMap { $0.value.problem(longestText: longestText) }.first
    }
  }

  private func memberProblem(in members: [Member]) -> String? {
    if let special = self[".sv"], ServerValue(self) == nil {
      return "the server value {\".sv\":\(special.text)} is not known; expected \"timestamp\" or"
        + " {\"increment\": NUMBER}"
    }
    let value = self[".value"]
    let isServerValue = value?[".sv"] != nil
    if value?.members != nil && !isServerValue || value?.elements != nil {
      return "\".value\" is \(value?.kind ?? ""); expected a string, a number, true, false or null"
    }
    for member in members where !Self.reserved.contains(member.name) {
      if value != nil {
        return "\"\(member.name)\" is beside \".value\"; a location has a value or children"
      }
      let name = member.name.split(separator: "/").last ?? ""
      if name.utf8.first == UInt8(ascii: "."), !Self.reserved.contains(String(name)) {
        return "\"\(member.name)\" is no key; keys have no dot, and what begins with one is"
          + " .priority, .value or .sv"
      }
    }
    return nil
  }
}
