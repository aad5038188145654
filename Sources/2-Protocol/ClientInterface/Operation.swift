public import Tree
public import Wire

/// What an application asks of its client: one call of the client's programming interface.
///
/// Paths and values are handed over as the application wrote them. A client must itself refuse
/// what the database does not allow, with `ClientOutput.threw` (ERR-1).
///
/// It is behind a reference, because everything that follows a call has a copy of it.
public indirect enum Operation: Hashable, Sendable {
  /// Registers a listener that receives the given events until it is removed.
  case listen(ListenerID, Target, Set<EventType>)
  /// Registers a listener that receives one event and is then removed.
  case once(ListenerID, Target, EventType)
  /// Reads what the server has, once, without listening: answered by one value event, or by the
  /// cancellation of the listener that it names (GET-1).
  case get(ListenerID, Target)
  /// Removes one listener. With a path: as a handle that is used there, which does nothing unless
  /// the listener is registered at that very location (OBS-16).
  case unlisten(ListenerID, at: Path? = nil)
  /// Removes every listener at the location; with a query, every listener of that query (OBS-7).
  case unlistenAll(Target)
  case set(Path, Node)
  case remove(Path)
  /// Sets the priority, or removes it with null. Anything but a number, a string or a placeholder is
  /// refused (PRI-4).
  case setPriority(Path, JSON)
  /// Writes several locations at or below one as one change. Their names may be paths.
  case update(Path, [Assignment])
  /// Makes a new key in the order of time and, if a value is given, writes it there. Answered with
  /// the key (PSH-1).
  case push(Path, Node?)
  case transaction(Path, TransactionFunction, localEvents: LocalEvents)
  case onDisconnectSet(Path, Node)
  case onDisconnectRemove(Path)
  case onDisconnectUpdate(Path, [Assignment])
  case onDisconnectCancel(Path)
  case goOffline
  case goOnline
  /// Downloads the target ahead and keeps it up to date, listeners or not (OFF-7).
  case keepSynced(Target, Synchronization)
  case authenticate(token: String)
  case unauthenticate
  /// Answered at once, with `ClientOutput.answered` or `threw`.
  case inspect(Inspection)
  /// States what the application does in a callback to come (CBK-1).
  case on(Reaction)

  /// A query at a location.
  public struct Target: Hashable, Sendable {
    /// The location at which the query is made.
    public var path: Path
    /// What of the location is meant; `Query.all` is everything there, in default order.
    public var query: Query

    /// Without a query it means everything at the path.
    public init(_ path: Path, _ query: Query = .all) {
      self.path = path
      self.query = query
    }
  }

  /// Whether a target is to be kept up to date.
  public enum Synchronization: Hashable, Sendable {
    case on
    case off
  }

  /// Whether a transaction's intermediate values are shown to listeners.
  public enum LocalEvents: Hashable, Sendable {
    case shown
    case hidden
  }
}
