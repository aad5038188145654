public import Tree

extension JSON {
  /// Decodes one JSON text, such as a message.
  ///
  /// The limits are those of ``DocumentReader``. Members keep the order of the text, every number
  /// is a double, and −0 stays −0.
  ///
  /// - Throws: ``DocumentError`` with the first mistake.
  public init(parsing bytes: [UInt8]) throws(DocumentError) {
    self = try bytes.withUnsafeBufferPointer(JSON.outcome).value(of: bytes)
  }

  /// Decodes one JSON text, such as a message.
  ///
  /// - Throws: ``DocumentError`` with the first mistake.
  public init(parsing text: String) throws(DocumentError) {
    var copy = text
    self = try copy.withUTF8(JSON.outcome).value(of: Array(text.utf8))
  }

  /// Decodes one JSON text of up to so many bytes, which may be more than ``DocumentReader`` reads.
  ///
  /// - Throws: ``DocumentError`` with the first mistake.
  public init(parsing text: String, upTo limit: Int) throws(DocumentError) {
    var copy = text
    self = try copy.withUTF8 { JSON.outcome($0, upTo: limit) }.value(of: Array(text.utf8))
  }

  /// Decodes one JSON text of up to so many bytes, which may be more than ``DocumentReader`` reads.
  ///
  /// - Throws: ``DocumentError`` with the first mistake.
  public init(parsing bytes: [UInt8], upTo limit: Int) throws(DocumentError) {
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
    let text = Limits.withoutByteOrderMark(buffer)
    return PlainJSON.value(of: text).map { .value($0) } ?? Jansson.decode(text)
  }
}

extension Jansson.Outcome {
  /// The value; a text without one is read again by the reader that can report where and why.
  func value(of text: @autoclosure () -> [UInt8]) throws(DocumentError) -> JSON {
    if case let .value(value) = self { return value }
    if let error = DocumentReader.readJSON(text()).problems.first { throw error }
    // The reader finds every mistake that jansson finds; what is left is a lack of memory.
    let reason = if case let .refused(reason) = self { reason } else { "\(self)" }
    throw DocumentError(at: .start, JSONStructureError.refused(reason).message)
  }
}
