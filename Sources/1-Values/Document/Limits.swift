/// What a text may be at most, whatever its format; these limits are the kit's own.
package enum Limits {
  static let bytes = DocumentReader.maxBytes

  /// How deep lists and mappings may be nested; it also bounds the recursion of the readers.
  package static let depth = 64

  /// How many values aliases may add to a document altogether.
  package static let aliasedNodes = 100_000

  /// The text without its byte order mark.
  ///
  /// - Throws: when it is too large or not UTF-8.
  static func checkedText(
    in bytes: UnsafeBufferPointer<UInt8>
  ) throws(DocumentError) -> UnsafeBufferPointer<UInt8> {
    guard bytes.count <= Limits.bytes else {
      throw DocumentError(at: .start, TextError.tooLarge(bytes: bytes.count).message)
    }
    let text = withoutByteOrderMark(bytes)
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: text.span)
    } catch {
      let offset = error.byteOffsets.lowerBound
      throw DocumentError(
        at: Position(ofByte: offset, in: text), TextError.notUTF8(byte: text[offset]).message)
    }
    return text
  }

  static func withoutByteOrderMark(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeBufferPointer(rebasing: bytes[3...]) : bytes
  }
}

/// What can be wrong with a text before its format matters, or in either format.
package enum TextError {
  case tooLarge(bytes: Int)
  case notUTF8(byte: UInt8)
  case tooDeep
  case notFinite(String)
  case duplicateKey(String, first: Position)
  case nulInKey

  package var message: String {
    switch self {
    case let .tooLarge(bytes):
      "the text has \(bytes) bytes; expected at most \(Limits.bytes); split it"
    case let .notUTF8(byte):
      "byte 0x\(hexadecimal(byte, digits: 2, .upper)) is not UTF-8; expected text in UTF-8; "
        + "save it in that encoding"
    case .tooDeep:
      "this is nested deeper than \(Limits.depth) levels; expected at most \(Limits.depth) lists "
        + "and mappings inside each other; make it flatter"
    case let .notFinite(text):
      "\(shown(text)) is too large or no number; numbers must be finite; "
        + "write a finite one, or a string in quotes"
    case let .duplicateKey(key, first):
      "key \(shown(key)) occurs twice, first at \(first); expected each key once; "
        + "remove or rename one of the two"
    case .nulInKey:
      "the key contains the character U+0000; expected a key without it; rename the key"
    }
  }
}

/// Text from the input as it appears in a message.
package func shown(_ text: String) -> String { quoted(text, upTo: 40) }
