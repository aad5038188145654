package import ClientInterface
package import Tree
internal import Wire

extension ReferenceClient {
  /// Sets a location without showing it to listeners: the write of a transaction without local
  /// events (TXN-5), and nothing else of one.
  ///
  /// No application can ask for that alone, and no input does. It is here for tests that look at
  /// how writes lie over each other: a transaction would run its function again, and would listen.
  ///
  /// - Parameters:
  ///   - node: What to write; as applications hand it over.
  ///   - path: Where to write it.
  ///   - call: The call that the server's answer completes.
  ///   - now: The client's clock.
  ///   - outputs: Receives the request, and nothing else.
  package mutating func setHidden(
    _ node: Node, at path: Path, as call: CallID, at now: Instant,
    into outputs: inout [ClientOutput]
  ) {
    self.now = now
    swap(&self.outputs, &outputs)
    let sets = [(path: path, node: estimated(node, at: path))]
    let write = tree.write(at: path, sets, isVisible: false)
    send(.put(path, node, hash: nil), for: .write(id: write.id, call: call, isUpdate: false))
    swap(&self.outputs, &outputs)
  }
}
