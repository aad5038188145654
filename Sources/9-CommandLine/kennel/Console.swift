import Glibc
import Reports
import System

/// Standard output and standard error, unbuffered.
///
/// What is written is on its way when the call returns, so the two streams keep their order when
/// both lead to one file, and a run that is killed leaves everything that it said.
enum Console {
  /// Writes a result, for which the command was called.
  static func output(_ text: String) throws(Failure) {
    try write(text, to: STDOUT_FILENO)
  }

  /// Writes what is said about the work: progress, warnings, errors.
  static func message(_ text: String) {
    // There is nobody left to tell when standard error itself is closed.
    try? write(text, to: STDERR_FILENO)
  }

  /// Whether results are read by a person, who may be shown colours.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether the person asked for no colours, by setting `NO_COLOR` to anything.
  static var isColorless: Bool { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }

  /// How results are painted.
  static var palette: Palette { isTerminal && !isColorless ? .colour : .plain }

  private static func write(_ text: String, to descriptor: Int32) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        throw .fault("cannot write to file descriptor \(descriptor): \(Files.lastReason())")
      }
    }
  }
}
