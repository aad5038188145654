internal import Tree

/// A message that the protocol does not allow.
public struct WireError: Error, Hashable, Sendable {
  /// The side of the connection that sent the message.
  public enum Sender: String, Hashable, Sendable {
    case client
    case server
  }

  /// Who sent it.
  public var sender: Sender
  /// What is wrong: which field, what was found, what was expected.
  public var reason: String
  /// The message as it was received.
  public var received: String

  /// Makes an error that keeps `received` whole; only `description` cuts it, after 400 characters.
  public init(from sender: Sender, _ reason: String, received: String) {
    self.sender = sender
    self.reason = reason
    self.received = received
  }
}

extension WireError: CustomStringConvertible {
  public var description: String {
    let limit = 400
    let quoted =
      received.count > limit
      ? "\(received.prefix(limit))… (\(received.utf8.count) bytes)" : received
    return "the \(sender.rawValue) sent a message the protocol does not allow: \(reason);"
      + " received: \(quoted)"
  }
}

/// Reads the fields of one part of a message and remembers whom to blame.
struct FieldReader {
  let sender: WireError.Sender
  let message: JSON
  /// The mapping that is read.
  private let part: JSON
  /// How it is called.
  let context: String

  init(_ message: JSON, by sender: WireError.Sender) {
    self.init(message, "the message", message, sender)
  }

  private init(_ part: JSON, _ context: String, _ message: JSON, _ sender: WireError.Sender) {
    (self.part, self.context, self.message, self.sender) = (part, context, message, sender)
  }

  /// Reads another part of the same message.
  func entering(_ part: JSON, _ context: String) -> FieldReader {
    FieldReader(part, context, message, sender)
  }

  /// Reads the same part, and calls it otherwise.
  func called(_ context: String) -> FieldReader { entering(part, context) }

  func fail(_ reason: String) -> WireError {
    WireError(from: sender, reason, received: message.text)
  }

  /// What a field has that need not be there.
  subscript(name: String) -> JSON? { part[name] }

  func field(_ name: String) throws(WireError) -> JSON {
    guard part.members != nil else {
      throw fail("\(context) is \(part.kind), expected a mapping with \"\(name)\"")
    }
    guard let value = part[name] else { throw fail("\(context) has no \"\(name)\"") }
    return value
  }

  func text(_ name: String) throws(WireError) -> String {
    let value = try field(name)
    guard let text = value.string else {
      throw fail("\"\(name)\" of \(context) is \(value.kind), expected a string")
    }
    return text
  }

  func integer(_ name: String) throws(WireError) -> Int {
    let value = try field(name)
    guard let integer = value.integer else {
      throw fail("\"\(name)\" of \(context) is \(value.text), expected a whole number")
    }
    return integer
  }

  func path() throws(WireError) -> Path { Path(try text("p")) }

  func node() throws(WireError) -> Node { Node(json: try field("d")) }

  func tag() throws(WireError) -> Int? { part["t"] == nil ? nil : try integer("t") }

  func hash() throws(WireError) -> String? { part["h"] == nil ? nil : try text("h") }

  func query() throws(WireError) -> Query? {
    guard let json = part["q"] else { return nil }
    return try Query(json: json, reader: self)
  }

  func assignments() throws(WireError) -> [Assignment] {
    let value = try field("d")
    guard let assignments = [Assignment](json: value) else {
      throw fail("\"d\" of \(context) is \(value.kind), expected a mapping of paths to values")
    }
    return assignments
  }
}
