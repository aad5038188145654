package import ClientInterface
package import Tree

/// Makes keys whose order is the order of time (PSH-2): eight characters for the millisecond, twelve
/// that are random, and one more than the last ones when the millisecond is the same (PSH-3).
package struct PushIDGenerator: Sendable {
  /// In the order of their codes, so that text order is numeric order.
  private static let alphabet = Array(
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

  private var lastTime: Int64 = -1
  /// The random characters of the last key; none before the first one.
  private var tail: [Int] = []
  private static let tailCount = 12

  package init() {}

  /// The next key. `time` is in milliseconds since 1970, by the server's clock as far as it is known.
  package mutating func next(at time: Double, random: inout RandomNumbers) -> Key {
    // 48 bits are written; a server with a broken clock must not stop its clients. Nor may a clock
    // that goes back make a key that comes before an older one (PSH-9).
    let milliseconds = max(lastTime, Int64(max(0, min(time, 0x1p48 - 1))))
    if milliseconds == lastTime {
      incrementTail()
    } else {
      tail = (0..<Self.tailCount).map { _ in Int(random.next() % 64) }
    }
    lastTime = milliseconds
    let head = (0..<8).reversed().map { Int(milliseconds >> (6 * Int64($0))) & 63 }
    return Key(String(decoding: (head + tail).map { Self.alphabet[$0] }, as: UTF8.self))
  }

  private mutating func incrementTail() {
    for index in tail.indices.reversed() {
      if tail[index] < 63 {
        tail[index] += 1
        return
      }
      tail[index] = 0
    }
  }
}
