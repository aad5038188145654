/// What a query orders a child by.
///
/// Values of different types have one order: null, false, true, numbers, strings, and last nodes
/// with children, which are all equal among themselves (QRY-7).
public enum OrderValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(Text)
  case children

  /// What a scalar sorts as; `nil` and a placeholder for the server both sort as null.
  public init(_ scalar: Scalar?) {
    switch scalar {
    case nil, .serverValue: self = .null
    case let .bool(bool): self = .bool(bool)
    case let .number(number): self = .number(number)
    case let .string(text): self = .string(text)
    }
  }

  /// What a node sorts as by its value; its priority is ignored, and the empty node sorts as null.
  public init(_ node: Node) {
    self = node.children.isEmpty ? OrderValue(node.scalar) : .children
  }

  /// Whether both are numbers, or both strings, and so on.
  package func isSameKind(as other: OrderValue) -> Bool { rank == other.rank }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .number: 2
    case .string: 3
    case .children: 4
    }
  }
}

extension OrderValue: Comparable {
  public static func < (a: OrderValue, b: OrderValue) -> Bool { a.order(to: b) < 0 }

  /// Negative when this value comes before `other`, zero when neither does.
  func order(to other: OrderValue) -> Int {
    switch (self, other) {
    case let (.bool(a), .bool(b)): (a ? 1 : 0) - (b ? 1 : 0)
    case let (.number(a), .number(b)): a < b ? -1 : a > b ? 1 : 0
    case let (.string(a), .string(b)): a.order(to: b)
    default: rank - other.rank
    }
  }
}

extension Query.Ordering {
  /// What `node` is ordered by. Ordering by key has no value: all are equal and the key decides.
  public func value(of node: Node) -> OrderValue {
    switch self {
    case .key: .null
    case .value: OrderValue(node)
    case .priority: OrderValue(node.priority)
    case let .child(path): OrderValue(node[path])
    }
  }

  /// Whether a child that changes from `old` to `new` has moved, even if it kept its place
  /// (EVT-11).
  ///
  /// By value, any difference at all is a move, also one deep inside a child or in its priority:
  /// that is how both recorded clients see it (QRY-24).
  public func moves(from old: Node, to new: Node) -> Bool {
    switch self {
    case .key: false
    case .value: old != new
    case .priority, .child: value(of: old) != value(of: new)
    }
  }
}
