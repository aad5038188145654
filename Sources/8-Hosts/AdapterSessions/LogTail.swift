/// The last lines of what a process wrote: as many as help, however much it was.
package struct LogTail {
  static let lines = 32
  static let width = 200

  private var finished: [String] = []
  private var current: [UInt8] = []

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        finish()
      } else if current.count < Self.width {
        current.append(byte)
      }
    }
  }

  /// The last lines, also one that has not ended.
  package var text: [String] {
    let rest = current.isEmpty ? [] : [String(decoding: current, as: UTF8.self)]
    return Array((finished + rest).suffix(Self.lines))
  }

  private mutating func finish() {
    finished.append(String(decoding: current, as: UTF8.self))
    current.removeAll(keepingCapacity: true)
    if finished.count > 2 * Self.lines { finished.removeFirst(Self.lines) }
  }
}
