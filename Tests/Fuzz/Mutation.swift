// Inputs that are text are changed as text as well: libFuzzer changes bytes, which seldom makes another
// number of a number, or a long name of a short one.

@_silgen_name("LLVMFuzzerMutate")
private func libFuzzerMutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maxSize: Int
) -> Int

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maxSize: Int, _ seed: CUnsignedInt
) -> Int {
  var mutation = Mutation(seed: seed, limit: maxSize)
  guard size > 0, mutation.chance(of: 2),
    let changed = mutation.changed(Array(UnsafeBufferPointer(start: data, count: size)))
  else { return libFuzzerMutate(data, size, maxSize) }
  let kept = changed.prefix(maxSize)
  for (index, byte) in kept.enumerated() { data[index] = byte }
  return kept.count
}

/// One change of a text: of a number, a word, a line or a length.
private struct Mutation {
  private var state: UInt64
  /// How many bytes can be used of what it makes.
  private let limit: Int

  init(seed: CUnsignedInt, limit: Int) { (state, self.limit) = (UInt64(seed), limit) }

  /// What programs take for granted of numbers, and is not so.
  private static let numbers = [
    "0", "-1", "1e15", "9e18", "-9e18", "1e19", "9007199254740993", "9223372036854775807",
    "-9223372036854775808", "18446744073709551616", "2147483648", "4294967296", "1e308", "1e-308",
    "1e999", "-0.0", "0.1", "1.5", "64", "65", "768", "100000",
  ]
  private static let lengths = [2, 16, 63, 64, 65, 255, 256, 769, 4096]

  mutating func chance(of count: Int) -> Bool { below(count) == 0 }

  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  private mutating func element<Element>(of array: [Element]) -> Element? {
    array.isEmpty ? nil : array[below(array.count)]
  }

  /// `nil` where a text has nothing of the kind.
  mutating func changed(_ text: [UInt8]) -> [UInt8]? {
    switch below(5) {
    case 0: replaceRun(of: text, Self.isOfNumber) { mutation, _ in mutation.number }
    case 1:
      replaceRun(of: text, Self.isOfWord) { mutation, words in
        mutation.element(of: words).map { Array(text[$0]) }
      }
    case 2: replaceRun(of: text, Self.isOfWord) { mutation, words in mutation.long(text, words) }
    default: changeLines(of: text)
    }
  }

  private var number: [UInt8]? {
    mutating get { element(of: Self.numbers).map { Array($0.utf8) } }
  }

  /// A word of the text, many times.
  private mutating func long(_ text: [UInt8], _ words: [Range<Int>]) -> [UInt8]? {
    guard let word = element(of: words), let times = element(of: Self.lengths) else { return nil }
    let useful = min(times, limit / word.count + 1)
    return Array(repeatElement(text[word], count: useful).joined())
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || byte == UInt8(ascii: "$")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }

  private mutating func replaceRun(
    of text: [UInt8], _ isPart: (UInt8) -> Bool,
    _ replacement: (inout Mutation, [Range<Int>]) -> [UInt8]?
  ) -> [UInt8]? {
    var runs: [Range<Int>] = []
    var start: Int?
    for index in 0...text.count {
      if index < text.count, isPart(text[index]) {
        start = start ?? index
      } else if let begun = start {
        runs.append(begun..<index)
        start = nil
      }
    }
    guard let run = element(of: runs), let new = replacement(&self, runs) else { return nil }
    return text[..<run.lowerBound] + new + text[run.upperBound...]
  }

  /// Leaves out a line, doubles it, or lets it change places with another one.
  private mutating func changeLines(of text: [UInt8]) -> [UInt8]? {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return nil }
    let (one, other) = (below(lines.count), below(lines.count))
    switch below(3) {
    case 0: lines.remove(at: one)
    case 1: lines.insert(lines[one], at: other)
    default: lines.swapAt(one, other)
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
