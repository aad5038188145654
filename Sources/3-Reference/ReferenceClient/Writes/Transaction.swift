package import ClientInterface
package import Tree

/// A transaction that has not come to its end.
struct Transaction {
  enum State {
    /// Ran, and waits to be sent.
    case waiting
    /// On its way to the server.
    case sent
    /// On its way, but a set has overtaken it: it ends unless the server accepts it (TXN-10).
    case overtaken
    /// To be ended with this error.
    case failed(ErrorCode)
  }

  /// Counts up in order of issue.
  let id: Int
  let call: CallID
  let path: Path
  let function: TransactionFunction
  let localEvents: Operation.LocalEvents
  /// The registration that keeps the data under it coming.
  let watch: Int
  var state = State.waiting
  /// How often it was sent.
  var attempts = 0
  /// What the function saw last.
  var input: Node
  /// What it made of it, placeholders for server values included.
  var output: Node
  /// The same with estimates: what is shown, and returned at the end.
  var estimate: Node
  /// The pending write that shows it.
  var write: Int

  /// TXN-7: how often a transaction is sent before it is given up.
  static let maxAttempts = 25
}

extension TransactionFunction {
  /// What became of a run.
  package enum Run {
    case wrote(Node)
    case ended(Completion)
  }

  /// Runs the function on a node.
  ///
  /// It sees the value as applications do, without priorities; what it returns has the priority
  /// that it names, else keeps the old one (TXN-20).
  func run(on input: Node, _ arrays: ArrayReading) -> Run {
    switch self(input.plainJSON(arrays)) {
    case .aborted: return .ended(Completion(committed: false, value: input))
    case .failed: return .ended(Completion(error: "usercode", committed: false))
    case let .returned(result):
      let node = Node(json: result)
      return .wrote(result[".priority"] == nil ? node.settingPriority(input.priority) : node)
    }
  }
}
