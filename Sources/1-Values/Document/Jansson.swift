import CJansson
import Tree

/// JSON text to values by way of jansson.
enum Jansson {
  enum Outcome {
    case value(JSON)
    /// It is JSON, but nested deeper than ``Limits/depth``.
    case tooDeep
    /// A number is too large for a double.
    case overflow
    /// Anything else, in jansson's own words.
    case refused(String)
  }

  /// Every number is decoded as a double, which keeps −0 and gives integers of any size a value.
  private static let flags =
    JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL

  /// Decodes a whole text, or a single token of one.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> Outcome {
    // jansson loses a NUL behind a number, and so would accept it.
    guard !text.contains(0) else { return .refused("NUL") }
    var error = json_error_t()
    let loaded = text.withMemoryRebound(to: CChar.self) { characters in
      json_loadb(characters.baseAddress, characters.count, Int(flags), &error)
    }
    guard let loaded else { return failure(error) }
    defer { json_decref(loaded) }
    return value(of: loaded, depth: 0).map(Outcome.value) ?? .tooDeep
  }

  private static func failure(_ error: json_error_t) -> Outcome {
    withUnsafeBytes(of: error.text) { text in
      // jansson keeps the kind of the error in the last byte of the message.
      if UInt32(text[text.count - 1]) == json_error_numeric_overflow.rawValue { return .overflow }
      return .refused(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
    }
  }

  /// - Returns: nil when it is nested too deeply.
  private static func value(of node: UnsafeMutablePointer<json_t>, depth: Int) -> JSON? {
    switch node.pointee.type {
    case JSON_OBJECT: depth < Limits.depth ? object(node, depth: depth + 1) : nil
    case JSON_ARRAY: depth < Limits.depth ? array(node, depth: depth + 1) : nil
    case JSON_STRING: .string(text(json_string_value(node), json_string_length(node)))
    case JSON_REAL: .number(json_real_value(node))
    case JSON_TRUE: .bool(true)
    case JSON_FALSE: .bool(false)
    default: .null
    }
  }

  /// The members in the order of the text: jansson's iterator keeps the order of insertion.
  private static func object(_ node: UnsafeMutablePointer<json_t>, depth: Int) -> JSON? {
    var members: [JSON.Member] = []
    members.reserveCapacity(json_object_size(node))
    var iterator = json_object_iter(node)
    while let current = iterator {
      guard let child = json_object_iter_value(current), let value = value(of: child, depth: depth)
      else { return nil }
      let name = text(json_object_iter_key(current), json_object_iter_key_len(current))
      members.append(JSON.Member(name, value))
      iterator = json_object_iter_next(node, current)
    }
    return .object(members)
  }

  private static func array(_ node: UnsafeMutablePointer<json_t>, depth: Int) -> JSON? {
    let count = json_array_size(node)
    var elements: [JSON] = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      guard let child = json_array_get(node, index), let value = value(of: child, depth: depth)
      else { return nil }
      elements.append(value)
    }
    return .array(elements)
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    UnsafeBufferPointer(start: start, count: count).withMemoryRebound(to: UInt8.self) { bytes in
      String(decoding: bytes, as: UTF8.self)
    }
  }
}
