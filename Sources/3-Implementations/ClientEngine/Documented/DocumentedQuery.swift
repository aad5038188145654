package import ClientInterface

// What both editions of the documented interface have, and what their documentation says of it: a
// declaration of an edition that has no comment of its own inherits that of the requirement here.
//
// The editions differ in the names of their types, which are printed in the documents and belong to
// each declaration, so that they declare each member themselves. The names here begin with an underscore:
// such a protocol is no part of what a module offers, and pages of documentation do not show it.

/// What queries have, and references as well.
public protocol _DocumentedQuery {
  associatedtype Query
  associatedtype Reference
  associatedtype Snapshot
  associatedtype EventType

  /// The location of the query (QRY-25).
  var ref: Reference { get }

  /// The first children in order (LIM-1).
  ///
  /// - Parameter limit: How many at most; at least 1.
  /// - Returns: The new query.
  func queryLimited(toFirst limit: UInt) -> Query

  /// The last children in order (LIM-1); they come in ascending order all the same.
  ///
  /// - Parameter limit: How many at most; at least 1.
  /// - Returns: The new query.
  func queryLimited(toLast limit: UInt) -> Query

  /// Ordered by what lies at a path below each child (QRY-4).
  ///
  /// - Parameter key: The path, of one key or several.
  /// - Returns: The new query.
  func queryOrdered(byChild key: String) -> Query

  /// Ordered by key (QRY-3).
  func queryOrderedByKey() -> Query
  /// Ordered by value (QRY-5).
  func queryOrderedByValue() -> Query
  /// Ordered by priority, which is also the default (QRY-1).
  func queryOrderedByPriority() -> Query

  /// Children that are not before a value in the order (QRY-9).
  ///
  /// - Parameter startValue: A number, a string, a boolean or `nil`.
  /// - Returns: The new query.
  func queryStarting(atValue startValue: Any?) -> Query

  /// The same; among children with that value those from a key on (QRY-10).
  ///
  /// - Parameters:
  ///   - startValue: A number, a string, a boolean or `nil`.
  ///   - childKey: The first key among children with that value; `nil` for all of them.
  /// - Returns: The new query.
  func queryStarting(atValue startValue: Any?, childKey: String?) -> Query

  /// Children that are not after a value in the order (QRY-9).
  ///
  /// - Parameter endValue: A number, a string, a boolean or `nil`.
  /// - Returns: The new query.
  func queryEnding(atValue endValue: Any?) -> Query

  /// The same; among children with that value those up to a key (QRY-10).
  ///
  /// - Parameters:
  ///   - endValue: A number, a string, a boolean or `nil`.
  ///   - childKey: The last key among children with that value; `nil` for all of them.
  /// - Returns: The new query.
  func queryEnding(atValue endValue: Any?, childKey: String?) -> Query

  /// Children with a value (QRY-11).
  ///
  /// - Parameter value: A number, a string, a boolean or `nil`.
  /// - Returns: The new query.
  func queryEqual(toValue value: Any?) -> Query

  /// The child with a value and a key, if there is one (QRY-11).
  ///
  /// - Parameters:
  ///   - value: A number, a string, a boolean or `nil`.
  ///   - childKey: The key of the child; `nil` for any.
  /// - Returns: The new query.
  func queryEqual(toValue value: Any?, childKey: String?) -> Query

  /// Listens until it is removed (EVT-1).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  /// - Returns: What removes the listener.
  func observe(_ eventType: EventType, with block: @escaping @Sendable (Snapshot) -> Void) -> UInt

  /// Listens until it is removed, with the key before the child (EVT-1, EVT-10).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  /// - Returns: What removes the listener.
  func observe(
    _ eventType: EventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (Snapshot, String?) -> Void
  ) -> UInt

  /// Listens until it is removed, and reports when the server refuses (EVT-1, ACC-1).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  /// - Returns: What removes the listener.
  func observe(
    _ eventType: EventType,
    with block: @escaping @Sendable (Snapshot) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)?
  ) -> UInt

  /// Listens until it is removed, with the key before the child, and reports when the server refuses
  /// (EVT-1, EVT-10, ACC-1).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  /// - Returns: What removes the listener.
  func observe(
    _ eventType: EventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (Snapshot, String?) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)?
  ) -> UInt

  /// Reads one event, and ends by itself (OBS-9).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  func observeSingleEvent(
    of eventType: EventType, with block: @escaping @Sendable (Snapshot) -> Void)

  /// Reads one event, and ends by itself, with the key before the child (OBS-9, EVT-10).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  func observeSingleEvent(
    of eventType: EventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (Snapshot, String?) -> Void
  )

  /// Reads one event, and ends by itself, and reports when the server refuses (OBS-9, ACC-5).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  func observeSingleEvent(
    of eventType: EventType,
    with block: @escaping @Sendable (Snapshot) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)?
  )

  /// Reads one event, and ends by itself, with the key before the child, and reports when the server
  /// refuses (OBS-9, EVT-10, ACC-5).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  func observeSingleEvent(
    of eventType: EventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (Snapshot, String?) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)?
  )

  /// Removes the listener of a handle, if it listens to this very location (OBS-5, OBS-16).
  ///
  /// It is not called any more, even with what is on its way to it (CBK-6).
  ///
  /// - Parameter handle: What `observe` has returned.
  func removeObserver(withHandle handle: UInt)

  /// Removes all listeners of this query; of a reference all listeners at its location, those of
  /// queries included, and none below (OBS-7, OBS-8).
  func removeAllObservers()

  /// Keeps the data here up to date, even where nothing is observed (OFF-17).
  ///
  /// - Parameter keepSynced: Whether to begin or to end.
  func keepSynced(_ keepSynced: Bool)

  /// Reads once what is here (OBS-9).
  ///
  /// - Returns: The snapshot.
  /// - Throws: ``SyncError`` when the location may not be read.
  func read() async throws -> Snapshot

  /// The events of a kind, as long as the sequence is iterated (EVT-1).
  ///
  /// - Parameter eventType: Which event is meant.
  /// - Returns: A snapshot for each event, and the key before the child where there is one. It ends
  ///   with ``SyncError`` when the location may not be read.
  func events(
    _ eventType: EventType
  ) -> AsyncThrowingStream<(snapshot: Snapshot, previousKey: String?), any Error>

  /// Asks the server for what is here, unless all of it is known; no listener is registered (GET-1).
  ///
  /// - Parameter block: Called on the callback queue with what went wrong or with the snapshot, as
  ///   soon as there is one.
  func getData(completion block: @escaping @Sendable ((any Error)?, Snapshot?) -> Void)

  /// The same for tasks.
  ///
  /// - Returns: The snapshot.
  /// - Throws: ``SyncError`` when the location may not be read.
  func getData() async throws -> Snapshot

  /// Children that are after a value in the order (QRY-12).
  ///
  /// - Parameters:
  ///   - startValue: A number, a string, a boolean or `nil`.
  ///   - childKey: Among children with that value those after this key; `nil` for none of them.
  /// - Returns: The new query.
  func queryStarting(afterValue startValue: Any?, childKey: String?) -> Query

  /// Children that are before a value in the order (QRY-12).
  ///
  /// - Parameters:
  ///   - endValue: A number, a string, a boolean or `nil`.
  ///   - childKey: Among children with that value those before this key; `nil` for none of them.
  /// - Returns: The new query.
  func queryEnding(beforeValue endValue: Any?, childKey: String?) -> Query
}

/// The kinds of event.
public protocol _DocumentedEventType: Equatable {
  /// A child is there that was not (EVT-2).
  static var childAdded: Self { get }
  /// A child is gone (EVT-6).
  static var childRemoved: Self { get }
  /// Something in a child has changed (EVT-5).
  static var childChanged: Self { get }
  /// A child has another position in the order (EVT-11).
  static var childMoved: Self { get }
  /// Everything at the location, once at the beginning and after every change (EVT-3).
  static var value: Self { get }
}

extension _DocumentedEventType {
  package init(_ type: EventType) {
    switch type {
    case .childAdded: self = .childAdded
    case .childRemoved: self = .childRemoved
    case .childChanged: self = .childChanged
    case .childMoved: self = .childMoved
    case .value: self = .value
    }
  }

  /// What the engine calls it.
  package var type: EventType { EventType.allCases.first { Self($0) == self } ?? .value }
}
