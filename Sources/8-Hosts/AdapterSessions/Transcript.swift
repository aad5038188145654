import Glibc
import System

/// A file with every line that was exchanged with an adapter: `> ` before what the kit wrote, `< `
/// before what came back.
package final class Transcript {
  private let descriptor: Int32
  private let path: String
  private var isAtStart = true

  /// - Throws: `Failure.output` when the file cannot be made.
  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .output(path: path, reason: Files.lastReason()) }
  }

  deinit { close(descriptor) }

  /// Adds bytes of one direction, which need not be whole lines.
  func append(_ direction: String, _ bytes: some Collection<UInt8>) {
    var text: [UInt8] = []
    let mark = Array((direction + " ").utf8)
    for byte in bytes {
      if isAtStart { text += mark }
      text.append(byte)
      isAtStart = byte == UInt8(ascii: "\n")
    }
    // A full disk is no reason to judge a client differently.
    try? Files.write(text[...], to: descriptor) { .output(path: path, reason: $0) }
  }
}
