/// A regular expression of the documented subset, ready to be matched.
///
/// It matches in time proportional to its size and the length of the text: nothing is tried twice.
struct Pattern: Sendable {
  /// What a step of the match does.
  enum Instruction: Sendable {
    /// Takes one character, if it is one of these.
    case take(CharacterSet)
    /// Goes on at both.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  /// As it is written.
  let source: String
  private let ignoresCase: Bool
  private let isAnchoredAtStart: Bool
  private let isAnchoredAtEnd: Bool
  private let program: [Instruction]

  init(_ source: String, ignoresCase: Bool) throws(ExpressionError) {
    var parser = PatternParser(source)
    program = try parser.program()
    self.source = source
    self.ignoresCase = ignoresCase
    isAnchoredAtStart = parser.isAnchoredAtStart
    isAnchoredAtEnd = parser.isAnchoredAtEnd
  }

  /// Whether a part of the text matches; all of it, where the pattern has anchors.
  func matches(_ text: String) -> Bool {
    var current: [Int] = []
    var marks = [Int](repeating: -1, count: program.count)
    var step = 0
    add(0, to: &current, &marks, step)
    for scalar in text.unicodeScalars {
      if !isAnchoredAtEnd, hasMatch(current) { return true }
      step += 1
      var following: [Int] = []
      for position in current {
        guard case let .take(set) = program[position], set.has(scalar, ignoresCase: ignoresCase)
        else { continue }
        add(position + 1, to: &following, &marks, step)
      }
      if !isAnchoredAtStart { add(0, to: &following, &marks, step) }
      current = following
      if current.isEmpty { return false }
    }
    return hasMatch(current)
  }

  private func hasMatch(_ positions: [Int]) -> Bool {
    positions.contains { if case .match = program[$0] { true } else { false } }
  }

  /// Adds a position and those that are reached from it without a character, each once in a step.
  private func add(_ start: Int, to positions: inout [Int], _ marks: inout [Int], _ step: Int) {
    var waiting = [start]
    while let position = waiting.popLast() {
      if marks[position] == step { continue }
      marks[position] = step
      switch program[position] {
      case let .split(first, second): waiting += [second, first]
      case let .jump(target): waiting.append(target)
      case .take, .match: positions.append(position)
      }
    }
  }
}

/// Characters that a step of a pattern may take.
struct CharacterSet: Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var isInverted = false

  static let any = CharacterSet(isInverted: true)
  static let digits: [ClosedRange<Unicode.Scalar>] = ["0"..."9"]
  static let word: [ClosedRange<Unicode.Scalar>] = ["0"..."9", "A"..."Z", "_"..."_", "a"..."z"]
  static let space: [ClosedRange<Unicode.Scalar>] = ["\t"..."\r", " "..." "]

  init(_ ranges: [ClosedRange<Unicode.Scalar>] = [], isInverted: Bool = false) {
    self.ranges = ranges
    self.isInverted = isInverted
  }

  func has(_ scalar: Unicode.Scalar, ignoresCase: Bool) -> Bool {
    if ranges.contains(where: { $0.contains(scalar) }) { return !isInverted }
    if ignoresCase {
      let variants = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
      for case let variant? in variants.map(\.unicodeScalars.first)
      where ranges.contains(where: { $0.contains(variant) }) {
        return !isInverted
      }
    }
    return isInverted
  }

  /// The characters that are in none of the ranges.
  static func complement(
    of ranges: [ClosedRange<Unicode.Scalar>]
  ) -> [ClosedRange<Unicode.Scalar>] {
    var result: [ClosedRange<Unicode.Scalar>] = []
    var next: UInt32 = 0
    func add(_ low: UInt32, _ high: UInt32) {
      guard low <= high, let first = Unicode.Scalar(low), let last = Unicode.Scalar(high) else {
        return
      }
      result.append(first...last)
    }
    for range in ranges {
      if range.lowerBound.value > 0 { add(next, range.lowerBound.value - 1) }
      next = range.upperBound.value + 1
    }
    add(next, 0x10FFFF)
    return result
  }
}
