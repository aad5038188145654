internal import ClientEngine
internal import ClientInterface
internal import ClientMachine

// What servers of the Firebase dialect offer beyond the documents.

extension WQuery {
  /// Asks the server for what is here, unless all of it is known; no listener is registered (GET-1).
  ///
  /// - Parameter block: Called on the callback queue with what went wrong or with the snapshot, as
  ///   soon as there is one.
  public func getData(completion block: @escaping ((any Error)?, WDataSnapshot?) -> Void) {
    _ = location.observe(.value, for: .get) { [engine = location.engine] snapshot, _ in
      block(nil, WDataSnapshot(snapshot, of: engine))
    } cancel: {
      block($0, nil)
    }
  }

  /// The same for tasks.
  ///
  /// - Returns: The snapshot.
  /// - Throws: ``SyncError`` when the location may not be read.
  public func getData() async throws -> WDataSnapshot {
    WDataSnapshot(try await location.read(.get), of: location.engine)
  }

  /// Children that are after a value in the order (QRY-12).
  ///
  /// - Parameters:
  ///   - startValue: A number, a string, a boolean or `nil`.
  ///   - childKey: Among children with that value those after this key; `nil` for none of them.
  /// - Returns: The new query.
  public func queryStarting(afterValue startValue: Any?, childKey: String? = nil) -> WQuery {
    WQuery(location.adding("startAfter", startValue, childKey: childKey))
  }

  /// Children that are before a value in the order (QRY-12).
  ///
  /// - Parameters:
  ///   - endValue: A number, a string, a boolean or `nil`.
  ///   - childKey: Among children with that value those before this key; `nil` for none of them.
  /// - Returns: The new query.
  public func queryEnding(beforeValue endValue: Any?, childKey: String? = nil) -> WQuery {
    WQuery(location.adding("endBefore", endValue, childKey: childKey))
  }
}

extension Wilddog {
  /// Gives up all writes, transactions and on-disconnect requests that the server has not answered
  /// (WRT-30). Each ends with the error `write_canceled`; what was sent may take effect all the same.
  public class func purgeOutstandingWrites() { Application.current.go(.purgeWrites) }
}
