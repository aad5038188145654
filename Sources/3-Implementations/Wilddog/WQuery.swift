public import ClientEngine
internal import ClientInterface

/// A location with conditions: which of its children are listened to, and in which order.
///
/// Each condition gives a new query and leaves the old one as it was (QRY-26). A limit of 0 and a bound that
/// is no scalar are refused: what is called at such a query reports it (ERR-4). A second ordering, a second
/// limit and a second bound are mistakes of the code, and end the program with a message (ERR-13). Usable
/// from any thread.
///
/// Unchecked: its one property never changes; it has a subclass, so the compiler cannot see that.
public class WQuery: @unchecked Sendable {
  package let location: Location

  init(_ location: Location) { self.location = location }
}

extension WQuery: _DocumentedQuery {
  public var ref: Wilddog { Wilddog(location.reference) }

  public func queryLimited(toFirst limit: UInt) -> WQuery {
    WQuery(location.limited("limitToFirst", to: limit))
  }

  public func queryLimited(toLast limit: UInt) -> WQuery {
    WQuery(location.limited("limitToLast", to: limit))
  }

  public func queryOrdered(byChild key: String) -> WQuery { WQuery(location.ordered(by: key)) }
  public func queryOrderedByKey() -> WQuery { WQuery(location.ordered(by: ".key")) }
  public func queryOrderedByValue() -> WQuery { WQuery(location.ordered(by: ".value")) }
  public func queryOrderedByPriority() -> WQuery { WQuery(location.ordered(by: ".priority")) }

  public func queryStarting(atValue startValue: Any?) -> WQuery {
    WQuery(location.adding("startAt", startValue))
  }

  public func queryStarting(atValue startValue: Any?, childKey: String?) -> WQuery {
    WQuery(location.adding("startAt", startValue, childKey: childKey))
  }

  public func queryEnding(atValue endValue: Any?) -> WQuery {
    WQuery(location.adding("endAt", endValue))
  }

  public func queryEnding(atValue endValue: Any?, childKey: String?) -> WQuery {
    WQuery(location.adding("endAt", endValue, childKey: childKey))
  }

  public func queryEqual(toValue value: Any?) -> WQuery {
    WQuery(location.adding("equalTo", value))
  }

  public func queryEqual(toValue value: Any?, childKey: String?) -> WQuery {
    WQuery(location.adding("equalTo", value, childKey: childKey))
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WEventType, with block: @escaping @Sendable (WDataSnapshot) -> Void
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDataSnapshot, String?) -> Void
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved, block)
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WEventType, with block: @escaping @Sendable (WDataSnapshot) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved, cancel: cancelBlock) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDataSnapshot, String?) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved, cancel: cancelBlock, block)
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WEventType, with block: @escaping @Sendable (WDataSnapshot) -> Void
  ) {
    register(eventType, for: .once) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDataSnapshot, String?) -> Void
  ) {
    register(eventType, for: .once, block)
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WEventType, with block: @escaping @Sendable (WDataSnapshot) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) {
    register(eventType, for: .once, cancel: cancelBlock) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDataSnapshot, String?) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) {
    register(eventType, for: .once, cancel: cancelBlock, block)
  }

  public func removeObserver(withHandle handle: WilddogHandle) {
    location.removeObservation(handle)
  }
  public func removeAllObservers() { location.removeObservations() }
  public func keepSynced(_ keepSynced: Bool) { location.keepSynced(keepSynced ? .on : .off) }

  @discardableResult
  private func register(
    _ eventType: WEventType, for lifetime: Observation.Lifetime,
    cancel: ((any Error) -> Void)? = nil, _ block: @escaping (WDataSnapshot, String?) -> Void
  ) -> WilddogHandle {
    location.observe(
      eventType.type, for: lifetime, { [location] in block(WDataSnapshot(location.tree($0)), $1) },
      cancel: cancel)
  }
}
