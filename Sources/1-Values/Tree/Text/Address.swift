/// An absolute address of a location: the host of a database and a path (REF-8).
public struct Address: Hashable, Sendable {
  /// The host of the database, with the port if one was given; in lower case when read from text.
  public var host: String
  /// The location within the database, its keys without percent escapes.
  public var path: Path

  /// Takes both parts as they are: the host is not put into lower case, and no key is judged.
  public init(host: String, path: Path) {
    self.host = host
    self.path = path
  }
}

extension Address {
  /// Reads `https://HOST/PATH`; `nil` for anything else, also with a query or a broken escape.
  ///
  /// An address without a path names the root. Keys are not judged; see `Path.problem`.
  public init?(_ text: String) {
    let schemes = ["https://", "http://"]
    guard let scheme = schemes.first(where: { text.hasPrefix($0) }) else { return nil }
    let rest = text.dropFirst(scheme.count).unicodeScalars
    let host = rest.prefix { $0 != "/" }
    guard !host.isEmpty, !rest.contains("?"), !rest.contains("#") else { return nil }
    var keys: [Key] = []
    for part in rest.dropFirst(host.count).split(separator: "/") {
      guard let bytes = String(part).utf8.percentDecoded,
        let key = String(validating: bytes, as: UTF8.self)
      else { return nil }
      keys.append(Key(key))
    }
    self.init(host: String(host).lowercased(), path: Path(keys))
  }

  /// `https://HOST/a/b`; of the root `https://HOST/`.
  ///
  /// All but letters, digits and `-._~` is percent-encoded as UTF-8.
  public var text: String {
    "https://\(host)/"
      + path.keys.map { $0.string.percentEncoded(except: "-._~") }.joined(separator: "/")
  }
}

extension String {
  /// With `%XX` for each byte of UTF-8 that is no letter or digit of ASCII and none of `marks`.
  package func percentEncoded(except marks: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isLetterOrDigit || marks.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Collection<UInt8> {
  /// The bytes with what `%XX` stands for; `nil` where two hexadecimal digits are missing behind a
  /// percent sign.
  package var percentDecoded: [UInt8]? {
    var plain: [UInt8] = []
    var rest = self[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue,
        let low = rest.popFirst()?.hexadecimalValue
      else { return nil }
      plain.append(high << 4 | low)
    }
    return plain
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  package var isLetterOrDigit: Bool { isLetter || isDigit }

  /// Whether it is a letter of ASCII.
  package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 32 }

  /// Whether it is a small letter or a digit of ASCII.
  package var isLowercaseOrDigit: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || isDigit }

  /// Whether it is a digit of ASCII.
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  fileprivate var hexadecimalValue: UInt8? {
    Character(Unicode.Scalar(self)).hexDigitValue.map { UInt8($0) }
  }
}
