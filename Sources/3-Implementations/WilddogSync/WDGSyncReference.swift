public import ClientEngine
package import ClientInterface
internal import ClientMachine

/// A location of a database: what is written and read goes through one (REF-1).
///
/// It holds no data and needs no connection (REF-15). Usable from any thread. Blocks are called on the
/// callback queue, in the order of the events, and may call the SDK.
///
/// Unchecked: it has no property of its own, and that of its superclass never changes.
public final class WDGSyncReference: WDGSyncQuery, @unchecked Sendable {
  /// The parent; `nil` for the root (REF-4).
  public var parent: WDGSyncReference? { location.parent.map { WDGSyncReference($0) } }

  /// The absolute address (REF-9).
  public var url: String { location.url }

  /// The database.
  public var sync: WDGSync { WDGSync(location.root) }

  /// The location at a relative path (REF-13). What is called at a path with a key that
  /// no location can have is refused, and its block is given the reason (ERR-2); `SyncError.inKey(_:)` tells
  /// before.
  ///
  /// - Parameter pathString: One key or several with slashes between; the location itself if empty.
  /// - Returns: The reference.
  public func child(_ pathString: String) -> WDGSyncReference {
    WDGSyncReference(location.child(pathString))
  }

  /// The old name of ``child(_:)``.
  ///
  /// - Parameter pathString: One key or several with slashes between.
  /// - Returns: The reference.
  public func child(byAppendingPath pathString: String) -> WDGSyncReference { child(pathString) }
}

extension WDGSyncReference: _DocumentedReference {
  public func childByAutoId() -> WDGSyncReference { WDGSyncReference(location.childByAutoId()) }
  public class func goOffline() { Application.current.go(.goOffline) }
  public class func goOnline() { Application.current.go(.goOnline) }
  public func description() -> String { location.url }
  public var root: WDGSyncReference { WDGSyncReference(location.root) }
  public var key: String { location.key }
}

/// What the function of a transaction reads and changes: a copy of the present data (MUT-1).
///
/// It belongs to one run of the function, and to its thread.
public final class WDGMutableData {
  let tree: MutableTree

  package init(_ tree: MutableTree) { self.tree = tree }

  /// The data, as in ``WDGDataSnapshot/value``. Setting them drops the priority, and `nil` removes (MUT-4,
  /// MUT-5).
  public var value: Any? {
    get { tree.value }
    set { tree.value = newValue }
  }
}

extension WDGMutableData: _DocumentedMutableData {
  public func hasChildren() -> Bool { tree.childrenCount > 0 }
  public func hasChild(atPath path: String) -> Bool { tree.hasChild(path) }

  public func childData(byAppendingPath path: String) -> WDGMutableData {
    WDGMutableData(tree.child(path))
  }

  public var priority: Any? {
    get { tree.priority }
    set { tree.priority = newValue }
  }

  public var key: String? { tree.key }
  public var childrenCount: UInt { UInt(tree.childrenCount) }

  public var children: AnyIterator<WDGMutableData> {
    AnyIterator(tree.children.lazy.map { WDGMutableData($0) }.makeIterator())
  }
}

/// What the function of a transaction decides on.
public final class WDGTransactionResult {
  let decision: Location.Decision

  private init(_ decision: Location.Decision) { self.decision = decision }
}

extension WDGTransactionResult: _DocumentedResult {
  public class func success(withValue value: WDGMutableData) -> WDGTransactionResult {
    WDGTransactionResult(.success(value.tree))
  }

  public class func abort() -> WDGTransactionResult { WDGTransactionResult(.abort) }
}

extension WDGSyncReference {
  @_disfavoredOverload
  public func runTransactionBlock(
    _ block: @escaping @Sendable (WDGMutableData) -> WDGTransactionResult
  ) {
    run(block, .shown, nil)
  }

  @_disfavoredOverload
  public func runTransactionBlock(
    _ block: @escaping @Sendable (WDGMutableData) -> WDGTransactionResult,
    andCompletionBlock completionBlock:
      @escaping @Sendable ((any Error)?, Bool, WDGDataSnapshot?) -> Void
  ) {
    run(block, .shown, completionBlock)
  }

  @_disfavoredOverload
  public func runTransactionBlock(
    _ block: @escaping @Sendable (WDGMutableData) -> WDGTransactionResult,
    andCompletionBlock completionBlock: (@Sendable ((any Error)?, Bool, WDGDataSnapshot?) -> Void)?,
    withLocalEvents localEvents: Bool
  ) {
    run(block, localEvents ? .shown : .hidden, completionBlock)
  }

  /// Runs a function that may also throw, which ends the transaction (TXN-25).
  package func run(
    _ block: @escaping (WDGMutableData) throws -> WDGTransactionResult,
    _ localEvents: Operation.LocalEvents,
    _ completion: (((any Error)?, Bool, WDGDataSnapshot?) -> Void)?
  ) {
    location.runTransaction({ try block(WDGMutableData($0)).decision }, localEvents: localEvents) {
      [location] in completion?($0, $1, $2.map { WDGDataSnapshot(location.tree($0)) })
    }
  }
}

// Documented by `_DocumentedReference`.

extension WDGSyncReference {
  public func setValue(_ value: Any?) { location.write(value) }

  @_disfavoredOverload
  public func setValue(
    _ value: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, then: completion(block))
  }

  public func setValue(_ value: Any?, andPriority priority: Any?) {
    location.write(value, priority: priority)
  }

  @_disfavoredOverload
  public func setValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, priority: priority, then: completion(block))
  }

  public func removeValue() { location.remove() }

  @_disfavoredOverload
  public func removeValue(
    completionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.remove(then: completion(block))
  }

  public func setPriority(_ priority: Any?) { location.setPriority(priority) }

  @_disfavoredOverload
  public func setPriority(
    _ priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.setPriority(priority, then: completion(block))
  }

  public func updateChildValues(_ values: [AnyHashable: Any]) { location.update(values) }

  @_disfavoredOverload
  public func updateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.update(values, then: completion(block))
  }

  public func onDisconnectSetValue(_ value: Any?) { location.write(value, .onDisconnect) }

  @_disfavoredOverload
  public func onDisconnectSetValue(
    _ value: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, .onDisconnect, then: completion(block))
  }

  public func onDisconnectSetValue(_ value: Any?, andPriority priority: Any) {
    location.write(value, priority: priority, .onDisconnect)
  }

  @_disfavoredOverload
  public func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, priority: priority, .onDisconnect, then: completion(block))
  }

  public func onDisconnectRemoveValue() { location.remove(.onDisconnect) }

  @_disfavoredOverload
  public func onDisconnectRemoveValue(
    completionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.remove(.onDisconnect, then: completion(block))
  }

  public func onDisconnectUpdateChildValues(_ values: [AnyHashable: Any]) {
    location.update(values, .onDisconnect)
  }

  @_disfavoredOverload
  public func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping @Sendable ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.update(values, .onDisconnect, then: completion(block))
  }

  public func cancelDisconnectOperations() { location.cancelOnDisconnect() }

  @_disfavoredOverload
  public func cancelDisconnectOperations(
    completionBlock block: (@Sendable ((any Error)?, WDGSyncReference) -> Void)? = nil
  ) {
    location.cancelOnDisconnect(then: completion(block))
  }

  /// What the engine calls when a call has ended; `nil` for nothing.
  private func completion(
    _ block: (((any Error)?, WDGSyncReference) -> Void)?
  ) -> Location.CompletionBlock? {
    block.map { block in { [self] error in block(error, self) } }
  }
}
