public import ClientEngine

/// What was at a location at one moment (SNP-1). It never changes; usable from any thread.
public final class WDGDataSnapshot: Sendable {
  let tree: SnapshotTree

  init(_ tree: SnapshotTree) { self.tree = tree }
}

extension WDGDataSnapshot: _DocumentedSnapshot {
  public func childSnapshot(forPath childPathString: String) -> WDGDataSnapshot {
    WDGDataSnapshot(tree.child(childPathString))
  }

  public func hasChild(_ childPathString: String) -> Bool { tree.hasChild(childPathString) }
  public func hasChildren() -> Bool { tree.childrenCount > 0 }
  public func exists() -> Bool { !tree.isEmpty }
  public func valueInExportFormat() -> Any? { tree.export }
  public var value: Any? { tree.value }
  public var childrenCount: UInt { UInt(tree.childrenCount) }
  public var ref: WDGSyncReference { WDGSyncReference(tree.location) }
  public var key: String { tree.key }
  public var priority: Any? { tree.priority }

  public var children: AnyIterator<WDGDataSnapshot> {
    AnyIterator(tree.children.lazy.map { WDGDataSnapshot($0) }.makeIterator())
  }
}
