package import Tree
internal import Wire

extension ReferenceServer {
  /// What is found out about a large write before it is made, perhaps in another thread.
  public struct PreparedWrite: Sendable {
    package let write: Write
    /// Why it is not done; `nil` when it can be stored.
    package let problem: String?
    /// About how many bytes of JSON it writes.
    package let byteCount: Int
    /// What is at its location.
    private let before: Node
    private let update: Update?

    /// What an update makes of the data; it holds as long as they are the same.
    private struct Update: Sendable {
      /// What is at the location of the write after it.
      let after: Node
      let change: TreeChange
    }

    /// - Parameters:
    ///   - write: What is to be written.
    ///   - tree: Everything that is stored now.
    /// - Complexity: O(*n* log *m*) for *n* locations among *m* children.
    package init(_ write: Write, to tree: Node) {
      self.write = write
      before = tree[write.path]
      byteCount = write.byteCount
      problem = write.problem()
      guard problem == nil, case let .merge(path, assignments) = write,
        // What the server fills in is a matter of the moment.
        !assignments.contains(where: { $0.path.keys.isEmpty || $0.node.hasServerValues })
      else {
        update = nil
        return
      }
      let after = write.applied(to: tree)
      update = Update(
        after: after[path], change: TreeChange(write, from: nil, to: after).withAssignments)
    }

    /// The change that the write makes where `tree` is stored; `nil` where it is another write, or
    /// where other data are at its location.
    func change(by write: Write, to tree: Node) -> TreeChange? {
      guard let update, write == self.write, tree[write.path] == before else { return nil }
      return update.change.replacingTree(with: tree.setting(update.after, at: write.path))
    }
  }
}
