internal import CNettle

extension Node {
  /// The hash by which client and server compare what they hold (HSH-2): base64 of a SHA-1, and
  /// the empty string for the empty node.
  ///
  /// - Complexity: O(*n* log *n*): children are hashed in priority order.
  public var hash: String {
    var text: [UInt8] = []
    return hash(&text)
  }

  /// What is hashed stands at the end of `text` meanwhile, behind that of the nodes above.
  private func hash(_ text: inout [UInt8]) -> String {
    if isEmpty { return "" }
    let start = text.count
    if let priority {
      text.append(contentsOf: "priority:".utf8)
      priority.writeHashText(to: &text)
      text.append(UInt8(ascii: ":"))
    }
    if let scalar {
      scalar.writeHashText(to: &text)
    } else {
      for child in Query.Ordering.priority.entries(of: children) {
        text.append(UInt8(ascii: ":"))
        text.append(contentsOf: child.key.string.utf8)
        text.append(UInt8(ascii: ":"))
        let hash = child.node.hash(&text)
        text.append(contentsOf: hash.utf8)
      }
    }
    defer { text.removeLast(text.count - start) }
    return sha1(text[start...], base64)
  }
}

extension Scalar {
  /// `type:value`; numbers as the sixteen hexadecimal digits of their IEEE double (HSH-4).
  func writeHashText(to bytes: inout [UInt8]) {
    switch self {
    case let .bool(bool): bytes.append(contentsOf: (bool ? "boolean:true" : "boolean:false").utf8)
    case let .number(number):
      bytes.append(contentsOf: "number:".utf8)
      bytes.append(contentsOf: Fingerprint(bits: number.bitPattern).description.utf8)
    case let .string(text):
      bytes.append(contentsOf: "string:".utf8)
      bytes.append(contentsOf: text.string.utf8)
    case let .serverValue(value): bytes.append(contentsOf: "deferred:\(value.json)".utf8)
    }
  }
}

/// The twenty bytes of the SHA-1 of `bytes`.
package func sha1(_ bytes: [UInt8]) -> [UInt8] { sha1(bytes[...]) { Array($0) } }

private func sha1<Result>(
  _ bytes: ArraySlice<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
  var context = sha1_ctx()
  nettle_sha1_init(&context)
  bytes.withUnsafeBufferPointer { nettle_sha1_update(&context, $0.count, $0.baseAddress) }
  return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA1_DIGEST_SIZE)) { digest in
    nettle_sha1_digest(&context, digest.count, digest.baseAddress)
    return body(UnsafeBufferPointer(digest))
  }
}

/// Standard base64 with padding.
package func base64(_ bytes: [UInt8]) -> String { bytes.withUnsafeBufferPointer(base64) }

private func base64(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
  let length = (bytes.count + 2) / 3 * 4
  return String(unsafeUninitializedCapacity: length) { text in
    text.withMemoryRebound(to: CChar.self) { text in
      nettle_base64_encode_raw(text.baseAddress, bytes.count, bytes.baseAddress)
    }
    return length
  }
}
