public import ClientEngine
package import ClientInterface

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
  public func runTransactionBlock(_ block: @escaping (WMutableData) -> WTransactionResult) {
    run(block, .shown, nil)
  }

  public func runTransactionBlock(
    _ block: @escaping (WMutableData) -> WTransactionResult,
    andCompletionBlock completionBlock: @escaping ((any Error)?, Bool, WDataSnapshot?) -> Void
  ) {
    run(block, .shown, completionBlock)
  }

  public func runTransactionBlock(
    _ block: @escaping (WMutableData) -> WTransactionResult,
    andCompletionBlock completionBlock: (((any Error)?, Bool, WDataSnapshot?) -> Void)?,
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
