public import Tree

/// What a rule is evaluated with.
struct RuleContext: Sendable {
  let auth: JSON
  /// Milliseconds since 1970.
  let now: Double
  /// What is stored.
  let tree: Node
  /// What would be stored if the write were done; `nil` for a read.
  let newTree: Node?
  let query: Query?
  /// The location of the rule.
  var path = Path.root
  /// The keys that the location of the rule leaves open, without their `$`.
  var locations: [String: String] = [:]
}

/// An expression cannot be evaluated with these data: the rule does not hold.
struct EvaluationFailure: Error {}

/// Who asks, and when.
public struct RuleRequest: Sendable {
  /// What rules see as `auth`: null, or an object with `uid`, `provider` and `token`.
  public var auth: JSON
  /// Milliseconds since 1970.
  public var time: Double

  /// - Parameters:
  ///   - auth: What rules see as `auth`.
  ///   - time: What they see as `now`, in milliseconds since 1970.
  public init(auth: JSON, time: Double) {
    self.auth = auth
    self.time = time
  }
}
