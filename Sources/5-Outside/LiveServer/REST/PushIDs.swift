internal import ClientInterface

/// Makes the names of children that clients add without naming them: later ones sort after earlier
/// ones (PSH-2, PSH-3).
struct PushIDs: Sendable {
  private static let alphabet = Array(
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

  private var last: Int64 = 0
  private var digits = [Int](repeating: 0, count: 12)

  /// The next name. A clock that goes back does not make smaller ones.
  mutating func next(at now: Instant, _ random: inout RandomNumbers) -> String {
    let time = max(last, now.nanoseconds / 1_000_000)
    if time == last {
      increment()
    } else {
      digits = digits.map { _ in Int(random.next() % 64) }
      last = time
    }
    let head = (0..<8).map { Self.alphabet[Int(time >> (6 * (7 - Int64($0))) & 63)] }
    return String(decoding: head + digits.map { Self.alphabet[$0] }, as: UTF8.self)
  }

  private mutating func increment() {
    for index in digits.indices.reversed() {
      digits[index] = (digits[index] + 1) % 64
      if digits[index] != 0 { return }
    }
  }
}
