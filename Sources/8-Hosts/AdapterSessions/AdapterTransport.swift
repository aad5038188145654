import Glibc
import System

/// What an adapter looks like from here: descriptors, and an end.
protocol AdapterTransport: AnyObject {
  /// Where its input is written to; nil once it is closed.
  var input: Int32? { get }
  /// Where its output and its log are read from, as long as they are open.
  var streams: [ChildProcess.Stream: Int32] { get }
  /// Whether it has ended.
  var hasEnded: Bool { get }
  /// How it ended, in words; nil for one of which nothing is known.
  var endingText: String? { get }

  func closeInput()
  func close(_ stream: ChildProcess.Stream)
  /// Asks it to end.
  func terminate()
  /// Ends it, and all that it has started, and waits for that.
  func destroy()
}

extension ChildProcess: AdapterTransport {
  var endingText: String? { ending?.description }

  func terminate() { kill(SIGTERM) }

  /// The group still has its name as long as its first process was not waited for.
  func destroy() {
    kill(SIGKILL)
    _ = wait()
    Descendants.endOrphans()
  }
}
