internal import ClientEngine
internal import ClientInterface

/// What both editions of the documented interface have, as the glue calls it. The requirements are
/// the documented signatures.
protocol DocumentedSDK {
  associatedtype Reference: DocumentedReference
  where
    Reference.Query == Query, Reference.Snapshot == Snapshot, Reference.Event == Event,
    Reference.MutableData == MutableData, Reference.Result == Result
  associatedtype Query: DocumentedQuery
  where
    Query.Query == Query, Query.Snapshot == Snapshot, Query.Event == Event,
    Query.Location == Reference
  associatedtype Snapshot: DocumentedSnapshot where Snapshot.Location == Reference
  associatedtype MutableData: DocumentedMutableData
  associatedtype Result: DocumentedResult where Result.Value == MutableData
  associatedtype Event: DocumentedEventType

  /// Does what an application does first, and returns the root of its database.
  static func begin(at url: String, _ persistence: ClientInput.Persistence?) -> Reference
  static func reference(url: String) -> Reference
}

protocol DocumentedEventType {
  static var childAdded: Self { get }
  static var childRemoved: Self { get }
  static var childChanged: Self { get }
  static var childMoved: Self { get }
  static var value: Self { get }
}

protocol DocumentedQuery {
  associatedtype Query
  associatedtype Location
  associatedtype Snapshot
  associatedtype Event

  var query: Query { get }
  var engine: Engine { get }
  var ref: Location { get }
  func observe(
    _ eventType: Event, andPreviousSiblingKeyWith block: @escaping (Snapshot, String?) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)?
  ) -> UInt
  func observeSingleEvent(
    of eventType: Event, andPreviousSiblingKeyWith block: @escaping (Snapshot, String?) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)?)
  func getData(completion block: @escaping ((any Error)?, Snapshot?) -> Void)
  func removeObserver(withHandle handle: UInt)
  func removeAllObservers()
  func keepSynced(_ keepSynced: Bool)
  func queryLimited(toFirst limit: UInt) -> Query
  func queryLimited(toLast limit: UInt) -> Query
  func queryOrdered(byChild key: String) -> Query
  func queryOrderedByKey() -> Query
  func queryOrderedByValue() -> Query
  func queryOrderedByPriority() -> Query
  func queryStarting(atValue startValue: Any?) -> Query
  func queryStarting(atValue startValue: Any?, childKey: String?) -> Query
  func queryEnding(atValue endValue: Any?) -> Query
  func queryEnding(atValue endValue: Any?, childKey: String?) -> Query
  func queryStarting(afterValue startValue: Any?, childKey: String?) -> Query
  func queryEnding(beforeValue endValue: Any?, childKey: String?) -> Query
  func queryEqual(toValue value: Any?) -> Query
  func queryEqual(toValue value: Any?, childKey: String?) -> Query
}

protocol DocumentedReference: DocumentedQuery {
  associatedtype MutableData
  associatedtype Result
  typealias Completion = ((any Error)?, Self) -> Void

  var anyParent: Self? { get }
  var root: Self { get }
  var key: String { get }
  func child(byAppendingPath pathString: String) -> Self
  func childByAutoId() -> Self
  func description() -> String
  func setValue(_ value: Any?, withCompletionBlock block: @escaping Completion)
  func setValue(
    _ value: Any?, andPriority priority: Any?, withCompletionBlock block: @escaping Completion)
  func removeValue(completionBlock block: @escaping Completion)
  func setPriority(_ priority: Any?, withCompletionBlock block: @escaping Completion)
  func updateChildValues(
    _ values: [AnyHashable: Any], withCompletionBlock block: @escaping Completion)
  func onDisconnectSetValue(_ value: Any?, withCompletionBlock block: @escaping Completion)
  func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?, withCompletionBlock block: @escaping Completion)
  func onDisconnectRemoveValue(completionBlock block: @escaping Completion)
  func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any], withCompletionBlock block: @escaping Completion)
  func cancelDisconnectOperations(completionBlock block: Completion?)
  func runTransactionBlock(
    _ block: @escaping (MutableData) -> Result,
    andCompletionBlock completionBlock: (((any Error)?, Bool, Snapshot?) -> Void)?,
    withLocalEvents localEvents: Bool)
  func run(
    _ block: @escaping (MutableData) throws -> Result, _ localEvents: Operation.LocalEvents,
    _ completion: (((any Error)?, Bool, Snapshot?) -> Void)?)
  func signIn(withToken token: String, completionBlock block: @escaping ((any Error)?) -> Void)
  func signOut(completionBlock block: @escaping ((any Error)?) -> Void)
  static func goOffline()
  static func goOnline()
  static func purgeOutstandingWrites()
}

/// What a snapshot and mutable data have in common.
protocol DocumentedContents {
  var value: Any? { get }
  var priority: Any? { get }
  var childrenCount: UInt { get }
  var children: AnyIterator<Self> { get }
  func hasChildren() -> Bool
  var keyText: String { get }
  var export: Any? { get }
  func part(_ path: String) -> Self
  func holds(_ path: String) -> Bool
}

protocol DocumentedSnapshot: DocumentedContents {
  associatedtype Location
  var ref: Location { get }
  var key: String { get }
  func exists() -> Bool
  func valueInExportFormat() -> Any?
  func childSnapshot(forPath childPathString: String) -> Self
  func hasChild(_ childPathString: String) -> Bool
}

extension DocumentedSnapshot {
  var keyText: String { key }
  var export: Any? { valueInExportFormat() }
  func part(_ path: String) -> Self { childSnapshot(forPath: path) }
  func holds(_ path: String) -> Bool { hasChild(path) }
}

protocol DocumentedMutableData: DocumentedContents, AnyObject {
  init(_ tree: MutableTree)
  var value: Any? { get set }
  var priority: Any? { get set }
  var key: String? { get }
  func childData(byAppendingPath path: String) -> Self
  func hasChild(atPath path: String) -> Bool
}

extension DocumentedMutableData {
  var keyText: String { key ?? "" }
  func part(_ path: String) -> Self { childData(byAppendingPath: path) }
  func holds(_ path: String) -> Bool { hasChild(atPath: path) }
}

protocol DocumentedResult {
  associatedtype Value
  static func success(withValue value: Value) -> Self
  static func abort() -> Self
}
