internal import ClientEngine
internal import ClientInterface
internal import ReferenceClient
internal import Tree

/// What was at a location at one moment (SNP-1). It never changes; usable from any thread.
public final class WDGDataSnapshot: Sendable {
  let snapshot: Snapshot
  let engine: Engine

  init(_ snapshot: Snapshot, of engine: Engine) {
    self.snapshot = snapshot
    self.engine = engine
  }

  /// The snapshot of a location below, of the same moment; empty if nothing is there (SNP-5).
  ///
  /// - Parameter childPathString: A relative path of one key or several.
  /// - Returns: The snapshot.
  public func childSnapshot(forPath childPathString: String) -> WDGDataSnapshot {
    engine.checkedPath(childPathString).map { WDGDataSnapshot(snapshot.child(at: $0), of: engine) }
      ?? self
  }

  /// Whether there is anything at a location below (SNP-13).
  ///
  /// - Parameter childPathString: A relative path of one key or several.
  /// - Returns: Whether there is.
  public func hasChild(_ childPathString: String) -> Bool {
    engine.checkedPath(childPathString).map { !snapshot.node[$0].isEmpty } ?? false
  }

  /// Whether there is any child (SNP-15).
  public func hasChildren() -> Bool { !snapshot.node.children.isEmpty }

  /// Whether there is anything (SNP-12).
  public func exists() -> Bool { !snapshot.node.isEmpty }

  /// The data with their priorities (SNP-8).
  public func valueInExportFormat() -> Any? { snapshot.node.json.plain }

  /// The data: a `String`, a `Double`, a `Bool`, a `[String: Any]`, an `[Any?]`, or `nil` (SNP-11).
  public var value: Any? { snapshot.node.plainJSON(engine.profile.arrays).plain }

  /// How many children there are (SNP-4).
  public var childrenCount: UInt { UInt(snapshot.node.children.count) }

  /// The reference of the location (SNP-18).
  public var ref: WDGSyncReference {
    WDGSyncReference(Location(engine).child(snapshot.path.relativeText))
  }

  /// The key of the location; empty for the root, which has none (SNP-17).
  public var key: String { snapshot.path.key?.string ?? "" }

  /// The children in the order of the query, or of their priorities (SNP-16).
  public var children: AnyIterator<WDGDataSnapshot> {
    let (snapshot, engine) = (snapshot, engine)
    let children = snapshot.keys.lazy.map {
      WDGDataSnapshot(snapshot.child(at: Path([$0])), of: engine)
    }
    return AnyIterator(children.makeIterator())
  }

  /// The priority: a `Double`, a `String`, or `nil` for none (SNP-19).
  public var priority: Any? { snapshot.node.priority?.json.plain }
}
