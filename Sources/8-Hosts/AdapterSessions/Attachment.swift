import Document
import Glibc
import System

/// An adapter that is started by hand, under a debugger for example: two named pipes in a
/// folder lead to it and back.
///
/// Opening a named pipe waits until its other end is opened, in an order that depends on the
/// shell; so both ends are opened here without waiting.
final class Attachment: AdapterTransport {
  private(set) var input: Int32?
  private(set) var streams: [ChildProcess.Stream: Int32] = [:]
  var hasEnded: Bool { streams[.output] == nil }
  var endingText: String? { hasEnded ? "its output was closed" : nil }

  /// Waits until an adapter has opened both pipes.
  ///
  /// - Parameters:
  ///   - folder: Where the pipes are, or are made: `in`, which the adapter reads, and `out`.
  ///   - warn: Receives the request to start the adapter.
  /// - Throws: `Failure.output` when there can be no pipes in the folder.
  init(in folder: String, warn: (String) -> Void) throws(Failure) {
    signal(SIGPIPE, SIG_IGN)
    try Files.makeDirectory(folder)
    let (there, back) = (Files.join(folder, "in"), Files.join(folder, "out"))
    for path in [there, back] { try Self.makePipe(path) }
    let output = open(back, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard output >= 0 else { throw .output(path: back, reason: Files.lastReason()) }
    streams[.output] = output
    warn(
      "waiting for an adapter; start it with its input from \(there) and its output to \(back):\n"
        + "  COMMAND < \(shellWord(there)) > \(shellWord(back))")
    // There is no reader before the adapter reads.
    while true {
      let descriptor = open(there, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        input = descriptor
        return
      }
      guard errno == ENXIO || errno == EINTR else {
        throw .output(path: there, reason: Files.lastReason())
      }
      usleep(20_000)
    }
  }

  private static func makePipe(_ path: String) throws(Failure) {
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else {
      throw .output(path: path, reason: Files.lastReason())
    }
  }

  deinit { destroy() }

  func closeInput() {
    if let input { Glibc.close(input) }
    input = nil
  }

  func close(_ stream: ChildProcess.Stream) {
    if let descriptor = streams[stream] { Glibc.close(descriptor) }
    streams[stream] = nil
  }

  /// The process belongs to the user who has started it: it sees its input end.
  func terminate() { closeInput() }

  func destroy() {
    closeInput()
    close(.output)
  }
}
