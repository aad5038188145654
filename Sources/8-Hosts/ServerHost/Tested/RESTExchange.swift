import ClientEngine
import ClientMachine
import Document
import LiveServer
import Tree

/// One request of REST that a server elsewhere answers, on a connection of its own.
///
/// Unchecked: what changes is used on the thread of sockets only.
final class RESTExchange: @unchecked Sendable {
  /// How long the server may be silent before it has answered, in seconds.
  static let patience = 10.0

  private let request: HTTPRequest
  private let host: String
  private let report: @Sendable (Relay.Event) -> Void
  private var reader: AnswerReader
  private var line: ByteLine?
  /// Whether a stream of events has begun: it may be silent.
  private var isStream = false
  private var isOver = false
  /// How often something has arrived.
  private var arrivals = 0

  /// Asks, and reports what comes of it on the thread of sockets.
  init(
    _ request: HTTPRequest, of address: DatabaseAddress, below base: Path,
    _ report: @escaping @Sendable (Relay.Event) -> Void
  ) {
    (self.request, self.host, self.report) = (request, address.host, report)
    reader = AnswerReader(to: request, upTo: ResourceLimits().stored)
    let prefix = base.isRoot || request.path == Self.rules ? "" : "\(base)"
    let bytes = request.bytes(to: address.host, address.query, below: prefix)
    line = ByteLine.connect(to: address, sending: bytes) { [weak self] event in
      self?.take(event)
    }
    watchSilence()
  }

  /// Where the rules of a database are.
  static let rules = "/.settings/rules.json"

  /// Gives it up. Nothing is reported any more.
  func close() {
    line?.perform(after: 0) { [self] in end() }
  }

  private func end() {
    isOver = true
    line?.close()
  }

  private func watchSilence() {
    let before = arrivals
    line?.perform(after: Self.patience) { [weak self] in
      guard let self, !isOver, !isStream else { return }
      if arrivals != before { return watchSilence() }
      fail(504, "has not answered within \(Int(Self.patience)) s")
    }
  }

  private func take(_ event: ByteLine.Event) {
    if isOver { return }
    arrivals += 1
    switch event {
    case let .bytes(bytes): take(reader.take(bytes))
    case let .ended(reason):
      if arrivals == 1 { return fail(502, "is not reached: \(reason)") }
      take(reader.end())
      if !isOver { finish(.ended("it has closed the stream")) }
    }
  }

  private func take(_ events: [AnswerReader.Event]) {
    for event in events where !isOver {
      switch event {
      case let .answer(response): finish(.response(response))
      case let .begins(response):
        isStream = true
        report(.begun(response))
      case let .message(message): report(.message(message))
      case let .odd(text): report(.odd("an event that streams do not have: \(text)"))
      case let .broken(reason): fail(502, "does not answer as HTTP has it: \(reason)")
      }
    }
    if reader.isFinished, !isOver { finish(.ended("it has closed the stream")) }
  }

  private func fail(_ status: Int, _ reason: String) {
    let text = "the server at \(host) \(reason)"
    if isStream { return finish(.ended(text)) }
    report(.odd("\(request.method) \(request.path): \(text)"))
    finish(.response(HTTPResponse.error(status, text).open))
  }

  private func finish(_ event: Relay.Event) {
    end()
    report(event)
  }
}
