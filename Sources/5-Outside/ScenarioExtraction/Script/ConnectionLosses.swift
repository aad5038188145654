internal import Wire

/// Which writes of a client were lost, or had an answer that was lost, with a connection.
struct ConnectionLosses {
  struct Loss {
    /// The first write that the server did, but whose client did not receive the answer.
    var answer: Int?
    /// The first write that the server did not receive.
    var request: Int?
    /// Whether `answer` is the first write of its connection, and is made because it was lost before.
    var beginsAgain = false
  }

  /// By connection; none where nothing was lost. Writes are positions among what was sent.
  private(set) var byConnection: [Int: Loss] = [:]

  init(of client: Int, in timeline: Timeline) {
    var lost: [Request] = []
    var connection = -1
    var unanswered: [Request] = []
    var writes = 0
    for (index, sent) in timeline.sent.enumerated() where sent.client == client {
      if sent.connection != connection {
        (lost, unanswered) = (unanswered, [])
        (connection, writes) = (sent.connection, 0)
      }
      guard let request = sent.request, request.isWrite else { continue }
      writes += 1
      if sent.answer != nil { continue }
      unanswered.append(request)
      if sent.arrival == nil {
        if byConnection[connection]?.request == nil {
          byConnection[connection, default: Loss()].request = index
        }
      } else if byConnection[connection]?.answer == nil {
        byConnection[connection, default: Loss()].answer = index
        byConnection[connection]?.beginsAgain = writes == 1 && lost.contains(request)
      }
    }
  }
}

extension Request {
  /// Whether a client that connects again makes it again, when it had no answer.
  fileprivate var isWrite: Bool {
    switch self {
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel: true
    case .listen, .unlisten, .get, .stats, .authenticate, .unauthenticate: false
    }
  }
}
