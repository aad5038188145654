import Dispatch
import Glibc
import ServerHost
import Synchronization
import Testing
import Tree
import WilddogSync

/// What needs real sockets, one test after the other: they share the application of the process.
@Suite(.serialized, .timeLimit(.minutes(10))) enum RealSocketTests {}

/// `kennel serve` in this process.
enum LocalServer {
  static func with(
    _ data: JSON = .null, port: Int = 0, _ body: (String) async throws -> Void
  ) async throws {
    WDGSync.callbackQueue = callbacks
    let finished = FinishedFlag()
    let port: Int = await withCheckedContinuation { continuation in
      DispatchQueue(label: "server").async {
        do {
          try serveLocally(data, port: port, until: { finished.value }) {
            continuation.resume(returning: $0)
          }
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    defer { finished.value = true }
    try await body("http://127.0.0.1:\(port)")
  }

  static let callbacks = DispatchQueue(label: "callbacks")
}

/// A flag that another thread looks at.
final class FinishedFlag: Sendable {
  private let flag = Mutex(false)
  var value: Bool {
    get { flag.withLock { $0 } }
    set { flag.withLock { $0 = newValue } }
  }
}

/// What a guide prints.
final class Printed: Sendable {
  private let printed = Mutex<[String]>([])
  var lines: [String] { LocalServer.callbacks.sync { printed.withLock { $0 } } }
  func print(_ line: String) { printed.withLock { $0.append(line) } }
}
