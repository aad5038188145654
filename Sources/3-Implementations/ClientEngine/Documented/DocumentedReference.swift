/// What references have besides what queries have.
public protocol _DocumentedReference: _DocumentedQuery {
  associatedtype MutableData
  associatedtype Result

  func child(byAppendingPath pathString: String) -> Self
  /// A location below with a key of its own, in the order of time (PSH-1, PSH-2).
  func childByAutoId() -> Self
  /// Ends all connections, and does not try again (CON-4, CON-17).
  static func goOffline()
  /// Connects again (CON-4, CON-17).
  static func goOnline()
  /// The absolute address (REF-9).
  func description() -> String
  /// The root of the database (REF-12).
  var root: Self { get }
  /// The last key; empty for the root, which has none (REF-5, REF-10).
  var key: String { get }

  /// Replaces everything here, the priority included (WRT-1). Shown at once, and sent (WRT-8).
  ///
  /// A value that the database cannot store is not written, and the block of a call with one is given
  /// the reason (ERR-3); `SyncError.inValue(_:)` tells before. Values of Foundation count as those of Swift
  /// that they stand for, `NSNull` as `nil`, and an enumeration as its raw value; a `Date`, a `URL` and `Data`
  /// are refused.
  ///
  /// - Parameter value: What to write: a string, a number, a boolean, a dictionary, an array, or `nil`,
  ///   which removes.
  func setValue(_ value: Any?)

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  func setValue(
    _ value: Any?, withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void)

  /// Replaces everything here, and sets the priority (PRI-6).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number, a string or `nil`, for none.
  func setValue(_ value: Any?, andPriority priority: Any?)

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number, a string or `nil`, for none.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  func setValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void
  )

  /// Removes everything here (WRT-3).
  func removeValue()

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameter block: Called on the callback queue when the server has answered, with what went wrong.
  func removeValue(completionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void)

  /// Sets the priority of what is here, and leaves the value alone (PRI-7).
  ///
  /// - Parameter priority: A number, a string or `nil`, for none.
  func setPriority(_ priority: Any?)

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - priority: A number, a string or `nil`, for none.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  func setPriority(
    _ priority: Any?, withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void
  )

  /// Replaces the named children, as one change, and leaves the others alone (WRT-4).
  ///
  /// - Parameter values: The new values by key or path; `nil` removes.
  func updateChildValues(_ values: [AnyHashable: Any])

  /// The same, and reports how it ended (WRT-10).
  ///
  /// - Parameters:
  ///   - values: The new values by key or path; `nil` removes.
  ///   - block: Called on the callback queue when the server has answered, with what went wrong.
  func updateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void
  )

  /// Has the server write here when the connection ends, for whatever reason (OND-1).
  ///
  /// - Parameter value: What to write: a string, a number, a boolean, a dictionary, an array, or `nil`,
  ///   which removes.
  func onDisconnectSetValue(_ value: Any?)

  /// The same, and reports when the server has taken note (OND-2).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - block: Called on the callback queue when the server has taken note, with what went wrong.
  func onDisconnectSetValue(
    _ value: Any?, withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void
  )

  /// The same with a priority (OND-12).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number or a string.
  func onDisconnectSetValue(_ value: Any?, andPriority priority: Any)

  /// The same with a priority, and reports when the server has taken note (OND-2).
  ///
  /// - Parameters:
  ///   - value: What to write: a string, a number, a boolean, a dictionary, an array, or
  ///     `nil`, which removes.
  ///   - priority: A number, a string or `nil`, for none.
  ///   - block: Called on the callback queue when the server has taken note, with what went wrong.
  func onDisconnectSetValue(
    _ value: Any?, andPriority priority: Any?,
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void
  )

  /// Has the server remove what is here when the connection ends (OND-1).
  func onDisconnectRemoveValue()

  /// The same, and reports when the server has taken note (OND-2).
  ///
  /// - Parameter block: Called on the callback queue when the server has taken note, with what went wrong.
  func onDisconnectRemoveValue(
    completionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void)

  /// Has the server replace the named children when the connection ends (OND-1).
  ///
  /// - Parameter values: The new values by key or path; `nil` removes.
  func onDisconnectUpdateChildValues(_ values: [AnyHashable: Any])

  /// The same, and reports when the server has taken note (OND-2).
  ///
  /// - Parameters:
  ///   - values: The new values by key or path; `nil` removes.
  ///   - block: Called on the callback queue when the server has taken note, with what went wrong.
  func onDisconnectUpdateChildValues(
    _ values: [AnyHashable: Any],
    withCompletionBlock block: @escaping @Sendable ((any Error)?, Self) -> Void
  )

  /// Cancels what was to be done here and below when the connection ends (OND-7).
  func cancelDisconnectOperations()

  /// The same, and reports when the server has taken note (OND-16).
  ///
  /// - Parameter block: Called on the callback queue when the server has answered, with what went wrong.
  func cancelDisconnectOperations(completionBlock block: (@Sendable ((any Error)?, Self) -> Void)?)

  /// Changes what is here by a function of what is there (TXN-1).
  ///
  /// - Parameter block: Computes the new data from the present ones. It runs at once on the calling
  ///   thread, and again, on any thread, when the data were out of date (TXN-6). It may call
  ///   the SDK; what it calls is done when it has returned.
  func runTransactionBlock(_ block: @escaping @Sendable (MutableData) -> Result)

  /// The same, and reports how it ended (TXN-18).
  ///
  /// - Parameters:
  ///   - block: Computes the new data from the present ones. It runs at once on the calling
  ///     thread, and again, on any thread, when the data were out of date (TXN-6). It may call
  ///     the SDK; what it calls is done when it has returned.
  ///   - completionBlock: Called on the callback queue with what went wrong, whether the data were
  ///     written, and the data that are there now.
  func runTransactionBlock(
    _ block: @escaping @Sendable (MutableData) -> Result,
    andCompletionBlock completionBlock:
      @escaping @Sendable ((any Error)?, Bool, Snapshot?) -> Void
  )

  /// The same; listeners need not see intermediate values (TXN-5).
  ///
  /// - Parameters:
  ///   - block: Computes the new data from the present ones. It runs at once on the calling
  ///     thread, and again, on any thread, when the data were out of date (TXN-6). It may call
  ///     the SDK; what it calls is done when it has returned.
  ///   - completionBlock: Called on the callback queue with what went wrong, whether the data were
  ///     written, and the data that are there now.
  ///   - localEvents: Whether listeners see what the function makes before the server has accepted
  ///     it.
  func runTransactionBlock(
    _ block: @escaping @Sendable (MutableData) -> Result,
    andCompletionBlock completionBlock: (@Sendable ((any Error)?, Bool, Snapshot?) -> Void)?,
    withLocalEvents localEvents: Bool
  )

  /// Replaces everything here, and waits for the server (WRT-1).
  ///
  /// - Parameter value: A string, a number, a boolean, a dictionary, an array or `nil`.
  /// - Throws: ``SyncError`` when it is refused, and `CancellationError` when the task is cancelled; what was
  ///   called stays called.
  func set(_ value: sending Any?) async throws

  /// The same with a priority.
  ///
  /// - Parameters:
  ///   - value: A string, a number, a boolean, a dictionary, an array or `nil`.
  ///   - priority: A number, a string or `nil`.
  /// - Throws: ``SyncError`` when it is refused, and `CancellationError` when the task is cancelled; what was
  ///   called stays called.
  func set(_ value: sending Any?, priority: sending Any?) async throws

  /// Replaces the named children, and waits for the server (WRT-4).
  ///
  /// - Parameter values: The new values by key or path.
  /// - Throws: ``SyncError`` when it is refused, and `CancellationError` when the task is cancelled; what was
  ///   called stays called.
  func update(_ values: sending [AnyHashable: Any]) async throws

  /// Removes what is here, and waits for the server (WRT-3).
  ///
  /// - Throws: ``SyncError`` when it is refused, and `CancellationError` when the task is cancelled; what was
  ///   called stays called.
  func remove() async throws

  /// Runs a transaction (TXN-1).
  ///
  /// - Parameter function: Computes the new data from the present ones; what it throws ends the
  ///   transaction. It runs at once on the calling thread, and again, on any thread, when the data
  ///   were out of date.
  /// - Returns: Whether the data were written, and the data that are there now.
  /// - Throws: ``SyncError`` when the transaction has failed, and `CancellationError` when the task is
  ///   cancelled; the transaction goes on.
  func transaction(
    _ function: @escaping @Sendable (MutableData) throws -> Result
  ) async throws -> (committed: Bool, snapshot: Snapshot?)

  /// Replaces everything here by a value, and waits for the server (WRT-1).
  ///
  /// - Parameter value: A value whose parts are texts, numbers, booleans, mappings and lists.
  /// - Throws: What encoding throws, ``SyncError`` when it is refused, and `CancellationError` when the task
  ///   is cancelled; what was called stays called.
  func set(encoding value: some Encodable) async throws

  /// Gives up all writes, transactions and on-disconnect requests that the server has not answered
  /// (WRT-30). Each ends with the error `write_canceled`; what was sent may take effect all the same.
  static func purgeOutstandingWrites()
}
