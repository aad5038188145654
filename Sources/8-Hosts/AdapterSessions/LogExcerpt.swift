import System
import Tree

/// The first and the last lines of what a process wrote: a stack trace has its cause at either end.
package struct LogExcerpt {
  /// How much is kept of the whole, in bytes.
  static let limit = 1 << 20
  static let linesAtEachEnd = 16
  static let width = 200

  private var first: [String] = []
  private var last: [String] = []
  private var count = 0
  private var current: [UInt8] = []
  private var whole: [UInt8] = []

  package init() {}

  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    whole += bytes.prefix(Self.limit - whole.count)
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        finish()
      } else if byte == UInt8(ascii: "\t") {
        current += Array(repeating: UInt8(ascii: " "), count: 4)
      } else if current.count < Self.width {
        current.append(byte)
      }
    }
  }

  /// The lines, also one that has not ended; where some are left out, a line with their number.
  package var text: [String] {
    var all = self
    if !current.isEmpty { all.finish() }
    let end = all.last.suffix(Self.linesAtEachEnd)
    let omitted = all.count - all.first.count - end.count
    return all.first + (omitted > 0 ? ["... \(omitted) lines left out ..."] : []) + end
  }

  /// Writes the whole into a file where some lines are left out of the text; its name follows from what
  /// it has.
  ///
  /// - Returns: The file; nil where there is none: the directory may belong to another user.
  package func save() -> String? {
    let end = min(last.count, Self.linesAtEachEnd)
    guard count > first.count + end else { return nil }
    let text = String(decoding: whole, as: UTF8.self)
    let file = ".kennel/stderr-\(String(Fingerprint(of: text).bits, radix: 16)).log"
    do throws(Failure) {
      try Files.makeDirectory(of: file)
      try Files.write(text, to: file)
      return file
    } catch { return nil }
  }

  private mutating func finish() {
    let line = String(decoding: current, as: UTF8.self)
    current.removeAll(keepingCapacity: true)
    count += 1
    if first.count < Self.linesAtEachEnd { return first.append(line) }
    last.append(line)
    if last.count > 2 * Self.linesAtEachEnd { last.removeFirst(Self.linesAtEachEnd) }
  }
}
