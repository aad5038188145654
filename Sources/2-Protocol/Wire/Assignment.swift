public import Tree

/// One `path: value` of an update, the path relative to where the update is made.
public struct Assignment: Hashable, Sendable {
  /// The location that is overwritten, relative to where the update is made; it may be several keys
  /// deep.
  public var path: Path
  /// What is written there, together with its priority; the empty node removes what is there.
  public var node: Node

  /// Makes an assignment; `path` is relative to where the update is made.
  public init(_ path: Path, _ node: Node) {
    self.path = path
    self.node = node
  }
}

extension Assignment {
  /// When it is made among others: data, then removals, then priorities.
  fileprivate var rank: Int { path.key?.isPriority == true ? 2 : node.isEmpty ? 1 : 0 }
}

extension [Assignment] {
  /// The members of `json` as assignments, in their order; `nil` when it is no mapping.
  ///
  /// A name may hold slashes: it is a path.
  public init?(json: JSON) {
    guard let members = json.members else { return nil }
    self = members.map { Assignment(Path($0.name), Node(json: $0.value)) }
  }

  /// What they set when they are made at `path`, by full paths, as one change.
  ///
  /// Ordered so that doing one after the other comes to the same as doing all at once: a node that
  /// has children afterwards keeps its priority, and gets the one that is named (PRI-10, PRI-16).
  package func sets(below path: Path) -> [(path: Path, node: Node)] {
    var sets: [(path: Path, node: Node)] = []
    sets.reserveCapacity(count)
    for rank in 0...2 {
      for index in indices where self[index].rank == rank {
        sets.append((path.appending(self[index].path), self[index].node))
      }
    }
    return sets
  }

  /// A mapping in the order of the assignments, from paths without a leading slash to export
  /// format.
  public var json: JSON {
    .object(map { JSON.Member($0.path.relativeText, $0.node.json) })
  }
}

extension Node {
  /// About how many bytes it has as JSON, or more than `limit` if it has more.
  ///
  /// - Complexity: O(*n*), O(*limit*) at most.
  package func byteCount(upTo limit: Int = .max) -> Int {
    if isEmpty { return 0 }
    var count = priority == nil ? 2 : 18
    switch scalar {
    case let .string(text): count += text.string.utf8.count
    case .bool, .number, .serverValue: count += 6
    case nil:
      for entry in children {
        count += entry.key.string.utf8.count + 4 + entry.node.byteCount(upTo: limit - count)
        if count > limit { break }
      }
    }
    return count
  }
}

extension [Assignment] {
  /// About how many bytes they write as JSON, or more than `limit` if they write more.
  package func byteCount(upTo limit: Int = .max) -> Int {
    var count = 0
    for assignment in self where count <= limit {
      count += assignment.node.byteCount(upTo: limit - count)
    }
    return count
  }
}

extension JSON {
  /// About how many bytes its text has, or more than `limit` if it has more.
  ///
  /// - Complexity: O(*n*), O(*limit*) at most.
  package func byteCount(upTo limit: Int) -> Int {
    switch self {
    case .null, .bool, .number: return 6
    case let .string(text): return text.utf8.count + 2
    case let .array(elements):
      var count = 2
      for element in elements where count <= limit {
        count += element.byteCount(upTo: limit - count) + 1
      }
      return count
    case let .object(members):
      var count = 2
      for member in members where count <= limit {
        count += member.name.utf8.count + 4 + member.value.byteCount(upTo: limit - count)
      }
      return count
    }
  }
}

extension ServerMessage {
  /// About how many bytes of data it has, or more than `limit` if it has more.
  package func byteCount(upTo limit: Int) -> Int {
    switch self {
    case let .put(_, node, _): return node.byteCount(upTo: limit)
    case let .merge(_, assignments, _): return assignments.byteCount(upTo: limit)
    case let .response(response): return response.payload.byteCount(upTo: limit)
    case .hello, .revoked, .credentialRevoked, .shutdown, .reset, .pong, .notice, .other:
      return 0
    }
  }

  /// Whether both are equal, as far as that is known without comparing what was asked for.
  package func isSame(as other: ServerMessage) -> Bool {
    guard case let .response(a) = self, case let .response(b) = other else { return self == other }
    return a.request == b.request && a.status == b.status && a.payload.isSame(as: b.payload)
  }
}
