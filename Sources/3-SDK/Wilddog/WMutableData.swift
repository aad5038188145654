package import ClientEngine

/// What the function of a transaction reads and changes: a copy of the present data (MUT-1).
///
/// It belongs to one run of the function, and to its thread.
public final class WMutableData {
  let tree: MutableTree

  package init(_ tree: MutableTree) { self.tree = tree }

  /// Whether there are children (MUT-7).
  public func hasChildren() -> Bool { tree.childrenCount > 0 }

  /// Whether there is anything at a location below (MUT-8).
  ///
  /// - Parameter path: A relative path of one key or several.
  /// - Returns: Whether there is.
  public func hasChild(atPath path: String) -> Bool { tree.hasChild(path) }

  /// A part of the data; what is changed in it is changed in the whole (MUT-9).
  ///
  /// - Parameter path: A relative path of one key or several.
  /// - Returns: The part.
  public func childData(byAppendingPath path: String) -> WMutableData {
    WMutableData(tree.child(path))
  }

  /// The data, as in ``WDataSnapshot/value``. Setting them drops the priority, and `nil` removes (MUT-4,
  /// MUT-5).
  public var value: Any? {
    get { tree.value }
    set { tree.value = newValue }
  }

  /// The priority: a number, a string, or `nil` for none (MUT-6).
  public var priority: Any? {
    get { tree.priority }
    set { tree.priority = newValue }
  }

  /// How many children there are (MUT-7).
  public var childrenCount: UInt { UInt(tree.childrenCount) }

  /// The children in default order (MUT-10).
  public var children: AnyIterator<WMutableData> {
    AnyIterator(tree.children.lazy.map { WMutableData($0) }.makeIterator())
  }

  /// The key; `nil` for the data that the function was given (MUT-11).
  public var key: String? { tree.key }
}
