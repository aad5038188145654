package import ClientInterface
package import Tree
internal import Wire

// What the profiles say about queries, and what they leave open.

extension Query.Ordering {
  /// Whether the profile fixes the order of these children: where values of several kinds meet, the
  /// original clients may do as they like (QRY-7). Children without a value come first (QRY-6).
  package func isSettled(for children: Children, in profile: Profile) -> Bool {
    if profile == .firebase || self == .key || self == .priority { return true }
    var first: OrderValue?
    for child in children {
      let own = value(of: child.node)
      if own == .null { continue }
      if own == .children { return false }
      guard let other = first else {
        first = own
        continue
      }
      if !own.isSameKind(as: other) { return false }
    }
    return true
  }
}

extension Query {
  /// Whether the profile fixes what the window of these children is, and their order: where bounds
  /// are null, or of another kind than what they bound, it does not (QRY-13, QRY-29).
  package func isSettled(for children: Children, in profile: Profile) -> Bool {
    guard ordering.isSettled(for: children, in: profile) else { return false }
    if profile == .firebase || ordering == .key { return true }
    let bounds = [start, end].compactMap { $0.map { OrderValue($0.value) } }
    return bounds.allSatisfy { bound in
      bound != .null
        && children.allSatisfy { bound.isSameKind(as: ordering.value(of: $0.node)) }
    }
  }

  /// What it shows of a location; nil where the profile leaves that open.
  package func settledWindow(of node: Node, in profile: Profile) -> Node? {
    let query = asked(in: profile)
    guard query.isSettled(for: node.children, in: profile) else { return nil }
    return query.window(of: node).node
  }

  /// Whether the profile leaves open what its bounds mean, whatever they bound: null is a bound, or
  /// they are of two kinds (QRY-13, QRY-29).
  fileprivate func hasOpenBounds(in profile: Profile) -> Bool {
    if profile == .firebase || ordering == .key { return false }
    let bounds = [start, end].compactMap { $0.map { OrderValue($0.value) } }
    return bounds.contains { $0 == .null || !$0.isSameKind(as: bounds[0]) }
  }

  /// Whether the child must not be in the window, limits aside.
  ///
  /// Where the profile leaves the kinds open (QRY-13, QRY-28, QRY-29) nothing is excluded.
  package func excludes(_ node: Node, at key: Key, in profile: Profile) -> Bool {
    guard hasRange else { return false }
    if profile != .firebase, ordering != .key {
      let own = ordering.value(of: node)
      let bounds = [start, end].compactMap { $0.map { OrderValue($0.value) } }
      guard bounds.allSatisfy({ $0 != .null && $0.isSameKind(as: own) }) else { return false }
    }
    return !acrossKinds.selects(node, at: key)
  }

  /// The query with the reach that ranges have in a profile.
  package func asked(in profile: Profile) -> Query {
    var query = self
    query.reach = profile.ranges
    return query
  }
}

extension Event.Previous {
  package var text: String {
    switch self {
    case .none, .first: "nothing"
    case let .key(key): key.string
    }
  }
}

extension [Key] {
  package var text: String { isEmpty ? "nothing" : map(\.string).joined(separator: ", ") }
}

// What the profiles say about calls, and what they leave open.

extension Operation {
  /// Whether a profile leaves open what the call does: a client may refuse it, or take it otherwise than
  /// others. So it is with an update of nothing and names of several keys (WRT-7), priorities
  /// inside a value (PRI-9) or an update (WRT-27), and some bounds.
  package func isOpen(in profile: Profile) -> Bool {
    let given = arguments
    if given.changes?.isEmpty == true || given.query?.hasOpenBounds(in: profile) == true {
      return true
    }
    guard profile == .wilddog1 else { return false }
    let function = given.function.map { Node(json: $0.argument) }
    return given.changes?.contains { $0.isOpen } == true
      || [given.value, function].contains { $0?.hasPrioritiesInside == true }
  }
}

extension Assignment {
  /// Whether documents that show names of children and their values leave it open.
  fileprivate var isOpen: Bool {
    path.keys.count != 1 || path.key?.isPriority == true || node.hasPriorities
  }
}

extension Node {
  /// Whether anything below it has a priority.
  fileprivate var hasPrioritiesInside: Bool { children.contains { $0.node.hasPriorities } }
}
