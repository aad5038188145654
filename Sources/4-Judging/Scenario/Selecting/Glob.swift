/// A pattern for the ids of scenarios: `limits/*`, `**/refill-*`, `queries/moved`.
///
/// `?` stands for one character and `*` for any number of them, both within one part of a path; `**`
/// stands for any number of characters and slashes. Everything else stands for itself, brackets
/// too: they are part of the ids of a matrix. A pattern without brackets also matches every
/// combination of a file that it matches.
public struct Glob: Hashable, Sendable, CustomStringConvertible {
  /// The pattern as it was written.
  public let text: String
  private let pieces: [Piece]
  /// Whether it can match only its own text, and the combinations of that file.
  private let isName: Bool

  private enum Piece: Hashable {
    case letter(Unicode.Scalar)
    case one
    case some
    case anything
  }

  /// Creates a pattern from any text; three or more stars in a row mean the same as `**`. Takes
  /// time linear in the length of the text.
  public init(_ text: String) {
    self.text = text
    var pieces: [Piece] = []
    for scalar in text.unicodeScalars {
      switch (scalar, pieces.last) {
      case ("*", .some(.some)): pieces[pieces.count - 1] = .anything
      case ("*", .some(.anything)): break
      case ("*", _): pieces.append(.some)
      case ("?", _): pieces.append(.one)
      default: pieces.append(.letter(scalar))
      }
    }
    self.pieces = pieces
    isName = !Self.isPattern(text)
  }

  public var description: String { text }

  /// Whether it can match more than one text: whether `*` or `?` is in it.
  public var isPattern: Bool { Self.isPattern(text) }

  /// Whether a text is meant as a pattern.
  public static func isPattern(_ text: String) -> Bool { text.contains { "*?".contains($0) } }

  /// Whether it matches the id of a scenario, or that of the file with all its combinations.
  ///
  /// Lists of known failures mostly name scenarios, and each name is compared with every id.
  public func matches(_ id: String) -> Bool {
    if isName { return matchesAsName(id) }
    return matchesAsPattern(id)
  }

  private func matchesAsName(_ id: String) -> Bool {
    guard id.utf8.starts(with: text.utf8) else { return false }
    let rest = id.utf8.dropFirst(text.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "[") && !text.utf8.contains(UInt8(ascii: "["))
  }

  /// Whether an id matches, for any text; slower than `matchesAsName`.
  func matchesAsPattern(_ id: String) -> Bool {
    if matches(Array(id.unicodeScalars)) { return true }
    guard !text.contains("["), let bracket = id.firstIndex(of: "[") else { return false }
    return matches(Array(id[..<bracket].unicodeScalars))
  }

  /// Matches piece by piece. After each, `prefixes` has for every length whether the pieces so far
  /// match so many first characters of the text.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of both.
  private func matches(_ text: [Unicode.Scalar]) -> Bool {
    var prefixes = [Bool](repeating: false, count: text.count + 1)
    prefixes[0] = true
    for piece in pieces {
      switch piece {
      case .some: prefixes = Self.spread(prefixes, over: text) { $0 != "/" }
      case .anything: prefixes = Self.spread(prefixes, over: text) { _ in true }
      case .one: prefixes = Self.step(prefixes, over: text) { $0 != "/" }
      case let .letter(letter): prefixes = Self.step(prefixes, over: text) { $0 == letter }
      }
    }
    return prefixes[text.count]
  }

  /// The prefixes that match when one more character follows that is right.
  private static func step(
    _ prefixes: [Bool], over text: [Unicode.Scalar], where isRight: (Unicode.Scalar) -> Bool
  ) -> [Bool] {
    [false] + text.indices.map { prefixes[$0] && isRight(text[$0]) }
  }

  /// The prefixes that match when any number of characters follow that are right.
  private static func spread(
    _ prefixes: [Bool], over text: [Unicode.Scalar], where isRight: (Unicode.Scalar) -> Bool
  ) -> [Bool] {
    var result = prefixes
    for index in text.indices where result[index] && isRight(text[index]) {
      result[index + 1] = true
    }
    return result
  }
}
