package import ClientInterface
package import Tree

// What the profiles say about queries, and what they leave open.

extension Query.Ordering {
  /// Whether the profile fixes the order of these children: where values of several kinds meet, the
  /// original clients may do as they like (QRY-7).
  package func isSettled(for children: Children, in profile: Profile) -> Bool {
    if profile == .firebase || self == .key || self == .priority { return true }
    var first: OrderValue?
    for child in children {
      let own = value(of: child.node)
      if case .children = own { return false }
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
  /// Whether the child must not be in the window, limits aside.
  ///
  /// Where the profile leaves the kinds open (QRY-13, QRY-28, QRY-29) nothing is excluded.
  package func excludes(_ node: Node, at key: Key, in profile: Profile) -> Bool {
    guard start != nil || end != nil else { return false }
    if profile != .firebase, ordering != .key {
      let own = ordering.value(of: node)
      let bounds = [start, end].compactMap { $0.map { OrderValue($0.value) } }
      guard bounds.allSatisfy({ $0 != .null && $0.isSameKind(as: own) }) else { return false }
    }
    var query = self
    query.reach = .acrossKinds
    return !query.selects(node, at: key)
  }

  /// The query with the reach that ranges have in a profile.
  package func asked(in profile: Profile) -> Query {
    var query = self
    query.reach = profile.ranges
    return query
  }
}

extension Event {
  /// `child_added a`, and `value` for the location itself.
  package var name: String {
    type == .value ? type.rawValue : type.rawValue + (key.map { " \($0)" } ?? "")
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
