public import ClientInterface
internal import Document
public import Trace
internal import Tree
internal import Wire

/// Builds the trace of what happens at a live server and, as far as is known, at the
/// applications of its clients.
///
/// It is not visible when a message leaves a client or arrives at one. It is taken for
/// instantaneous: what the server was sent, the client has done at the same moment, and what it
/// sends is there at once. What made something happen is not seen either. What the server does is
/// taken for the effect of what happened at it last, and what a client does for that of what it was
/// sent or asked last.
public struct SessionTrace: Sendable {
  /// What happened so far. It has no events when they are handed out as they come.
  public private(set) var trace: Trace
  /// The names of the clients, in order of their index.
  public private(set) var clients: [String]

  /// What the trace calls 0.
  public let start: Instant
  private var time = Interval.zero
  private var step = -1
  /// The last event that the server can have reacted to.
  private var lastAtServer: Int?
  /// The last message of the server, with its text.
  private var lastSent: (text: String, message: ServerMessage)?
  /// By client, the last event that it can have reacted to.
  private var lastAtClient: [ClientIndex: Int] = [:]
  /// What `fresh` hands out.
  private var waiting: [TraceEvent] = []

  /// - Parameters:
  ///   - clients: The names of the clients that are known; others can follow.
  ///   - start: What the trace calls 0.
  ///   - retention: With `hashOnly` the events are not kept, but handed out by ``fresh()``.
  public init(clients: [String], start: Instant, retention: Trace.Retention = .events) {
    self.clients = clients
    self.start = start
    trace = Trace(retention: retention)
  }

  /// Adds a client.
  ///
  /// - Parameter name: What it is called; another one is made of it when there is one of this name.
  /// - Returns: Its index.
  public mutating func addClient(_ name: String) -> ClientIndex {
    var free = name
    var number = 2
    while clients.contains(free) {
      free = "\(name)-\(number)"
      number += 1
    }
    clients.append(free)
    return ClientIndex(clients.count - 1)
  }

  /// The events since this was asked last, when they are not kept.
  public mutating func fresh() -> [TraceEvent] {
    defer { waiting = [] }
    return waiting
  }

  /// Takes what happened on a connection of a client.
  ///
  /// - Parameters:
  ///   - record: What happened.
  ///   - connection: The number of the connection.
  ///   - client: Whose connection it is; nil for what is about no client.
  ///   - now: When it happened.
  public mutating func take(
    _ record: Effect.Record, connection: Int, client: ClientIndex?, at now: Instant
  ) {
    let session = "session\(connection)"
    switch (record, client) {
    case let (.wrote(path, node, _), _): atServer(.serverWrite(path, node), nil, now)
    case let (.updated(path, changes, _), _): atServer(.serverUpdate(path, changes), nil, now)
    case let (.fault(text), _): fault(text, client, at: now)
    case let (.opened, client?):
      let asked = note(.output(client, .connect), lastAtClient[client], now)
      atServer(.serverOpened(client, session: session), asked, now)
      input(client, .opened, asked, now)
    case let (.sent(text), client?): sent(text, client, now)
    case let (.garbled(text), client?): remark(text, client, now)
    case let (.received(text), client?): received(text, client, now)
    case let (.closed(.client), client?):
      let closed = note(.output(client, .disconnect), lastAtClient[client], now)
      atServer(.serverClosed(client, session: session), closed, now)
    case let (.closed, client?):
      atServer(.serverClosed(client, session: session), lastAtServer, now)
      input(client, .closed, lastAtServer, now)
    case (_, nil): break
    }
  }

  /// A step of a scenario begins; what follows is stamped with its number.
  public mutating func step(_ number: Int, _ text: String, at now: Instant) {
    step = number
    note(.step(text), nil, now)
  }

  /// The application calls its client; with a cause, from inside a callback.
  public mutating func call(
    _ client: ClientIndex, _ id: CallID, _ operation: Operation, cause: Int? = nil, at now: Instant
  ) {
    input(client, .call(id, operation), cause, now)
  }

  /// The process of a client starts, or ends.
  public mutating func process(_ client: ClientIndex, _ input: ClientInput, at now: Instant) {
    self.input(client, input, nil, now)
  }

  /// The client did something that is not seen at the server.
  ///
  /// - Returns: The event.
  @discardableResult
  public mutating func output(
    _ client: ClientIndex, _ output: ClientOutput, at now: Instant
  ) -> Int {
    note(.output(client, output), lastAtClient[client], now)
  }

  /// The network or the server changed.
  public mutating func fault(_ text: String, _ client: ClientIndex?, at now: Instant) {
    atServer(.fault(text, client), nil, now)
  }
}

extension SessionTrace {
  private mutating func sent(_ text: String, _ client: ClientIndex, _ now: Instant) {
    guard let json = try? JSON(parsing: Array(text.utf8)),
      let message = try? ClientMessage(json: json)
    else { return remark(text, client, now) }
    let left = note(.output(client, .send(message)), lastAtClient[client], now)
    atServer(.serverReceived(client, message), left, now)
  }

  private mutating func remark(_ text: String, _ client: ClientIndex, _ now: Instant) {
    let remark = "sent what the protocol does not have: \(text.prefix(400))"
    output(client, .log(remark), at: now)
  }

  private mutating func received(_ text: String, _ client: ClientIndex, _ now: Instant) {
    guard let message = message(in: text) else { return }
    let left = note(.serverSent(client, message), lastAtServer, now)
    input(client, .frame(message), left, now)
  }

  /// What the server sends is often sent to many clients, one after the other: it is read once.
  private mutating func message(in text: String) -> ServerMessage? {
    if let lastSent, lastSent.text == text { return lastSent.message }
    guard let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
    let message = (try? ServerMessage(json: json)) ?? .other(json)
    lastSent = (text, message)
    return message
  }

  private mutating func input(
    _ client: ClientIndex, _ input: ClientInput, _ cause: Int?, _ now: Instant
  ) {
    lastAtClient[client] = note(.input(client, input), cause, now)
  }

  private mutating func atServer(_ kind: TraceEvent.Kind, _ cause: Int?, _ now: Instant) {
    lastAtServer = note(kind, cause, now)
  }

  @discardableResult
  private mutating func note(_ kind: TraceEvent.Kind, _ cause: Int?, _ now: Instant) -> Int {
    // A machine's clock may be set back; a trace goes on.
    time = max(time, now - start)
    let number = trace.append(kind, cause: cause, time: time, step: step)
    if trace.retention == .hashOnly {
      waiting.append(
        TraceEvent(sequence: number, cause: cause, time: time, step: step, kind: kind))
    }
    return number
  }
}
