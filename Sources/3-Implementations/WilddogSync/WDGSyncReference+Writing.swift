internal import ClientEngine

// Documented by `_DocumentedReference`.

extension WDGSyncReference {
  public func setValue(_ value: Any?) { location.write(value) }

  public func setValue(
    _ value: Any?, withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, then: completion(block))
  }

  public func setValue(_ value: Any?, andPriority priority: Any?) {
    location.write(value, priority: priority)
  }

  public func setValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, priority: priority, then: completion(block))
  }

  public func removeValue() { location.remove() }

  public func removeValue(completionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void)
  {
    location.remove(then: completion(block))
  }

  public func setPriority(_ priority: Any?) { location.setPriority(priority) }

  public func setPriority(
    _ priority: Any?, withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.setPriority(priority, then: completion(block))
  }

  public func updateChildValues(_ values: [AnyHashable: Any]) { location.update(values) }

  public func updateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.update(values, then: completion(block))
  }

  public func onDisconnectSetValue(_ value: Any?) { location.write(value, .onDisconnect) }

  public func onDisconnectSetValue(
    _ value: Any?, withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, .onDisconnect, then: completion(block))
  }

  public func onDisconnectSetValue(_ value: Any?, andPriority priority: Any) {
    location.write(value, priority: priority, .onDisconnect)
  }

  public func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, priority: priority, .onDisconnect, then: completion(block))
  }

  public func onDisconnectRemoveValue() { location.remove(.onDisconnect) }

  public func onDisconnectRemoveValue(
    completionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.remove(.onDisconnect, then: completion(block))
  }

  public func onDisconnectUpdateChildValues(_ values: [AnyHashable: Any]) {
    location.update(values, .onDisconnect)
  }

  public func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.update(values, .onDisconnect, then: completion(block))
  }

  public func cancelDisconnectOperations() { location.cancelOnDisconnect() }

  public func cancelDisconnectOperations(
    completionBlock block: (((any Error)?, WDGSyncReference) -> Void)? = nil
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
