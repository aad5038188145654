/// The name of a listener, as the scenario that registered it calls it. Unique within a client.
public struct ListenerID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  public var name: String

  public init(_ name: String) { self.name = name }
  public init(stringLiteral value: String) { name = value }
  public static func < (a: ListenerID, b: ListenerID) -> Bool { a.name < b.name }
}

/// The name of a call that a client was asked to make. Unique within a client.
public struct CallID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  public var name: String

  public init(_ name: String) { self.name = name }
  public init(stringLiteral value: String) { name = value }
  public static func < (a: CallID, b: CallID) -> Bool { a.name < b.name }
}

/// A timer that a client asked for. The client chooses the numbers.
public struct TimerID: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  public var number: Int

  public init(_ number: Int) { self.number = number }
  public init(integerLiteral value: Int) { number = value }
  public static func < (a: TimerID, b: TimerID) -> Bool { a.number < b.number }
}

/// What a timer is for. The simulator does not wait for timers that only keep a connection alive,
/// nor for those that try again where the network is down.
public enum TimerPurpose: String, Hashable, Sendable {
  case backOff = "back-off"
  case keepAlive = "keep-alive"
  case other
}

/// Why an operation failed, in the field's lower-case names: `permission_denied`, `datastale`,
/// `disconnect`, `set`, `maxretry`, `invalid_path`, … (ERR-5).
public struct ErrorCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public var name: String

  /// Upper case becomes lower case: implementations differ in it and mean the same.
  public init(_ name: String) { self.name = name.lowercased() }
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { name }
}
