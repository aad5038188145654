// What programs in the mode of Swift 5 call, with blocks as the documents print them.
//
// The blocks of the declarations that these stand for are `@Sendable`: they are called on the callback
// queue, so a block of Swift 6 may not count as isolated to the actor that gives it away, nor change
// what it has captured. The compiler then reports both as errors. In the mode of Swift 5 it can do neither
// without refusing what the documents print, so there blocks are what they were then.

/// Takes the word of a program in the mode of Swift 5 that a block can be called on the callback queue.
private func unchecked<each Value, Result>(
  _ block: @escaping (repeat each Value) -> Result
) -> @Sendable (repeat each Value) -> Result {
  nonisolated(unsafe) let block = block
  return { (value: repeat each Value) in block(repeat each value) }
}

extension _DocumentedQuery {
  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6) @discardableResult
  public func observe(_ eventType: EventType, with block: @escaping (Snapshot) -> Void) -> UInt {
    observe(eventType, with: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6) @discardableResult
  public func observe(
    _ eventType: EventType, andPreviousSiblingKeyWith block: @escaping (Snapshot, String?) -> Void
  ) -> UInt {
    observe(eventType, andPreviousSiblingKeyWith: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6) @discardableResult
  public func observe(
    _ eventType: EventType, with block: @escaping (Snapshot) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) -> UInt {
    observe(eventType, with: unchecked(block), withCancel: cancelBlock.map { unchecked($0) })
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6) @discardableResult
  public func observe(
    _ eventType: EventType, andPreviousSiblingKeyWith block: @escaping (Snapshot, String?) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) -> UInt {
    observe(
      eventType, andPreviousSiblingKeyWith: unchecked(block),
      withCancel: cancelBlock.map { unchecked($0) })
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func observeSingleEvent(
    of eventType: EventType, with block: @escaping (Snapshot) -> Void
  ) {
    observeSingleEvent(of: eventType, with: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func observeSingleEvent(
    of eventType: EventType, andPreviousSiblingKeyWith block: @escaping (Snapshot, String?) -> Void
  ) {
    observeSingleEvent(of: eventType, andPreviousSiblingKeyWith: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func observeSingleEvent(
    of eventType: EventType, with block: @escaping (Snapshot) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) {
    observeSingleEvent(
      of: eventType, with: unchecked(block), withCancel: cancelBlock.map { unchecked($0) })
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func observeSingleEvent(
    of eventType: EventType, andPreviousSiblingKeyWith block: @escaping (Snapshot, String?) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) {
    observeSingleEvent(
      of: eventType, andPreviousSiblingKeyWith: unchecked(block),
      withCancel: cancelBlock.map { unchecked($0) })
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func getData(completion block: @escaping ((any Error)?, Snapshot?) -> Void) {
    getData(completion: unchecked(block))
  }
}

extension _DocumentedReference {
  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func setValue(
    _ value: Any?, withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    setValue(value, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func setValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    setValue(value, andPriority: priority, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func removeValue(completionBlock block: @escaping ((any Error)?, Self) -> Void) {
    removeValue(completionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func setPriority(
    _ priority: Any?, withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    setPriority(priority, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func updateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    updateChildValues(values, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func onDisconnectSetValue(
    _ value: Any?, withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    onDisconnectSetValue(value, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    onDisconnectSetValue(value, andPriority: priority, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func onDisconnectRemoveValue(
    completionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    onDisconnectRemoveValue(completionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping ((any Error)?, Self) -> Void
  ) {
    onDisconnectUpdateChildValues(values, withCompletionBlock: unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func cancelDisconnectOperations(
    completionBlock block: (((any Error)?, Self) -> Void)? = nil
  ) {
    cancelDisconnectOperations(completionBlock: block.map { unchecked($0) })
  }
}

extension _DocumentedReference {
  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func runTransactionBlock(_ block: @escaping (MutableData) -> Result) {
    runTransactionBlock(unchecked(block))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func runTransactionBlock(
    _ block: @escaping (MutableData) -> Result,
    andCompletionBlock completionBlock: @escaping ((any Error)?, Bool, Snapshot?) -> Void
  ) {
    runTransactionBlock(unchecked(block), andCompletionBlock: unchecked(completionBlock))
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func runTransactionBlock(
    _ block: @escaping (MutableData) -> Result,
    andCompletionBlock completionBlock: (((any Error)?, Bool, Snapshot?) -> Void)?,
    withLocalEvents localEvents: Bool
  ) {
    runTransactionBlock(
      unchecked(block), andCompletionBlock: completionBlock.map { unchecked($0) },
      withLocalEvents: localEvents)
  }
}

extension _DocumentedDatabase {
  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func signIn(
    withToken token: String, completionBlock block: (((any Error)?) -> Void)? = nil
  ) {
    signIn(withToken: token, completionBlock: block.map { unchecked($0) })
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func signOut(completionBlock block: (((any Error)?) -> Void)? = nil) {
    signOut(completionBlock: block.map { unchecked($0) })
  }

  /// The same for programs in the mode of Swift 5.
  @available(swift, obsoleted: 6)
  public func waitForPendingWrites(completionBlock block: @escaping () -> Void) {
    waitForPendingWrites(completionBlock: unchecked(block))
  }
}
