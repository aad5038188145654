public import Tree

/// A text is not JSON, or is beyond the limits of ``DocumentReader``; this is its first mistake.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public var position: Position
  public var message: String

  public init(position: Position, message: String) {
    self.position = position
    self.message = message
  }

  /// `LINE:COLUMN: MESSAGE`.
  public var description: String { "\(position): \(message)" }
}

extension JSON {
  /// Decodes one JSON text, such as a message.
  ///
  /// The limits are those of ``DocumentReader``. Members keep the order of the text, every number is
  /// a double, and −0 stays −0.
  ///
  /// - Throws: ``JSONError`` with the first mistake.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try JSON.decoded(buffer)
    }
  }

  /// Decodes one JSON text, such as a message.
  ///
  /// - Throws: ``JSONError`` with the first mistake.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Decodes without looking for places; only a text that turns out to be wrong is read again, by
  /// the reader that can tell where and why.
  private static func decoded(_ buffer: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSON {
    let outcome: Jansson.Outcome =
      buffer.count <= Limits.bytes
      ? Jansson.decode(Limits.withoutByteOrderMark(buffer)) : .refused("too large")
    if case let .value(value) = outcome { return value }
    if let problem = DocumentReader.readJSON(Array(buffer)).problems.first {
      throw JSONError(position: problem.position, message: problem.message)
    }
    throw JSONError(position: .start, message: JSONMistake.refused("\(outcome)").message)
  }
}
