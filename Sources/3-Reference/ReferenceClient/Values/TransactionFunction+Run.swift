package import ClientInterface
package import Tree

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
  package func run(on input: Node, _ arrays: ArrayReading) -> Run {
    switch self(input.plainJSON(arrays)) {
    case .aborted: return .ended(Completion(committed: false, value: input))
    case .failed: return .ended(Completion(error: "usercode", committed: false))
    case let .returned(result):
      let node = Node(json: result)
      return .wrote(result[".priority"] == nil ? node.settingPriority(input.priority) : node)
    }
  }
}
