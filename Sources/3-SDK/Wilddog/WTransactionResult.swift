internal import ClientEngine

/// What the function of a transaction decides on.
public final class WTransactionResult {
  let decision: Location.Decision

  private init(_ decision: Location.Decision) { self.decision = decision }

  /// The data are to be stored at the location (MUT-12).
  ///
  /// - Parameter value: The data that the function was given, or a part of them.
  /// - Returns: The result for the transaction.
  public class func success(withValue value: WMutableData) -> WTransactionResult {
    WTransactionResult(.success(value.tree))
  }

  /// The transaction is to be ended without a change (MUT-13).
  public class func abort() -> WTransactionResult { WTransactionResult(.abort) }
}
