extension Inspection {
  /// What can be asked, and what the question needs besides.
  public struct Question: Hashable, Sendable {
    /// The spelling that `Inspection.question` uses, such as `hasChild`.
    public var name: String
    /// Whether `Inspection.argument` has to be, may be or cannot be given.
    public var argument: Argument

    /// Whether a question takes an argument; an inspection without one has JSON null there.
    public enum Argument: Hashable, Sendable {
      case none
      case optional
      case required
    }

    fileprivate init(_ name: String, _ argument: Argument = .none) {
      self.name = name
      self.argument = argument
    }
  }

  /// The kinds of subject, by the names that scenarios and recordings give them.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case reference = "path"
    case address = "url"
    case snapshot
    case completion
    case mutableData = "mutable"
    case query
  }

  /// What a subject of this kind can be asked, in the order of the documentation.
  public static func questions(about kind: Kind) -> [Question] {
    switch kind {
    case .reference, .address:
      [
        Question("key"), Question("parent"), Question("root"), Question("child", .required),
        Question("equals", .required), Question("url"), Question("description"),
      ]
    case .snapshot, .completion: contents + [Question("exists"), Question("ref")]
    case .mutableData: contents
    case .query: [Question("valid", .optional), Question("ref")]
    }
  }

  private static let contents = [
    Question("value"), Question("export"), Question("key"), Question("priority"),
    Question("hasChild", .required), Question("hasChildren"), Question("childrenCount"),
    Question("children", .optional),
  ]
}
