internal import Tree

/// What an expression comes to.
enum RuleValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// Data with children: only whether there are any can be asked.
  case branch
  case snapshot(RuleSnapshot)
  /// What a token holds.
  case object(JSON)
  case pattern(Pattern)
  case list([String])

  var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .branch, .object: .any
    case .snapshot: .snapshot
    case .pattern: .pattern
    case .list: .list
    }
  }

  init(_ scalar: Scalar?) {
    switch scalar {
    case nil, .serverValue: self = .null
    case let .bool(bool): self = .bool(bool)
    case let .number(number): self = .number(number)
    case let .string(text): self = .string(text.string)
    }
  }

  init(_ json: JSON?) {
    switch json {
    case nil, .null: self = .null
    case let .bool(bool): self = .bool(bool)
    case let .number(number): self = .number(number)
    case let .string(text): self = .string(text)
    case let .array(elements): self = .object(.array(elements))
    case let .object(members): self = .object(.object(members))
    }
  }

  /// Whether both are the same value; what has children equals nothing.
  func isEqual(to other: RuleValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case let (.bool(a), .bool(b)): a == b
    case let (.number(a), .number(b)): a == b
    case let (.string(a), .string(b)): Text(a) == Text(b)
    default: false
    }
  }
}

/// Data at a location, as a rule sees them.
struct RuleSnapshot: Sendable {
  /// Everything that is stored.
  let root: Node
  let path: Path

  var node: Node { root[path] }
}
