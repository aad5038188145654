internal import ClientEngine
internal import ClientInterface
internal import Wilddog
internal import WilddogSync

/// The first edition.
enum FirstEdition: DocumentedSDK {
  typealias Query = WQuery
  typealias Snapshot = WDataSnapshot
  typealias MutableData = WMutableData
  typealias Result = WTransactionResult
  typealias Event = WEventType

  static func begin(at url: String, _ persistence: ClientInput.Persistence?) -> Wilddog {
    if let persistence {
      Wilddog.defaultConfig().persistenceEnabled = true
      Wilddog.defaultConfig().persistenceCacheSizeBytes = UInt(persistence.cacheBytes)
    }
    return Wilddog(url: url)
  }

  static func reference(url: String) -> Wilddog { Wilddog(url: url) }
}

extension WEventType: DocumentedEventType {}
extension WQuery: DocumentedQuery {
  typealias Location = Wilddog
  var query: WQuery { self }
  var engine: Engine { location.engine }
}
extension Wilddog: DocumentedReference {
  var anyParent: Wilddog? { parent }
  func signIn(withToken token: String, completionBlock block: @escaping ((any Error)?) -> Void) {
    app.signIn(withToken: token, completionBlock: block)
  }
  func signOut(completionBlock block: @escaping ((any Error)?) -> Void) {
    app.signOut(completionBlock: block)
  }
}
extension WDataSnapshot: DocumentedSnapshot {}
extension WMutableData: DocumentedMutableData {}
extension WTransactionResult: DocumentedResult {}

/// The second edition.
enum SecondEdition: DocumentedSDK {
  typealias Query = WDGSyncQuery
  typealias Snapshot = WDGDataSnapshot
  typealias MutableData = WDGMutableData
  typealias Result = WDGTransactionResult
  typealias Event = WDGDataEventType

  static func begin(at url: String, _ persistence: ClientInput.Persistence?) -> WDGSyncReference {
    WDGApp.configure(with: WDGOptions(syncURL: url))
    if let persistence {
      WDGSync.persistenceEnabled = true
      WDGSync.persistenceCacheSizeBytes = UInt(persistence.cacheBytes)
    }
    return WDGSync.sync().reference(fromURL: url)
  }

  static func reference(url: String) -> WDGSyncReference {
    WDGSync.sync().reference(fromURL: url)
  }
}

extension WDGDataEventType: DocumentedEventType {}
extension WDGSyncQuery: DocumentedQuery {
  typealias Location = WDGSyncReference
  var query: WDGSyncQuery { self }
  var engine: Engine { location.engine }
}
extension WDGSyncReference: DocumentedReference {
  var anyParent: WDGSyncReference? { parent }
  func signIn(withToken token: String, completionBlock block: @escaping ((any Error)?) -> Void) {
    sync.signIn(withToken: token, completionBlock: block)
  }
  func signOut(completionBlock block: @escaping ((any Error)?) -> Void) {
    sync.signOut(completionBlock: block)
  }
}
extension WDGDataSnapshot: DocumentedSnapshot {}
extension WDGMutableData: DocumentedMutableData {}
extension WDGTransactionResult: DocumentedResult {}
