internal import ClientEngine

extension Wilddog {
  /// Has the server write here when the connection ends, for whatever reason (OND-1).
  ///
  /// - Parameter value: What to write: a string, a number, a boolean, a dictionary, an array, or `nil`,
  ///   which removes.
  public func onDisconnectSetValue(_ value: Any?) {
    location.onDisconnectWrite(value)
  }

  /// The same, and reports when the server has taken note (OND-2).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - block: Called on the callback queue when the server has taken note, with what went wrong.
  public func onDisconnectSetValue(
    _ value: Any?, withCompletionBlock block: @escaping ((any Error)?, Wilddog) -> Void
  ) {
    location.onDisconnectWrite(value, then: completion(block))
  }

  /// The same with a priority (OND-12).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number or a string.
  public func onDisconnectSetValue(_ value: Any?, andPriority priority: Any) {
    location.onDisconnectWrite(value, priority: priority)
  }

  /// The same with a priority, and reports when the server has taken note (OND-2).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number, a string or `nil`, for none.
  ///   - block: Called on the callback queue when the server has taken note, with what went wrong.
  public func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping ((any Error)?, Wilddog) -> Void
  ) {
    location.onDisconnectWrite(value, priority: priority, then: completion(block))
  }

  /// Has the server remove what is here when the connection ends (OND-1).
  public func onDisconnectRemoveValue() {
    location.onDisconnectRemove()
  }

  /// The same, and reports when the server has taken note (OND-2).
  ///
  /// - Parameter block: Called on the callback queue when the server has taken note, with what went wrong.
  public func onDisconnectRemoveValue(
    completionBlock block: @escaping ((any Error)?, Wilddog) -> Void
  ) {
    location.onDisconnectRemove(then: completion(block))
  }

  /// Has the server replace the named children when the connection ends (OND-1).
  ///
  /// - Parameter values: The new values by key or path; `nil` removes.
  public func onDisconnectUpdateChildValues(_ values: [AnyHashable: Any]) {
    location.onDisconnectUpdate(values)
  }

  /// The same, and reports when the server has taken note (OND-2).
  ///
  /// - Parameters:
  ///   - values: The new values by key or path; `nil` removes.
  ///   - block: Called on the callback queue when the server has taken note, with what went wrong.
  public func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping ((any Error)?, Wilddog) -> Void
  ) {
    location.onDisconnectUpdate(values, then: completion(block))
  }

  /// Cancels what was to be done here and below when the connection ends (OND-7).
  public func cancelDisconnectOperations() {
    location.cancelOnDisconnect()
  }

  /// The same, and reports when the server has taken note (OND-16).
  ///
  /// - Parameter block: Called on the callback queue when the server has answered, with what went wrong.
  public func cancelDisconnectOperations(
    completionBlock block: (((any Error)?, Wilddog) -> Void)? = nil
  ) {
    location.cancelOnDisconnect(then: completion(block))
  }
}
