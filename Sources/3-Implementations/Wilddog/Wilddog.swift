public import ClientEngine
package import ClientInterface
internal import ClientMachine
public import Dispatch

/// A location of a database: what is written and read goes through one (REF-1).
///
/// It holds no data and needs no connection (REF-15). Usable from any thread. Blocks are called on the
/// callback queue, in the order of the events, and may call the SDK.
///
/// Unchecked: it has no property of its own, and that of its superclass never changes.
public final class Wilddog: WQuery, @unchecked Sendable {
  /// The location of an absolute address (REF-8). Anything else is a mistake of the code,
  /// and ends the program with a message.
  ///
  /// - Parameter url: Such as `https://<appId>.wilddogio.com/users`.
  public convenience init(url: String) {
    self.init(Application.current.location(of: url, .first))
  }

  /// The parent; of the root the root itself (REF-4).
  public var parent: Wilddog { location.parent.map { Wilddog($0) } ?? self }

  /// The connection to the database.
  public var app: WilddogApp { WilddogApp(location.engine) }

  /// The location at a relative path (REF-13). What is called at a path with a key that
  /// no location can have is refused, and its block is given the reason (ERR-2); `SyncError.inKey(_:)` tells
  /// before.
  ///
  /// - Parameter pathString: One key or several with slashes between; the location itself if empty.
  /// - Returns: The reference.
  public func child(byAppendingPath pathString: String) -> Wilddog {
    Wilddog(location.child(pathString))
  }

  /// Whether messages for the developer are printed; they are not unless this is called.
  ///
  /// - Parameter enabled: `true` to print them.
  public class func setLoggingEnabled(_ enabled: Bool) {
    Application.current.configuration.isLogging = enabled
  }

  /// The version of this SDK, which is that of the package.
  public class func sdkVersion() -> String { Application.version }

  /// What holds for all databases that are not used yet.
  public class func defaultConfig() -> WConfig { WConfig() }

  /// Sets the queue on which blocks are called (OBS-20); the same as `callbackQueue` of ``WConfig``.
  ///
  /// - Parameter queue: The queue; a concurrent one gives up the order of events.
  public class func setDispatchQueue(_ queue: DispatchQueue) {
    Application.current.configuration.callbackQueue = queue
  }
}

extension Wilddog: _DocumentedReference {
  public func childByAutoId() -> Wilddog { Wilddog(location.childByAutoId()) }
  public class func goOffline() { Application.current.go(.goOffline) }
  public class func goOnline() { Application.current.go(.goOnline) }
  public func description() -> String { location.url }
  public var root: Wilddog { Wilddog(location.root) }
  public var key: String { location.key }
}

/// What an application stores where the server is to put its time (SRV-1).
public let kWilddogServerValueTimestamp = [".sv": "timestamp"]

/// What the function of a transaction reads and changes: a copy of the present data (MUT-1).
///
/// It belongs to one run of the function, and to its thread.
public final class WMutableData {
  let tree: MutableTree

  package init(_ tree: MutableTree) { self.tree = tree }

  /// The data, as in ``WDataSnapshot/value``. Setting them drops the priority, and `nil` removes (MUT-4,
  /// MUT-5).
  public var value: Any? {
    get { tree.value }
    set { tree.value = newValue }
  }
}

extension WMutableData: _DocumentedMutableData {
  public func hasChildren() -> Bool { tree.childrenCount > 0 }
  public func hasChild(atPath path: String) -> Bool { tree.hasChild(path) }

  public func childData(byAppendingPath path: String) -> WMutableData {
    WMutableData(tree.child(path))
  }

  public var priority: Any? {
    get { tree.priority }
    set { tree.priority = newValue }
  }

  public var key: String? { tree.key }
  public var childrenCount: UInt { UInt(tree.childrenCount) }

  public var children: AnyIterator<WMutableData> {
    AnyIterator(tree.children.lazy.map { WMutableData($0) }.makeIterator())
  }
}

/// What the function of a transaction decides on.
public final class WTransactionResult {
  let decision: Location.Decision

  private init(_ decision: Location.Decision) { self.decision = decision }
}

extension WTransactionResult: _DocumentedResult {
  public class func success(withValue value: WMutableData) -> WTransactionResult {
    WTransactionResult(.success(value.tree))
  }

  public class func abort() -> WTransactionResult { WTransactionResult(.abort) }
}

extension Wilddog {
  @_disfavoredOverload
  public func runTransactionBlock(_ block: @escaping @Sendable (WMutableData) -> WTransactionResult)
  {
    run(block, .shown, nil)
  }

  @_disfavoredOverload
  public func runTransactionBlock(
    _ block: @escaping @Sendable (WMutableData) -> WTransactionResult,
    andCompletionBlock completionBlock:
      @escaping @Sendable ((any Error)?, Bool, WDataSnapshot?) -> Void
  ) {
    run(block, .shown, completionBlock)
  }

  @_disfavoredOverload
  public func runTransactionBlock(
    _ block: @escaping @Sendable (WMutableData) -> WTransactionResult,
    andCompletionBlock completionBlock: (@Sendable ((any Error)?, Bool, WDataSnapshot?) -> Void)?,
    withLocalEvents localEvents: Bool
  ) {
    run(block, localEvents ? .shown : .hidden, completionBlock)
  }

  /// Runs a function that may also throw, which ends the transaction (TXN-25).
  package func run(
    _ block: @escaping (WMutableData) throws -> WTransactionResult,
    _ localEvents: Operation.LocalEvents,
    _ completion: (((any Error)?, Bool, WDataSnapshot?) -> Void)?
  ) {
    location.runTransaction({ try block(WMutableData($0)).decision }, localEvents: localEvents) {
      [location] in completion?($0, $1, $2.map { WDataSnapshot(location.tree($0)) })
    }
  }
}

// Documented by `_DocumentedReference`.

extension Wilddog {
  public func setValue(_ value: Any?) { location.write(value) }

  @_disfavoredOverload
  public func setValue(
    _ value: Any?, withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.write(value, then: completion(block))
  }

  public func setValue(_ value: Any?, andPriority priority: Any?) {
    location.write(value, priority: priority)
  }

  @_disfavoredOverload
  public func setValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.write(value, priority: priority, then: completion(block))
  }

  public func removeValue() { location.remove() }

  @_disfavoredOverload
  public func removeValue(
    completionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.remove(then: completion(block))
  }

  public func setPriority(_ priority: Any?) { location.setPriority(priority) }

  @_disfavoredOverload
  public func setPriority(
    _ priority: Any?, withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.setPriority(priority, then: completion(block))
  }

  public func updateChildValues(_ values: [AnyHashable: Any]) { location.update(values) }

  @_disfavoredOverload
  public func updateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.update(values, then: completion(block))
  }

  public func onDisconnectSetValue(_ value: Any?) { location.write(value, .onDisconnect) }

  @_disfavoredOverload
  public func onDisconnectSetValue(
    _ value: Any?, withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.write(value, .onDisconnect, then: completion(block))
  }

  public func onDisconnectSetValue(_ value: Any?, andPriority priority: Any) {
    location.write(value, priority: priority, .onDisconnect)
  }

  @_disfavoredOverload
  public func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.write(value, priority: priority, .onDisconnect, then: completion(block))
  }

  public func onDisconnectRemoveValue() { location.remove(.onDisconnect) }

  @_disfavoredOverload
  public func onDisconnectRemoveValue(
    completionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.remove(.onDisconnect, then: completion(block))
  }

  public func onDisconnectUpdateChildValues(_ values: [AnyHashable: Any]) {
    location.update(values, .onDisconnect)
  }

  @_disfavoredOverload
  public func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Wilddog) -> Void
  ) {
    location.update(values, .onDisconnect, then: completion(block))
  }

  public func cancelDisconnectOperations() { location.cancelOnDisconnect() }

  @_disfavoredOverload
  public func cancelDisconnectOperations(
    completionBlock block: (@Sendable ((any Error)?, Wilddog) -> Void)? = nil
  ) {
    location.cancelOnDisconnect(then: completion(block))
  }

  /// What the engine calls when a call has ended; `nil` for nothing.
  private func completion(
    _ block: (((any Error)?, Wilddog) -> Void)?
  ) -> Location.CompletionBlock? {
    block.map { block in { [self] error in block(error, self) } }
  }
}
