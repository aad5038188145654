package import ClientEngine
internal import Dispatch

/// A connection that carries bytes as they are.
///
/// Unchecked: it is made anywhere, and used on the thread of sockets only.
package final class ByteLine: @unchecked Sendable {
  package enum Event: Sendable {
    case bytes([UInt8])
    /// It is gone, or could not be made; nothing follows.
    case ended(String)
  }

  private let address: DatabaseAddress
  private let report: (Event) -> Void
  private var places: ArraySlice<String> = []
  private var exchange: Exchange?
  private var isOpen = false
  private var isOver = false

  private init(_ address: DatabaseAddress, _ report: @escaping (Event) -> Void) {
    (self.address, self.report) = (address, report)
  }

  /// Connects, sends some bytes, and reports what comes on the thread of sockets.
  package static func connect(
    to address: DatabaseAddress, sending bytes: [UInt8],
    _ report: @escaping @Sendable (Event) -> Void
  ) -> ByteLine {
    let line = ByteLine(address, report)
    DispatchQueue(label: "kennel.names").async {
      let found = Carrier.addresses(of: address.endpoint?.name ?? address.host)
      SocketThread.shared.perform {
        line.places = found[...]
        line.begin(bytes)
      }
    }
    return line
  }

  /// Does something with it after some seconds, on the thread of sockets.
  package func perform(after seconds: Double, _ task: @escaping @Sendable () -> Void) {
    SocketThread.shared.perform(after: seconds, task)
  }

  /// Closes it. Nothing is reported any more.
  package func close() {
    SocketThread.shared.perform { [self] in end() }
  }

  private func begin(_ bytes: [UInt8]) {
    if isOver { return }
    guard let place = places.popFirst() else { return finish("the name is not known") }
    let exchange = Exchange(.bytes) { [weak self] event in
      guard let self, !isOver else { return }
      switch event {
      case let .bytes(bytes): report(.bytes(bytes))
      case let .ended(reason): isOpen || places.isEmpty ? finish(reason) : begin(bytes)
      // What is sent arrives there, and must not be sent again.
      default: isOpen = true
      }
    }
    self.exchange = exchange
    exchange.send(bytes)
    exchange.begin(address, at: place, path: "/", trusting: nil)
  }

  private func end() {
    isOver = true
    exchange?.close()
    exchange = nil
  }

  private func finish(_ reason: String) {
    if isOver { return }
    end()
    report(.ended(reason))
  }
}
