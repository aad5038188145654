public import Tree
public import Wire

/// Everything that a client can do.
public enum ClientOutput: Hashable, Sendable {
  /// Asks for a connection; answered by `opened` or `refused`. One connection at a time.
  case connect
  /// The same, but with this host, where the server has sent the client (CON-15), instead of the
  /// one it was opened with.
  case connectTo(String)
  /// Sends a message over the open connection.
  case send(ClientMessage)
  /// Closes the connection, or stops asking for one.
  case disconnect
  /// Asks to be woken after an interval. Setting a timer again moves it.
  case setTimer(TimerID, after: Interval, TimerPurpose)
  case cancelTimer(TimerID)
  /// Calls a listener.
  case event(Event)
  /// Cancels a listener, because the server refused or revoked it (ACC-1).
  indirect case cancelled(ListenerID, ErrorCode)
  /// Reports the end of a call to the application (WRT-10).
  indirect case completed(CallID, Completion)
  /// The synchronous result of a call: for `push` the new key.
  indirect case answered(CallID, JSON)
  /// The call was refused at once, because of its arguments (ERR-1).
  indirect case threw(CallID, ErrorCode)
  /// A transaction's function was called with this value (TXN-1).
  indirect case updateRan(CallID, input: JSON)
  /// The application is about to make a call from inside the callback that came last, as a
  /// ``Reaction`` has it. What the call does follows (CBK-1).
  indirect case calling(CallID)
  /// The call that was made from inside a callback has returned.
  indirect case returned(CallID)
  /// Keeps a text over the end of the process, in place of what was stored under this key.
  indirect case store(key: String, text: String)
  indirect case erase(key: String)
  /// The client threw an exception of its own that was not caught (ERR-14).
  indirect case uncaught(UncaughtException)
  /// Something for the developer. Not compared.
  indirect case log(String)
}

// MARK: - What it is about
//
// Code that follows outputs asks for the topic: a new output belongs to one here, and what has no use for that
// topic does not list it.

extension ClientOutput {
  /// An output as part of what it is about.
  @usableFromInline
  package enum Topic {
    /// A connection to this host, or to the one that the client was opened with.
    case connect(to: String?)
    case send(ClientMessage)
    case disconnect
    /// A timer is set, or cancelled where nothing is stated.
    case timer(TimerID, (after: Interval, purpose: TimerPurpose)?)
    /// What stays stored under a key; nothing where there is no text.
    case storage(key: String, text: String?)
    /// What a listener receives.
    case listener(ListenerID, Receipt)
    /// What the application learns of a call.
    case call(CallID, Report)
    /// Around a call that is made from inside a callback.
    case nesting(CallID, Edge)
    case uncaught(UncaughtException)
    /// Something for the developer.
    case remark(String)

    @usableFromInline
    package enum Receipt {
      case event(Event)
      case cancelled(ErrorCode)
    }

    @usableFromInline
    package enum Report {
      case completed(Completion)
      case answered(JSON)
      case threw(ErrorCode)
      case updateRan(input: JSON)
    }

    @usableFromInline
    package enum Edge { case begins, ends }
  }

  /// What it is about. Made where it is asked for, so that only what is looked at there is copied.
  @inlinable @inline(__always) package var topic: Topic {
    switch self {
    case .connect: .connect(to: nil)
    case let .connectTo(host): .connect(to: host)
    case let .send(message): .send(message)
    case .disconnect: .disconnect
    case let .setTimer(timer, after, purpose): .timer(timer, (after, purpose))
    case let .cancelTimer(timer): .timer(timer, nil)
    case let .event(event): .listener(event.listener, .event(event))
    case let .cancelled(listener, error): .listener(listener, .cancelled(error))
    case let .completed(call, completion): .call(call, .completed(completion))
    case let .answered(call, value): .call(call, .answered(value))
    case let .threw(call, error): .call(call, .threw(error))
    case let .updateRan(call, input): .call(call, .updateRan(input: input))
    case let .calling(call): .nesting(call, .begins)
    case let .returned(call): .nesting(call, .ends)
    case let .store(key, text): .storage(key: key, text: text)
    case let .erase(key): .storage(key: key, text: nil)
    case let .uncaught(exception): .uncaught(exception)
    case let .log(text): .remark(text)
    }
  }

  /// The event that a listener receives; `nil` for any other output.
  package var event: Event? { if case let .event(event) = self { event } else { nil } }

  /// The request that is sent; `nil` for any other output.
  package var request: Request? {
    if case let .send(.request(_, request)) = self { request } else { nil }
  }

  /// Whether the function of this transaction ran.
  package func isRun(of call: CallID) -> Bool {
    if case .updateRan(call, _) = self { true } else { false }
  }
}

/// One call of a listener.
public struct Event: Hashable, Sendable {
  /// Behind one reference, because everything that follows an event has a copy of it.
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let listener: ListenerID
    @usableFromInline let type: EventType
    @usableFromInline let key: Key?
    @usableFromInline let previous: Previous
    @usableFromInline let value: Node
    @usableFromInline let order: ChildOrder

    init(
      _ listener: ListenerID, _ type: EventType, _ key: Key?, _ previous: Previous, _ value: Node,
      _ order: ChildOrder
    ) {
      self.listener = listener
      self.type = type
      self.key = key
      self.previous = previous
      self.value = value
      self.order = order
    }
  }

  @usableFromInline var box: Box

  /// The listener that is called.
  public var listener: ListenerID {
    @inlinable get { box.listener }
    set { box = Box(newValue, type, key, previous, value, order) }
  }
  /// Which of the listener's event types is raised; it determines what `key`, `previous` and
  /// `value` mean.
  public var type: EventType {
    @inlinable get { box.type }
    set { box = Box(listener, newValue, key, previous, value, order) }
  }
  /// The key of the child; for a value event the key of the location, `nil` at the root.
  public var key: Key? {
    @inlinable get { box.key }
    set { box = Box(listener, type, newValue, previous, value, order) }
  }
  /// Which child stands before this one. `none` for child_removed and value, which have none.
  public var previous: Previous {
    @inlinable get { box.previous }
    set { box = Box(listener, type, key, newValue, value, order) }
  }
  /// The child, or the whole location: as it is now, or for child_removed as it was last shown.
  public var value: Node {
    @inlinable get { box.value }
    set { box = Box(listener, type, key, previous, newValue, order) }
  }
  /// In which order a value event lists the children.
  public var order: ChildOrder {
    @inlinable get { box.order }
    set { box = Box(listener, type, key, previous, value, newValue) }
  }

  /// By default the event states neither a previous key nor an order of children.
  public init(
    _ type: EventType, to listener: ListenerID, key: Key?, previous: Previous = .none, value: Node,
    order: ChildOrder = .unstated
  ) {
    box = Box(listener, type, key, previous, value, order)
  }

  /// The key before a child, in the order of the listener's query (EVT-10).
  public enum Previous: Hashable, Sendable {
    /// This kind of event does not say.
    case none
    /// The child is the first.
    case first
    case key(Key)

    /// The key before a child that is in a window; `nil` makes it the first.
    public init(_ key: Key?) { self = key.map { .key($0) } ?? .first }
  }

  /// In which order a value event lists the children.
  public enum ChildOrder: Hashable, Sendable {
    /// The implementation does not report it.
    case unstated
    /// By this ordering; the list itself need not be written out.
    case sorted(Query.Ordering)
    case listed([Key])
  }
}

extension Event {
  public static func == (a: Event, b: Event) -> Bool {
    a.box === b.box
      || a.listener == b.listener && a.type == b.type && a.key == b.key && a.previous == b.previous
        && a.value == b.value && a.order == b.order
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(listener)
    hasher.combine(type)
    hasher.combine(key)
    hasher.combine(previous)
    hasher.combine(value)
    hasher.combine(order)
  }

  /// The keys of a value event's children in the order the client gives them, or `nil` when it
  /// gives none.
  ///
  /// - Complexity: O(*n* log *n*).
  public var childKeys: [Key]? {
    switch order {
    case .unstated: nil
    case let .sorted(ordering): ordering.keys(of: value.children)
    case let .listed(keys): keys
    }
  }

  /// Whether an application cannot distinguish the two. What a client does not report is no
  /// difference.
  package func agrees(with other: Event) -> Bool {
    type == other.type && key == other.key && value == other.value
      && (previous == other.previous || other.previous == .none)
      && (order == other.order || other.order == .unstated || childKeys == other.childKeys)
  }
}

/// An uncaught exception of a client.
public struct UncaughtException: Hashable, Sendable {
  /// What it says.
  public var message: String
  /// The class of it, such as `TypeError`; `nil` where the language has none.
  public var type: String?
  /// Where it was thrown, a line for each frame, the innermost first; empty where that is not known.
  public var stack: String

  /// Describes an exception by its message; the rest may not be known.
  public init(_ message: String, type: String? = nil, stack: String = "") {
    self.message = message
    self.type = type
    self.stack = stack
  }
}

extension UncaughtException: CustomStringConvertible {
  /// `TypeError: x is undefined`.
  public var description: String { type.map { "\($0): \(message)" } ?? message }
}

/// How a call ended.
public struct Completion: Hashable, Sendable {
  /// Why it failed; `nil` when it did not.
  public var error: ErrorCode?
  /// Of a transaction: whether its value was written. `nil` for other calls.
  public var committed: Bool?
  /// Of a transaction: the value that was written, or what the function saw when it aborted.
  public var value: Node?

  /// Without arguments it is a success without a value, as `ok` is.
  public init(error: ErrorCode? = nil, committed: Bool? = nil, value: Node? = nil) {
    self.error = error
    self.committed = committed
    self.value = value
  }

  /// A write was accepted.
  public static let ok = Completion()
}
