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
      guard let key = Self.decoded(String(part)) else { return nil }
      keys.append(Key(key))
    }
    self.init(host: String(host).lowercased(), path: Path(keys))
  }

  /// `https://HOST/a/b`; of the root `https://HOST/`.
  ///
  /// All but letters, digits and `-._~` is percent-encoded as UTF-8.
  public var text: String {
    "https://\(host)/" + path.keys.map { Self.encoded($0.string) }.joined(separator: "/")
  }

  private static func encoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
