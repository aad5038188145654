package import ClientInterface
package import Tree

/// The name of a location. It holds no data and needs no connection (REF-15).
package struct Reference: Sendable {
  private let path: Path
  private let host: String
  private let rootParent: Profile.RootParent

  /// The reference to a location of the database of a host.
  package init(path: Path, host: String, rootParent: Profile.RootParent) {
    self.path = path
    self.host = host
    self.rootParent = rootParent
  }

  /// What it answers without the server.
  package func answer(_ question: String, _ argument: JSON) throws(Refusal) -> JSON {
    if path.problem != nil { throw .invalidPath }
    switch question {
    case "key": return path.key.json  // REF-5, REF-10
    case "parent":  // REF-4, REF-11
      let parent = path.parent ?? (rootParent == .itself ? path : nil)
      return parent.map { .string($0.description) } ?? .null
    case "root": return .string(Path.root.description)  // REF-12
    case "child":  // REF-13
      let child = path.appending(try argument.namedPath)
      if child.problem != nil { throw .invalidPath }
      return .string(child.description)
    case "equals": return .bool(path == (try argument.namedPath))  // REF-6
    case "url", "description": return .string(Address(host: host, path: path).text)  // REF-9
    default: throw .unknownQuestion
    }
  }
}
