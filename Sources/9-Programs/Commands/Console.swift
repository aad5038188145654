package import Document
import Glibc
package import System

/// Standard output and standard error, unbuffered.
///
/// What is written is on its way when the call returns, so the two streams keep their order when
/// both lead to one file, and a run that is killed leaves everything that it said.
///
/// What is written may quote files and programs of others. So this is the one place through which
/// text reaches a terminal, and control characters stay text here: only line feeds, tabs and the
/// kit's own colours pass.
package enum Console {
  /// Writes a result, for which the command was called.
  package static func output(_ text: String) throws(Failure) {
    // What programs read stays as it is.
    try write(isTerminal ? harmless(text, palette) : text, to: STDOUT_FILENO)
  }

  /// Writes what is reported about the work: progress, warnings, errors.
  package static func message(_ text: String) {
    // There is nothing left to write to when standard error itself is closed.
    try? write(harmless(text, palette), to: STDERR_FILENO)
  }

  /// Writes over the last line of a terminal.
  fileprivate static func rewriteLine(_ text: String) {
    try? write("\r\u{1B}[K" + harmless(text, .plain), to: STDERR_FILENO)
  }

  /// Writes a warning: a line that begins with the name of the program.
  package static func warn(_ text: String) { message("kennel: \(text)\n") }

  /// Whether results are read by a person, who may be shown colours.
  package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether the person asked for no colours, by setting `NO_COLOR` to anything.
  package static var isColorless: Bool { getenv("NO_COLOR").map { $0.pointee != 0 } ?? false }

  /// How results are painted.
  package static var palette: Palette {
    if let value = getenv("KENNEL_COLOR").map({ String(cString: $0) }) {
      if value == "always" { return .colour }
      if value == "never" { return .plain }
    }
    return isTerminal && !isColorless ? .colour : .plain
  }

  /// Whether messages are read by a person at a terminal that can rewrite a line.
  package static var isInteractive: Bool {
    let kind = getenv("TERM").map { String(cString: $0) } ?? ""
    return isatty(STDERR_FILENO) == 1 && kind != "dumb" && !kind.isEmpty
  }

  /// How many columns the terminal of messages has.
  package static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String, to descriptor: Int32) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EPIPE {
        throw .closed
      } else if errno != EINTR {
        throw .fault("cannot write to file descriptor \(descriptor): \(Files.lastReason())")
      }
    }
  }
}

/// A line on standard error that shows how far some work is: rewritten on a terminal, else one of
/// several lines, or none.
package struct ProgressLine {
  /// How long a line stays at least, in nanoseconds; nil for no lines at all.
  private let pace: Int64?
  private let isTerminal: Bool
  private let width: Int
  private var last: Int64
  private var hasLine = false

  /// - Parameters:
  ///   - milliseconds: How long a line stays at least on a terminal that can write one again.
  ///   - seconds: How long it takes to the next line anywhere else; nil writes none there.
  package init(every milliseconds: Int64, elsewhere seconds: Int64?) {
    isTerminal = seconds == nil ? Console.isInteractive : isatty(STDERR_FILENO) == 1
    pace = isTerminal ? milliseconds * 1_000_000 : seconds.map { $0 * 1_000_000_000 }
    width = isTerminal ? max(20, Console.width - 1) : .max
    last = seconds == nil ? 0 : Measurement.now
  }

  /// Shows how far the work is, unless the last line is too new.
  package mutating func show(_ text: @autoclosure () -> String) {
    let now = Measurement.now
    guard let pace, now - last >= pace else { return }
    last = now
    let text = text()
    if isTerminal {
      Console.rewriteLine(String(text.prefix(width)))
    } else {
      Console.message(text + "\n")
    }
    hasLine = isTerminal
  }

  /// Leaves the line.
  package mutating func end() {
    if hasLine { Console.rewriteLine("") }
    hasLine = false
  }
}
