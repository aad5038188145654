internal import Tree

/// The name of a listener, as the scenario that registered it calls it. Unique within a client.
public struct ListenerID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text that scenarios, traces and reports show for the listener; it also orders listeners.
  public let name: String
  /// A digest of the name, because tables ask for it with every event.
  private let digest: Fingerprint

  /// Accepts any text; that it is unique within the client is up to the caller.
  public init(_ name: String) {
    self.name = name
    digest = Fingerprint(of: name)
  }

  /// Lets a string literal stand for the listener of that name.
  public init(stringLiteral value: String) { self.init(value) }
  public static func < (a: ListenerID, b: ListenerID) -> Bool { a.name < b.name }
  public static func == (a: ListenerID, b: ListenerID) -> Bool {
    a.digest == b.digest && Text(a.name) == Text(b.name)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest.bits) }
  public func _rawHashValue(seed: Int) -> Int { digest.hashValue(seed: seed) }
}

/// The name of a call that a client was asked to make. Unique within a client.
public struct CallID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text that scenarios, traces and reports show for the call; it also orders calls.
  public let name: String
  /// A digest of the name, because tables ask for it with every event.
  private let digest: Fingerprint

  /// Accepts any text; that it is unique within the client is up to the caller.
  public init(_ name: String) {
    self.name = name
    digest = Fingerprint(of: name)
  }

  /// Lets a string literal stand for the call of that name.
  public init(stringLiteral value: String) { self.init(value) }
  public static func < (a: CallID, b: CallID) -> Bool { a.name < b.name }
  public static func == (a: CallID, b: CallID) -> Bool {
    a.digest == b.digest && Text(a.name) == Text(b.name)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest.bits) }
  public func _rawHashValue(seed: Int) -> Int { digest.hashValue(seed: seed) }
}

/// A timer that a client asked for. The client chooses the numbers.
public struct TimerID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// The client's own number for the timer; setting a timer with the same number again moves it.
  public var number: Int

  /// Accepts any number: it means something only to the client that chose it.
  public init(_ number: Int) { self.number = number }
  /// Lets an integer literal stand for the timer with that number.
  public init(integerLiteral value: Int) { number = value }
  public static func < (a: TimerID, b: TimerID) -> Bool { a.number < b.number }
}

/// What a timer is for, which decides whether a run waits for it before it counts as settled.
public enum TimerPurpose: String, CaseIterable, Hashable, Sendable {
  /// It tries again to connect. Waited for where that can succeed.
  case backOff = "back-off"
  /// It keeps a connection alive, or finds out whether it is. Not waited for.
  case keepAlive = "keep-alive"
  /// It closes a connection that nothing needs any more. Not waited for.
  case idle
  /// Anything else. Waited for.
  case other
}

/// Why an operation failed, in the field's lower-case names: `permission_denied`, `datastale`,
/// `disconnect`, `set`, `maxretry`, `invalid_path`, … (ERR-5).
public struct ErrorCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The code in lower case, such as `permission_denied`; an assignment is not converted.
  public var name: String

  /// Upper case becomes lower case: implementations differ in it and mean the same.
  public init(_ name: String) { self.name = name.lowercased() }
  /// Converts the literal to lower case, as `init(_:)` does.
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { name }
}

/// A client of a run: its position in the scenario's list of clients.
public struct ClientIndex: Hashable, Comparable, Sendable {
  /// The position from 0, in the order in which the scenario lists its clients.
  public var number: Int

  /// Accepts any number; whether the run has such a client is not checked.
  @inlinable
  public init(_ number: Int) { self.number = number }
  @inlinable
  public static func < (a: ClientIndex, b: ClientIndex) -> Bool { a.number < b.number }
}
