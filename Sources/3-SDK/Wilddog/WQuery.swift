package import ClientEngine

/// A location with conditions: which of its children are listened to, and in which order.
///
/// Each condition gives a new query and leaves the old one as it was (QRY-26). A second ordering, a
/// second limit, a limit of 0 and a bound that is no scalar are refused: the program ends, as with an
/// uncaught exception (ERR-4, ERR-13). Usable from any thread.
///
/// Unchecked: its one property never changes; it has a subclass, so the compiler cannot see that.
public class WQuery: @unchecked Sendable {
  package let location: Location

  init(_ location: Location) { self.location = location }

  /// The location of the query (QRY-25).
  public var ref: Wilddog { Wilddog(location.reference) }

  /// The first children in order (LIM-1).
  ///
  /// - Parameter limit: How many at most; at least 1.
  /// - Returns: The new query.
  public func queryLimited(toFirst limit: UInt) -> WQuery {
    WQuery(location.limited("limitToFirst", to: limit))
  }

  /// The last children in order (LIM-1); they come in ascending order all the same.
  ///
  /// - Parameter limit: How many at most; at least 1.
  /// - Returns: The new query.
  public func queryLimited(toLast limit: UInt) -> WQuery {
    WQuery(location.limited("limitToLast", to: limit))
  }

  /// Ordered by what lies at a path below each child (QRY-4).
  ///
  /// - Parameter key: The path, of one key or several.
  /// - Returns: The new query.
  public func queryOrdered(byChild key: String) -> WQuery { ordered(by: key) }

  /// Ordered by key (QRY-3).
  public func queryOrderedByKey() -> WQuery { ordered(by: ".key") }

  /// Ordered by value (QRY-5).
  public func queryOrderedByValue() -> WQuery { ordered(by: ".value") }

  /// Ordered by priority, which is also the default (QRY-1).
  public func queryOrderedByPriority() -> WQuery { ordered(by: ".priority") }

  /// Children that are not before a value in the order (QRY-9).
  ///
  /// - Parameter startValue: A number, a string, a boolean or `nil`.
  /// - Returns: The new query.
  public func queryStarting(atValue startValue: Any?) -> WQuery { bounded("startAt", startValue) }

  /// The same; among children with that value those from a key on (QRY-10).
  ///
  /// - Parameters:
  ///   - startValue: A number, a string, a boolean or `nil`.
  ///   - childKey: The first key among children with that value; `nil` for all of them.
  /// - Returns: The new query.
  public func queryStarting(atValue startValue: Any?, childKey: String?) -> WQuery {
    bounded("startAt", startValue, childKey)
  }

  /// Children that are not after a value in the order (QRY-9).
  ///
  /// - Parameter endValue: A number, a string, a boolean or `nil`.
  /// - Returns: The new query.
  public func queryEnding(atValue endValue: Any?) -> WQuery { bounded("endAt", endValue) }

  /// The same; among children with that value those up to a key (QRY-10).
  ///
  /// - Parameters:
  ///   - endValue: A number, a string, a boolean or `nil`.
  ///   - childKey: The last key among children with that value; `nil` for all of them.
  /// - Returns: The new query.
  public func queryEnding(atValue endValue: Any?, childKey: String?) -> WQuery {
    bounded("endAt", endValue, childKey)
  }

  /// Children with a value (QRY-11).
  ///
  /// - Parameter value: A number, a string, a boolean or `nil`.
  /// - Returns: The new query.
  public func queryEqual(toValue value: Any?) -> WQuery { bounded("equalTo", value) }

  /// The child with a value and a key, if there is one (QRY-11).
  ///
  /// - Parameters:
  ///   - value: A number, a string, a boolean or `nil`.
  ///   - childKey: The key of the child; `nil` for any.
  /// - Returns: The new query.
  public func queryEqual(toValue value: Any?, childKey: String?) -> WQuery {
    bounded("equalTo", value, childKey)
  }

  private func ordered(by index: String) -> WQuery {
    WQuery(location.ordered(by: index))
  }

  private func bounded(_ condition: String, _ value: Any?, _ key: String? = nil) -> WQuery {
    WQuery(location.adding(condition, value, childKey: key))
  }
}
