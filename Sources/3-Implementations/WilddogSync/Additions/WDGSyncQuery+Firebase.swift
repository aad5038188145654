internal import ClientEngine
internal import ClientInterface
internal import ClientMachine

// What servers of the Firebase dialect offer beyond the documents.

extension WDGSyncQuery {
  @_disfavoredOverload
  public func getData(
    completion block: @escaping @Sendable ((any Error)?, WDGDataSnapshot?) -> Void
  ) {
    _ = location.observe(.value, for: .get) { [location] snapshot, _ in
      block(nil, WDGDataSnapshot(location.tree(snapshot)))
    } cancel: {
      block($0, nil)
    }
  }

  public func getData() async throws -> WDGDataSnapshot {
    WDGDataSnapshot(location.tree(try await location.read(.get)))
  }

  public func queryStarting(afterValue startValue: Any?, childKey: String? = nil) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("startAfter", startValue, childKey: childKey))
  }

  public func queryEnding(beforeValue endValue: Any?, childKey: String? = nil) -> WDGSyncQuery {
    WDGSyncQuery(location.adding("endBefore", endValue, childKey: childKey))
  }
}

extension WDGSyncReference {
  public class func purgeOutstandingWrites() { Application.current.go(.purgeWrites) }
}
