internal import ClientEngine
internal import ClientInterface

extension WQuery {
  /// Listens until it is removed (EVT-1).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  /// - Returns: What removes the listener.
  @discardableResult
  public func observe(
    _ eventType: WEventType,
    with block: @escaping (WDataSnapshot) -> Void
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved) { [engine = location.engine] snapshot, _ in
      block(WDataSnapshot(snapshot, of: engine))
    }
  }

  /// Listens until it is removed, with the key before the child (EVT-1, EVT-10).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  /// - Returns: What removes the listener.
  @discardableResult
  public func observe(
    _ eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping (WDataSnapshot, String?) -> Void
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved) { [engine = location.engine] snapshot, previous in
      block(WDataSnapshot(snapshot, of: engine), previous)
    }
  }

  /// Listens until it is removed, and reports when the server refuses (EVT-1, ACC-1).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  /// - Returns: What removes the listener.
  @discardableResult
  public func observe(
    _ eventType: WEventType,
    with block: @escaping (WDataSnapshot) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved, cancel: cancelBlock) {
      [engine = location.engine] snapshot, _ in
      block(WDataSnapshot(snapshot, of: engine))
    }
  }

  /// Listens until it is removed, with the key before the child, and reports when the server refuses (EVT-1, EVT-10, ACC-1).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  /// - Returns: What removes the listener.
  @discardableResult
  public func observe(
    _ eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping (WDataSnapshot, String?) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) -> WilddogHandle {
    register(eventType, for: .untilRemoved, cancel: cancelBlock) {
      [engine = location.engine] snapshot, previous in
      block(WDataSnapshot(snapshot, of: engine), previous)
    }
  }
  /// Reads one event, and ends by itself (OBS-9).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  public func observeSingleEvent(
    of eventType: WEventType,
    with block: @escaping (WDataSnapshot) -> Void
  ) {
    register(eventType, for: .once) { [engine = location.engine] snapshot, _ in
      block(WDataSnapshot(snapshot, of: engine))
    }
  }

  /// Reads one event, and ends by itself, with the key before the child (OBS-9, EVT-10).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  public func observeSingleEvent(
    of eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping (WDataSnapshot, String?) -> Void
  ) {
    register(eventType, for: .once) { [engine = location.engine] snapshot, previous in
      block(WDataSnapshot(snapshot, of: engine), previous)
    }
  }

  /// Reads one event, and ends by itself, and reports when the server refuses (OBS-9, ACC-5).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  public func observeSingleEvent(
    of eventType: WEventType,
    with block: @escaping (WDataSnapshot) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) {
    register(eventType, for: .once, cancel: cancelBlock) { [engine = location.engine] snapshot, _ in
      block(WDataSnapshot(snapshot, of: engine))
    }
  }

  /// Reads one event, and ends by itself, with the key before the child, and reports when the server refuses (OBS-9, EVT-10, ACC-5).
  ///
  /// - Parameters:
  ///   - eventType: Which event is meant.
  ///   - block: Called with the snapshot and, for the events of a child that is still there,
  ///     the key of the child before it; `nil` for the first, on the callback queue.
  ///   - cancelBlock: Called with the reason when the location may not be read, or no longer.
  public func observeSingleEvent(
    of eventType: WEventType,
    andPreviousSiblingKeyWith block: @escaping (WDataSnapshot, String?) -> Void,
    withCancel cancelBlock: ((any Error) -> Void)? = nil
  ) {
    register(eventType, for: .once, cancel: cancelBlock) {
      [engine = location.engine] snapshot, previous in
      block(WDataSnapshot(snapshot, of: engine), previous)
    }
  }
  /// Removes the listener of a handle, if it listens to this very location (OBS-5, OBS-16).
  ///
  /// It is not called any more, even with what is on its way to it (CBK-6).
  ///
  /// - Parameter handle: What `observe` has returned.
  public func removeObserver(withHandle handle: WilddogHandle) {
    location.removeObservation(handle)
  }

  /// Removes all listeners of this query; of a reference all listeners at its location, those of
  /// queries included, and none below (OBS-7, OBS-8).
  public func removeAllObservers() {
    location.removeObservations()
  }

  /// Keeps the data here up to date, even where nothing is observed (OFF-17).
  ///
  /// - Parameter keepSynced: Whether to begin or to end.
  public func keepSynced(_ keepSynced: Bool) {
    location.keepSynced(keepSynced ? .on : .off)
  }

  @discardableResult
  private func register(
    _ eventType: WEventType, for lifetime: Observation.Lifetime,
    cancel: ((any Error) -> Void)? = nil,
    _ block: @escaping Location.EventBlock
  ) -> WilddogHandle {
    location.observe(
      eventType.type, for: lifetime, block, cancel: cancel.map { cancel in { cancel($0) } })
  }
}
