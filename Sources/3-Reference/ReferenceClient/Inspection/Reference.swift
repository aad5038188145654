internal import ClientInterface
internal import Tree

/// A name of a location. It holds no data and needs no connection (REF-15).
struct Reference {
  let path: Path
  let host: String
  let rootParent: Profile.RootParent

  func answer(_ question: String, _ argument: JSON) throws(Refusal) -> JSON {
    switch question {
    case "key": return path.key.map { .string($0.string) } ?? .null  // REF-5, REF-10
    case "parent": return parent.map { .string($0.description) } ?? .null
    case "root": return .string(Path.root.description)  // REF-12
    case "child":  // REF-13
      let child = path.appending(try argument.namedPath)
      if child.problem != nil { throw Refusal(code: "invalid_path") }
      return .string(child.description)
    case "equals": return .bool(path == (try argument.namedPath))  // REF-6
    case "url", "description": return .string(Address(host: host, path: path).text)  // REF-9
    default: throw .unknownQuestion
    }
  }

  /// REF-4, REF-11.
  private var parent: Path? {
    if let parent = path.parent { return parent }
    return switch rootParent {
    case .itself: path
    case .nothing: nil
    }
  }
}
