internal import CNettle

extension Node {
  /// The hash by which client and server compare what they hold (HSH-2): base64 of a SHA-1, and
  /// the empty string for the empty node.
  ///
  /// - Complexity: O(*n* log *n*): children are hashed in priority order.
  public var hash: String {
    if isEmpty { return "" }
    var text: [UInt8] = []
    if let priority {
      text.append(contentsOf: "priority:".utf8)
      priority.writeHashText(to: &text)
      text.append(UInt8(ascii: ":"))
    }
    if let scalar {
      scalar.writeHashText(to: &text)
    } else {
      for key in Query(ordering: .priority).window(of: self).keys {
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: key.string.utf8)
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: children[key].hash.utf8)
      }
    }
    return base64(sha1(text))
  }
}

extension Scalar {
  /// `type:value`; numbers as the sixteen hexadecimal digits of their IEEE double (HSH-4).
  func writeHashText(to bytes: inout [UInt8]) {
    switch self {
    case let .bool(bool): bytes.append(contentsOf: "boolean:\(bool)".utf8)
    case let .number(number):
      bytes.append(contentsOf: "number:\(Fingerprint(bits: number.bitPattern))".utf8)
    case let .string(text): bytes.append(contentsOf: "string:\(text.string)".utf8)
    case let .serverValue(value): bytes.append(contentsOf: "deferred:\(value.json)".utf8)
    }
  }
}

/// The twenty bytes of the SHA-1 of `bytes`.
package func sha1(_ bytes: [UInt8]) -> [UInt8] {
  var context = sha1_ctx()
  nettle_sha1_init(&context)
  nettle_sha1_update(&context, bytes.count, bytes)
  var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
  nettle_sha1_digest(&context, digest.count, &digest)
  return digest
}

/// Standard base64 with padding.
package func base64(_ bytes: [UInt8]) -> String {
  let length = (bytes.count + 2) / 3 * 4
  var text = [CChar](repeating: 0, count: length)
  nettle_base64_encode_raw(&text, bytes.count, bytes)
  return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
