/// Which children of a location are listened to, and in which order.
public struct Query: Hashable, Sendable {
  /// What children are ordered by; ties are broken by key (QRY-8).
  public enum Ordering: Hashable, Sendable {
    case key
    case value
    case priority
    /// The value at this path below each child.
    case child(Path)
  }

  /// One end of a range.
  public struct Bound: Hashable, Sendable {
    /// Whether what lies exactly on the bound belongs to the range (QRY-9, QRY-12).
    public enum Edge: Hashable, Sendable {
      case inclusive
      case exclusive
    }

    /// Behind a reference, because queries are copied with everything that has one.
    private final class Box: Sendable {
      let value: Scalar?
      let key: Key?
      let edge: Edge

      init(_ value: Scalar?, _ key: Key?, _ edge: Edge) {
        self.value = value
        self.key = key
        self.edge = edge
      }
    }

    private var box: Box

    /// The value to compare with; `nil` stands for null, which comes before everything.
    public var value: Scalar? {
      get { box.value }
      set { box = Box(newValue, key, edge) }
    }
    /// Among children with exactly that value, the key to compare with; `nil` means all of them.
    public var key: Key? {
      get { box.key }
      set { box = Box(value, newValue, edge) }
    }
    /// Whether children at the bound are in the range: all with its value, or with a key that one
    /// only.
    public var edge: Edge {
      get { box.edge }
      set { box = Box(value, key, newValue) }
    }

    /// Makes an end of a range that includes what lies on it unless `edge` states otherwise
    /// (QRY-9).
    public init(_ value: Scalar?, key: Key? = nil, edge: Edge = .inclusive) {
      box = Box(value, key, edge)
    }

    public static func == (a: Bound, b: Bound) -> Bool {
      a.box === b.box || a.value == b.value && a.key == b.key && a.edge == b.edge
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(value)
      hasher.combine(key)
      hasher.combine(edge)
    }
  }

  /// How many children, counted from which end.
  public enum Limit: Hashable, Sendable {
    case first(Int)
    case last(Int)

    /// The greatest number of children that the limit lets through, from whichever end.
    public var count: Int {
      switch self {
      case let .first(count), let .last(count): count
      }
    }
  }

  /// Which values lie in a range (QRY-13, QRY-14).
  public enum RangeReach: Hashable, Sendable {
    /// All that lie between its ends in the order of values, whatever their kind.
    case acrossKinds
    /// Only those of the same kind as its ends.
    case withinKind
  }

  /// Behind one reference as well: it is written once, and copied with every listener and listen.
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let ordering: Ordering
    @usableFromInline let start: Bound?
    @usableFromInline let end: Bound?
    @usableFromInline let limit: Limit?
    @usableFromInline let reach: RangeReach
    @usableFromInline let filters: Bool

    init(_ ordering: Ordering, _ start: Bound?, _ end: Bound?, _ limit: Limit?, _ reach: RangeReach)
    {
      self.ordering = ordering
      self.start = start
      self.end = end
      self.limit = limit
      self.reach = reach
      filters = start != nil || end != nil || limit != nil
    }
  }

  @usableFromInline var box: Box

  /// What children are sorted by and compared with the bounds by.
  public var ordering: Ordering {
    @inlinable get { box.ordering }
    set { box = Box(newValue, start, end, limit, reach) }
  }
  /// Where the range begins, or `nil` when it is open there; `reach` says how far it then goes.
  public var start: Bound? {
    @inlinable get { box.start }
    set { box = Box(ordering, newValue, end, limit, reach) }
  }
  /// Where the range ends, or `nil` when it is open there; `reach` says how far it then goes.
  public var end: Bound? {
    @inlinable get { box.end }
    set { box = Box(ordering, start, newValue, limit, reach) }
  }
  /// How many of the children in the range are kept, or `nil` when all of them are.
  public var limit: Limit? {
    @inlinable get { box.limit }
    set { box = Box(ordering, start, end, newValue, reach) }
  }
  /// Set by client and server from their profile; never written on the wire.
  public var reach: RangeReach {
    @inlinable get { box.reach }
    set { if newValue != reach { box = Box(ordering, start, end, limit, newValue) } }
  }

  /// Without arguments: everything at the location, ordered by priority.
  public init(
    ordering: Ordering = .priority, start: Bound? = nil, end: Bound? = nil, limit: Limit? = nil
  ) {
    box = Box(ordering, start, end, limit, .acrossKinds)
  }

  /// Everything at the location, ordered by priority: what a plain reference listens to.
  public static let all = Query()

  /// Whether this query selects by a range: what lies outside of that may be there as well.
  package var hasRange: Bool { start != nil || end != nil }

  /// Whether this query may leave children out. One that only orders does not filter; on the wire
  /// it is the same listen as `Query.all` (WIR-13).
  @inlinable public var filters: Bool { box.filters }
}

extension Query {
  public static func == (a: Query, b: Query) -> Bool {
    a.box === b.box
      || a.ordering == b.ordering && a.start == b.start && a.end == b.end && a.limit == b.limit
        && a.reach == b.reach
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ordering)
    hasher.combine(start)
    hasher.combine(end)
    hasher.combine(limit)
    hasher.combine(reach)
  }
}

extension Query {
  /// The query as programs write it; nothing for everything in priority order.
  package var text: String { conditions.joined(separator: " ") }

  /// The calls with which programs make it: `orderByKey()`, `limitToFirst(2)`.
  package var conditions: [String] {
    var parts = ordering.text.map { [$0] } ?? []
    if let start, let end, start == end, start.edge == .inclusive {
      parts.append("equalTo" + start.text)
    } else {
      if let start {
        parts.append((start.edge == .inclusive ? "startAt" : "startAfter") + start.text)
      }
      if let end { parts.append((end.edge == .inclusive ? "endAt" : "endBefore") + end.text) }
    }
    switch limit {
    case nil: break
    case let .first(count)?: parts.append("limitToFirst(\(count))")
    case let .last(count)?: parts.append("limitToLast(\(count))")
    }
    return parts
  }
}

extension Query.Ordering {
  fileprivate var text: String? {
    switch self {
    case .priority: nil
    case .key: "orderByKey()"
    case .value: "orderByValue()"
    case let .child(path): "orderByChild(\"\(path.relativeText)\")"
    }
  }
}

extension Query.Bound {
  fileprivate var text: String {
    let value = value?.json.text ?? "null"
    return key.map { "(\(value), \(JSON.string($0.string).text))" } ?? "(\(value))"
  }
}
