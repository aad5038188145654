package import ClientInterface

/// What one call of `observe` has registered. Used with the engine's lock taken.
package final class Observation {
  let target: Operation.Target
  let type: EventType
  let block: (Event) -> Void
  let cancelBlock: (SyncError) -> Void
  let lifetime: Lifetime
  /// Whether the application has removed it: it is not called any more (CBK-6).
  var isRemoved = false
  /// Whether nothing follows what is on its way to the application.
  var isOver = false

  /// How long it lasts.
  package enum Lifetime {
    case untilRemoved
    /// Until its first event (OBS-9).
    case once
    /// Until the answer of the server; nothing removes it (GET-3).
    case get
  }

  package init(
    _ type: EventType, at target: Operation.Target, _ lifetime: Lifetime,
    _ block: @escaping (Event) -> Void, cancel cancelBlock: @escaping (SyncError) -> Void
  ) {
    self.lifetime = lifetime
    self.target = target
    self.type = type
    self.block = block
    self.cancelBlock = cancelBlock
  }
}
