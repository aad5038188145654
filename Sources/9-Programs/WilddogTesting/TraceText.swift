internal import ClientInterface
internal import Simulator
internal import Trace

extension Simulator {
  /// What has happened, a line for each event that says something to the author of an application: no timers,
  /// nothing of the storage, and each message once, where it is sent or where it arrives at a device.
  func text(last limit: Int) -> String {
    let shown = trace.events.filter { $0.concernsApplications }
    let lines = shown.suffix(limit).map { event in
      let route = event.route(names: names)
      let time = event.time.millisecondText
      return Self.padded(front: time, 12) + "  " + Self.padded(route, 20) + "  " + event.text
    }
    let omitted = shown.count - lines.count
    return (omitted > 0 ? ["  (\(omitted) events before)"] + lines : lines).joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func padded(front text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension TraceEvent {
  fileprivate var concernsApplications: Bool {
    switch kind {
    case let .input(_, input): !input.isTimer
    case let .output(_, output):
      switch output.topic {
      case .timer, .storage: false
      case .connect, .send, .disconnect, .listener, .call, .nesting, .uncaught, .remark: true
      }
    case .serverReceived, .serverSent, .serverOpened, .step: false
    case .serverClosed, .lostToServer, .lostToClient, .fault, .serverWrite, .serverUpdate: true
    }
  }
}
