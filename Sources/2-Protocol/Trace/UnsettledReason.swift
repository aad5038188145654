public import ClientInterface
public import Faults
public import Wire

/// Why a run does not settle: who waits for what, in order of the clients.
public struct UnsettledReason: Hashable, Sendable {
  /// Each thing that is waited for, or that goes on without end; empty where nothing is known.
  public var parts: [Part]

  /// States everything that is waited for.
  public init(_ parts: [Part]) { self.parts = parts }

  /// One thing that is waited for, or that goes on without end. Clients are called by their names.
  public enum Part: Hashable, Sendable {
    /// The client has not noticed that its connection is half-open.
    case unnoticedEnd(client: String)
    /// The client has asked for a connection, and there is no answer yet.
    case attempt(client: String)
    /// The client is connected, and the server has sent no hello.
    case hello(client: String)
    /// The client is going to ask for a connection.
    case nextAttempt(client: String, in: Interval)
    /// The client never asks for a connection, although its timer fires.
    case repeatedAttempts(Timer, every: Interval)
    /// A timer has not fired yet.
    case timer(Timer, in: Interval)
    /// A timer fires again and again.
    case repeatedTimer(Timer, every: Interval)
    /// A client and the server go on sending messages.
    case messages(client: String, last: Message)
    /// On a real clock: the client has not connected in this time.
    case noConnection(client: String, within: Interval)
    /// So many things happened without time moving.
    case standstill(count: Int, at: Interval, next: Next)
    /// So many messages and timers came without rest.
    case noRest(count: Int, next: Next)
    /// Nothing is scheduled that could change anything.
    case nothingScheduled
  }

  /// A timer of a client.
  public struct Timer: Hashable, Sendable {
    /// The client that set it.
    public var client: String
    /// What the client calls it.
    public var id: TimerID
    /// What the client waits for by it.
    public var purpose: TimerPurpose

    /// Names a timer.
    public init(of client: String, _ id: TimerID, _ purpose: TimerPurpose) {
      (self.client, self.id, self.purpose) = (client, id, purpose)
    }
  }

  /// A message by its direction.
  public enum Message: Hashable, Sendable {
    case toServer(ClientMessage)
    case toClient(ServerMessage)
  }

  /// What would have happened next in a run that cannot go on.
  public enum Next: Hashable, Sendable {
    case fault(IndexedFault)
    case messageToServer(client: String)
    case messageToClient(client: String)
    /// The answer to a request for a connection.
    case answer(client: String)
    /// The server notices the end of a connection.
    case end(client: String)
    case timer(Timer)
    /// A timer that is not known any more.
    case someTimer(client: String)
  }

  /// Whether it is no more than that clients have not noticed that nothing reaches them any more.
  public var isAboutSilence: Bool {
    !parts.isEmpty && parts.allSatisfy { if case .unnoticedEnd = $0 { true } else { false } }
  }

  /// The client that has something to do: the first of them.
  public var client: String? { parts.first?.client }
}

extension UnsettledReason.Part {
  /// The client that it is about, if it is about one.
  public var client: String? {
    switch self {
    case let .unnoticedEnd(client), let .attempt(client), let .hello(client),
      let .nextAttempt(client, _), let .messages(client, _), let .noConnection(client, _):
      client
    case let .repeatedAttempts(timer, _), let .timer(timer, _), let .repeatedTimer(timer, _):
      timer.client
    case .standstill, .noRest, .nothingScheduled: nil
    }
  }
}

// The words for it.

extension UnsettledReason {
  /// Everything that is waited for: `alice waits for a connection: the next attempt is in 12 s`.
  public var text: String {
    let words = parts.map(\.text).joined(separator: "; ")
    return Words.printed(words.isEmpty ? "the run does not settle" : words)
  }
}

extension UnsettledReason.Part {
  fileprivate var text: String {
    switch self {
    case let .unnoticedEnd(client): "\(client) has not noticed that its connection is half-open"
    case let .attempt(client): "\(client) waits for a connection: an attempt is under way"
    case let .hello(client): "\(client) waits for the hello of the server"
    case let .nextAttempt(client, interval):
      "\(client) waits for a connection: the next attempt is in \(interval.text)"
    case let .repeatedAttempts(timer, gap):
      "\(timer.client) waits for a connection: \(timer.text) fires every \(gap.text)"
    case let .timer(timer, interval): "\(timer.text) is due in \(interval.text)"
    case let .repeatedTimer(timer, gap): "\(timer.text) fires every \(gap.text)"
    case let .messages(client, last):
      "messages keep flowing between \(client) and the server: last \(last.summary)"
    case let .noConnection(client, interval):
      "\(client) has not connected within \(interval.text)"
    case let .standstill(count, time, next):
      "\(count) events happened at \(time.millisecondText) without time moving; "
        + "\(next.text) comes next"
    case let .noRest(count, next):
      "\(count) messages and timers came without rest; \(next.text) comes next"
    case .nothingScheduled: "nothing is scheduled"
    }
  }
}

extension UnsettledReason.Timer {
  /// `timer 3 (back-off) of alice`.
  fileprivate var text: String {
    let purpose = purpose == .other ? "" : " (\(purpose.rawValue))"
    return "timer \(id.number)\(purpose) of \(client)"
  }
}

extension UnsettledReason.Message {
  fileprivate var summary: String {
    switch self {
    case let .toServer(message): message.summary
    case let .toClient(message): message.summary
    }
  }
}

extension UnsettledReason.Next {
  fileprivate var text: String {
    switch self {
    case let .fault(fault): "the fault \"\(fault.text)\""
    case let .messageToServer(client): "a message from \(client) to the server"
    case let .messageToClient(client): "a message from the server to \(client)"
    case let .answer(client): "the answer to \(client), who asked for a connection,"
    case let .end(client): "the end of a connection of \(client)"
    case let .timer(timer): timer.text
    case let .someTimer(client): "a timer of \(client)"
    }
  }
}
