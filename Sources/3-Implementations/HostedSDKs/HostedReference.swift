internal import ClientEngine
internal import ClientInterface
internal import Wilddog
internal import WilddogSync

/// A reference of either edition, as the glue uses it: what both document, and where they differ.
protocol HostedReference: _DocumentedReference, SendableMetatype
where
  Reference == Self, Snapshot: _DocumentedSnapshot & Sendable, Snapshot.Reference == Self,
  Query: _DocumentedQuery, Query.Query == Query, Query.Reference == Self,
  Query.Snapshot == Snapshot, Query.EventType == EventType, EventType: _DocumentedEventType,
  MutableData: _DocumentedMutableData & SendableMetatype,
  Result: _DocumentedResult & SendableMetatype, Result.MutableData == MutableData
{
  associatedtype Database: _DocumentedDatabase

  /// Does what an application does first, and returns the root of its database.
  static func begin(at url: String, _ persistence: ClientInput.Persistence?) -> Self
  static func make(url: String) -> Self
  static func makeData(_ tree: MutableTree) -> MutableData
  var query: Query { get }
  var engine: Engine { get }
  var anyParent: Self? { get }
  var database: Database { get }
  func run(
    _ block: @escaping (MutableData) throws -> Result, _ localEvents: Operation.LocalEvents,
    _ completion: (((any Error)?, Bool, Snapshot?) -> Void)?)
}

extension Wilddog: HostedReference {
  static func begin(at url: String, _ persistence: ClientInput.Persistence?) -> Wilddog {
    if let persistence {
      defaultConfig().persistenceEnabled = true
      defaultConfig().persistenceCacheSizeBytes = UInt(persistence.cacheBytes)
    }
    return Wilddog(url: url)
  }

  static func make(url: String) -> Wilddog { Wilddog(url: url) }
  static func makeData(_ tree: MutableTree) -> WMutableData { WMutableData(tree) }
  var query: WQuery { self }
  var engine: Engine { location.engine }
  var anyParent: Wilddog? { parent }
  var database: WilddogApp { app }
}

extension WDGSyncReference: HostedReference {
  static func begin(at url: String, _ persistence: ClientInput.Persistence?) -> WDGSyncReference {
    WDGApp.configure(with: WDGOptions(syncURL: url))
    if let persistence {
      WDGSync.persistenceEnabled = true
      WDGSync.persistenceCacheSizeBytes = UInt(persistence.cacheBytes)
    }
    return make(url: url)
  }

  static func make(url: String) -> WDGSyncReference { WDGSync.sync().reference(fromURL: url) }
  static func makeData(_ tree: MutableTree) -> WDGMutableData { WDGMutableData(tree) }
  var query: WDGSyncQuery { self }
  var engine: Engine { location.engine }
  var anyParent: WDGSyncReference? { parent }
  var database: WDGSync { sync }
}
