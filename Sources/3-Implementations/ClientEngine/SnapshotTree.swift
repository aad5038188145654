internal import ClientInterface
package import ReferenceClient
package import Tree

/// What both editions hand out as a snapshot: what was at a location, as its database shows it.
package struct SnapshotTree: Sendable {
  private let snapshot: Snapshot
  private let engine: Engine

  fileprivate init(_ snapshot: Snapshot, of engine: Engine) {
    self.snapshot = snapshot
    self.engine = engine
  }

  /// The data without priorities.
  package var json: JSON { snapshot.node.plainJSON(engine.profile.arrays) }
  package var value: Any? { json.plain }
  package var int: Int? { json.number.flatMap { Int(exactly: $0) } }
  package var priority: Any? { snapshot.node.priority?.json.plain }
  /// The data with their priorities (SNP-8).
  package var export: Any? { snapshot.node.json.plain }
  package var isEmpty: Bool { snapshot.node.isEmpty }
  package var childrenCount: Int { snapshot.node.children.count }
  /// Empty for the root, which has none (SNP-17).
  package var key: String { snapshot.path.key?.string ?? "" }
  package var location: Location { Location(engine).child(snapshot.path.relativeText) }

  /// In the order of the query, or of their priorities (SNP-16).
  package var children: some Sequence<SnapshotTree> {
    snapshot.keys.lazy.map { SnapshotTree(snapshot.child(at: Path([$0])), of: engine) }
  }

  /// Of a location that none can be: `false`.
  package func hasChild(_ text: String) -> Bool {
    !snapshot.node[engine.checkedPath(text)].isEmpty
  }

  /// Of a location that none can be: nothing.
  package func child(_ text: String) -> SnapshotTree {
    SnapshotTree(snapshot.child(at: engine.checkedPath(text)), of: engine)
  }
}

extension Location {
  /// What the application gets of a snapshot. It keeps the database.
  package func tree(_ snapshot: Snapshot) -> SnapshotTree { SnapshotTree(snapshot, of: engine) }
}
