/// The kinds of failure that are known already, as a file lists them: a signature on each line,
/// and behind a `#` why it is known. Empty lines and lines that begin with `#` say nothing.
public struct KnownSignatures: Hashable, Sendable {
  /// For each signature why it is known; empty where the file does not say.
  public private(set) var reasons: [String: String] = [:]

  /// No kind of failure is known.
  public init() {}

  /// A line that is no signature.
  public struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the file, from 1.
    public var line: Int
    /// The column in that line, in bytes from 1.
    public var column: Int
    /// What was found, what was expected, and how to correct it.
    public var description: String
  }

  /// Reads a file.
  ///
  /// - Throws: `Mistake` for the first line that is no signature.
  public init(text: String) throws(Mistake) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts[0].split(separator: " ")
      if words.isEmpty { continue }
      let signature = words.joined(separator: " ")
      if let column = Self.columnOfForeignCharacter(in: parts[0]) {
        throw Mistake(
          line: index + 1, column: column,
          description: "found \"\(signature)\"; expected a signature as a hunt reports it behind "
            + "FAIL, of small letters, digits, - and _; write what else there is to say behind a #")
      }
      reasons[signature] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
  }

  /// Whether failures with this signature are known.
  public func contains(_ signature: String) -> Bool { reasons[signature] != nil }

  private static func columnOfForeignCharacter(in text: Substring) -> Int? {
    text.utf8.enumerated().first { _, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): false
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"): false
      default: true
      }
    }.map { $0.offset + 1 }
  }
}
