public import Tree

/// Where and how a value differs from its pattern; the first difference in the order of keys.
public struct PatternMismatch: Hashable, Sendable, CustomStringConvertible {
  /// The location below the value that was matched.
  public var path: Path
  /// What was expected there, in the words of a sentence.
  public var expected: String
  /// The node at `path` that was found instead; empty when nothing is there.
  public var observed: Node

  /// Creates a mismatch; without a path it is about the matched value itself.
  public init(path: Path = .root, expected: String, observed: Node) {
    self.path = path
    self.expected = expected
    self.observed = observed
  }

  /// `at a/b: expected 1, observed 2`; at the value itself without the location.
  public var description: String {
    let prefix = path.isRoot ? "" : "at \(path.relativeText): "
    return prefix + "expected \(expected), observed \(Self.shown(observed))"
  }

  /// The value as a sentence names it.
  static func shown(_ node: Node) -> String { node.isEmpty ? "nothing" : node.description }

  func below(_ key: Key) -> PatternMismatch {
    var moved = self
    moved.path = Path([key] + path.keys)
    return moved
  }
}

/// What a run has found out so far, as far as patterns need it.
public struct Bindings: Hashable, Sendable {
  /// The values that `$bind` has named.
  public var values: [String: Node] = [:]
  /// What the server's clock has shown in this run, in milliseconds since 1970. `nil` when it is
  /// not known: then any whole number above zero counts as a time.
  public var serverTimes: [ClosedRange<Double>]?

  /// Creates bindings in which no value has a name yet.
  public init(serverTimes: [ClosedRange<Double>]? = nil) {
    self.serverTimes = serverTimes
  }
}
