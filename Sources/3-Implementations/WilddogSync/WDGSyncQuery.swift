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
public class WDGSyncQuery: @unchecked Sendable {
  package let location: Location

  init(_ location: Location) { self.location = location }
}

extension WDGSyncQuery: _DocumentedQuery {
  public var ref: WDGSyncReference { WDGSyncReference(location.reference) }

  public func queryLimited(toFirst limit: UInt) -> WDGSyncQuery {
    WDGSyncQuery(location.limited("limitToFirst", to: limit))
  }

  public func queryLimited(toLast limit: UInt) -> WDGSyncQuery {
    WDGSyncQuery(location.limited("limitToLast", to: limit))
  }

  public func queryOrdered(byChild key: String) -> WDGSyncQuery {
    WDGSyncQuery(location.ordered(by: key))
  }
  public func queryOrderedByKey() -> WDGSyncQuery { WDGSyncQuery(location.ordered(by: ".key")) }
  public func queryOrderedByValue() -> WDGSyncQuery { WDGSyncQuery(location.ordered(by: ".value")) }
  public func queryOrderedByPriority() -> WDGSyncQuery {
    WDGSyncQuery(location.ordered(by: ".priority"))
  }

  public func queryStarting(atValue startValue: Any?) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("startAt", startValue))
  }

  public func queryStarting(atValue startValue: Any?, childKey: String?) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("startAt", startValue, childKey: childKey))
  }

  public func queryEnding(atValue endValue: Any?) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("endAt", endValue))
  }

  public func queryEnding(atValue endValue: Any?, childKey: String?) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("endAt", endValue, childKey: childKey))
  }

  public func queryEqual(toValue value: Any?) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("equalTo", value))
  }

  public func queryEqual(toValue value: Any?, childKey: String?) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("equalTo", value, childKey: childKey))
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WDGDataEventType, with block: @escaping @Sendable (WDGDataSnapshot) -> Void
  ) -> WDGSyncHandle {
    register(eventType, for: .untilRemoved) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WDGDataEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDGDataSnapshot, String?) -> Void
  ) -> WDGSyncHandle {
    register(eventType, for: .untilRemoved, block)
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WDGDataEventType, with block: @escaping @Sendable (WDGDataSnapshot) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) -> WDGSyncHandle {
    register(eventType, for: .untilRemoved, cancel: cancelBlock) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload @discardableResult
  public func observe(
    _ eventType: WDGDataEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDGDataSnapshot, String?) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) -> WDGSyncHandle {
    register(eventType, for: .untilRemoved, cancel: cancelBlock, block)
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WDGDataEventType, with block: @escaping @Sendable (WDGDataSnapshot) -> Void
  ) {
    register(eventType, for: .once) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WDGDataEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDGDataSnapshot, String?) -> Void
  ) {
    register(eventType, for: .once, block)
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WDGDataEventType, with block: @escaping @Sendable (WDGDataSnapshot) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) {
    register(eventType, for: .once, cancel: cancelBlock) { snapshot, _ in block(snapshot) }
  }

  @_disfavoredOverload
  public func observeSingleEvent(
    of eventType: WDGDataEventType,
    andPreviousSiblingKeyWith block: @escaping @Sendable (WDGDataSnapshot, String?) -> Void,
    withCancel cancelBlock: (@Sendable (any Error) -> Void)? = nil
  ) {
    register(eventType, for: .once, cancel: cancelBlock, block)
  }

  public func removeObserver(withHandle handle: WDGSyncHandle) {
    location.removeObservation(handle)
  }
  public func removeAllObservers() { location.removeObservations() }
  public func keepSynced(_ keepSynced: Bool) { location.keepSynced(keepSynced ? .on : .off) }

  @discardableResult
  private func register(
    _ eventType: WDGDataEventType, for lifetime: Observation.Lifetime,
    cancel: ((any Error) -> Void)? = nil, _ block: @escaping (WDGDataSnapshot, String?) -> Void
  ) -> WDGSyncHandle {
    location.observe(
      eventType.type, for: lifetime,
      { [location] in block(WDGDataSnapshot(location.tree($0)), $1) },
      cancel: cancel)
  }
}
