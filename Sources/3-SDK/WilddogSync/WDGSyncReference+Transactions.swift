internal import ClientEngine
package import ClientInterface

extension WDGSyncReference {
  /// Changes what is here by a function of what is there (TXN-1).
  ///
  /// - Parameter block: Computes the new data from the present ones. It runs at once on the calling
  ///   thread, and again, on any thread, when the data were out of date (TXN-6). It may call
  ///   the SDK; what it calls is done when it has returned.
  public func runTransactionBlock(_ block: @escaping (WDGMutableData) -> WDGTransactionResult) {
    run(block, .shown, nil)
  }

  /// The same, and reports how it ended (TXN-18).
  ///
  /// - Parameters:
  ///   - block: Computes the new data from the present ones. It runs at once on the calling
  ///     thread, and again, on any thread, when the data were out of date (TXN-6). It may call
  ///     the SDK; what it calls is done when it has returned.
  ///   - completionBlock: Called on the callback queue with what went wrong, whether the data were
  ///     written, and the data that are there now.
  public func runTransactionBlock(
    _ block: @escaping (WDGMutableData) -> WDGTransactionResult,
    andCompletionBlock completionBlock:
      @escaping ((any Error)?, Bool, WDGDataSnapshot?) -> Void
  ) {
    run(block, .shown, completionBlock)
  }

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
  public func runTransactionBlock(
    _ block: @escaping (WDGMutableData) -> WDGTransactionResult,
    andCompletionBlock completionBlock: (((any Error)?, Bool, WDGDataSnapshot?) -> Void)?,
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
    let engine = location.engine
    location.runTransaction(
      { try block(WDGMutableData($0)).decision }, localEvents: localEvents,
      then: completion.map { completion in
        { error, committed, snapshot in
          completion(error, committed, snapshot.map { WDGDataSnapshot($0, of: engine) })
        }
      })
  }
}
