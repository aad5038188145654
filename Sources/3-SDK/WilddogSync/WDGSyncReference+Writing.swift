internal import ClientEngine

extension WDGSyncReference {
  /// Replaces everything here, the priority included (WRT-1). Shown at once, and sent (WRT-8).
  ///
  /// A value that the database cannot store ends the program (ERR-3). Values of Foundation count as
  /// those of Swift that they stand for, and `NSNull` as `nil`.
  ///
  /// - Parameter value: What to write: a string, a number, a boolean, a dictionary, an array, or `nil`,
  ///   which removes.
  public func setValue(_ value: Any?) {
    location.write(value)
  }

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  public func setValue(
    _ value: Any?, withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, then: completion(block))
  }

  /// Replaces everything here, and sets the priority (PRI-6).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number, a string or `nil`, for none.
  public func setValue(_ value: Any?, andPriority priority: Any?) {
    location.write(value, priority: priority)
  }

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number, a string or `nil`, for none.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  public func setValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.write(value, priority: priority, then: completion(block))
  }

  /// Removes everything here (WRT-3).
  public func removeValue() {
    location.remove()
  }

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameter block: Called on the callback queue when the server has answered, with what went wrong.
  public func removeValue(
    completionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.remove(then: completion(block))
  }

  /// Sets the priority of what is here, and leaves the value alone (PRI-7).
  ///
  /// - Parameter priority: A number, a string or `nil`, for none.
  public func setPriority(_ priority: Any?) {
    location.setPriority(priority)
  }

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - priority: A number, a string or `nil`, for none.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  public func setPriority(
    _ priority: Any?, withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.setPriority(priority, then: completion(block))
  }

  /// Replaces the named children, as one change, and leaves the others alone (WRT-4).
  ///
  /// - Parameter values: The new values by key or path; `nil` removes.
  public func updateChildValues(_ values: [AnyHashable: Any]) {
    location.update(values)
  }

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - values: The new values by key or path; `nil` removes.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  public func updateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping ((any Error)?, WDGSyncReference) -> Void
  ) {
    location.update(values, then: completion(block))
  }

  /// What the engine calls when a call has ended; `nil` for nothing.
  func completion(
    _ block: (((any Error)?, WDGSyncReference) -> Void)?
  ) -> Location.CompletionBlock? {
    block.map { block in { [self] error in block(error, self) } }
  }
}
