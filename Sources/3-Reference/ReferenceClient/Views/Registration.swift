internal import ClientInterface
internal import Tree

/// One registration of a listener with a view.
struct Registration {
  enum Lifetime {
    case lasting
    /// Removed just before its first event.
    case once
  }

  /// Distinguishes registrations; counts up in order of registration.
  let token: Int
  /// The listener, or `nil` for a transaction that only watches the data.
  let listener: ListenerID?
  let events: Set<EventType>
  let lifetime: Lifetime
}

/// An event on its way to a registration.
struct PendingEvent {
  let token: Int
  let lifetime: Registration.Lifetime
  let path: Path
  /// What to report to the application; `nil` when the registration is a mere watch.
  let output: ClientOutput?
}
