internal import ClientInterface
package import Trace

extension TraceEvent {
  var transit: MessageTransit? { kind.transit }

  /// Whether a message leaves here.
  var isSending: Bool { transit?.moment == .leaves }

  /// Whether a message ends here that never arrives.
  var isLoss: Bool { transit?.moment == .isLost }

  /// Whether something arrives here that left somewhere else: a message, or a request for a
  /// connection.
  var isArrival: Bool {
    if case .serverOpened = kind { true } else { transit?.moment == .arrives }
  }

  var isFault: Bool {
    if case .fault = kind { true } else { false }
  }

  var isRequestForConnection: Bool {
    switch kind {
    case .output(_, .connect), .output(_, .connectTo): true
    default: false
    }
  }

  /// Whether a listener receives something.
  var isRaised: Bool {
    switch kind {
    case .output(_, .event), .output(_, .cancelled): true
    default: false
    }
  }

  /// The listener that receives something.
  package var listener: String? {
    switch kind {
    case let .output(_, .event(event)): event.listener.name
    case let .output(_, .cancelled(listener, _)): listener.name
    default: nil
    }
  }
}
