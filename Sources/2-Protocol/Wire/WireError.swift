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

/// Reads the fields of one message and remembers whom to blame.
struct FieldReader {
  let sender: WireError.Sender
  let message: JSON

  func fail(_ reason: String) -> WireError {
    WireError(from: sender, reason, received: message.text)
  }

  func field(_ name: String, of json: JSON, in context: String) throws(WireError) -> JSON {
    guard json.members != nil else {
      throw fail("\(context) is \(json.kind), expected a mapping with \"\(name)\"")
    }
    guard let value = json[name] else { throw fail("\(context) has no \"\(name)\"") }
    return value
  }

  func text(_ name: String, of json: JSON, in context: String) throws(WireError) -> String {
    let value = try field(name, of: json, in: context)
    guard let text = value.string else {
      throw fail("\"\(name)\" of \(context) is \(value.kind), expected a string")
    }
    return text
  }

  func integer(_ name: String, of json: JSON, in context: String) throws(WireError) -> Int {
    let value = try field(name, of: json, in: context)
    guard let integer = value.integer else {
      throw fail("\"\(name)\" of \(context) is \(value.text), expected a whole number")
    }
    return integer
  }

  func path(of json: JSON, in context: String) throws(WireError) -> Path {
    Path(try text("p", of: json, in: context))
  }

  func tag(of json: JSON, in context: String) throws(WireError) -> Int? {
    json["t"] == nil ? nil : try integer("t", of: json, in: context)
  }

  func hash(of json: JSON, in context: String) throws(WireError) -> String? {
    json["h"] == nil ? nil : try text("h", of: json, in: context)
  }

  func assignments(of json: JSON, in context: String) throws(WireError) -> [Assignment] {
    let value = try field("d", of: json, in: context)
    guard let assignments = [Assignment](json: value) else {
      throw fail("\"d\" of \(context) is \(value.kind), expected a mapping of paths to values")
    }
    return assignments
  }
}
