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
    self = try bytes.withUnsafeBufferPointer(JSON.outcome).value(of: bytes)
  }

  /// Decodes one JSON text, such as a message.
  ///
  /// - Throws: ``JSONError`` with the first mistake.
  public init(parsing text: String) throws(JSONError) {
    var copy = text
    self = try copy.withUTF8(JSON.outcome).value(of: Array(text.utf8))
  }

  /// Decodes one JSON text of up to so many bytes, which may be more than ``DocumentReader`` reads.
  ///
  /// - Throws: ``JSONError`` with the first mistake.
  public init(parsing bytes: [UInt8], upTo limit: Int) throws(JSONError) {
    let outcome = bytes.withUnsafeBufferPointer { JSON.outcome($0, upTo: limit) }
    self = try outcome.value(of: bytes)
  }

  private static func outcome(_ buffer: UnsafeBufferPointer<UInt8>) -> Jansson.Outcome {
    outcome(buffer, upTo: Limits.bytes)
  }

  private static func outcome(
    _ buffer: UnsafeBufferPointer<UInt8>, upTo limit: Int
  ) -> Jansson.Outcome {
    guard buffer.count <= limit else { return .refused("too large") }
    return Jansson.decode(Limits.withoutByteOrderMark(buffer))
  }
}

extension Jansson.Outcome {
  /// The value; a text without one is read again by the reader that can tell where and why.
  func value(of text: @autoclosure () -> [UInt8]) throws(JSONError) -> JSON {
    if case let .value(value) = self { return value }
    if let problem = DocumentReader.readJSON(text()).problems.first {
      throw JSONError(position: problem.position, message: problem.message)
    }
    // The reader finds every mistake that jansson finds; what is left is a lack of memory.
    let reason = if case let .refused(reason) = self { reason } else { "\(self)" }
    throw JSONError(position: .start, message: JSONMistake.refused(reason).message)
  }
}
