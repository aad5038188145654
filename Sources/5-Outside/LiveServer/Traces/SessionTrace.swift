public import ClientInterface
internal import Document
public import Faults
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
  /// By connection, what is under way, each with its event.
  private var leaving: [Int: [(event: Int, message: ClientMessage)]] = [:]
  private var departing: [Int: [(event: Int, message: ServerMessage)]] = [:]
  /// The connection that each client has, as far as it knows.
  private var current: [ClientIndex: Int] = [:]
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
    switch (record, client) {
    case let (.wrote(path, node, _), _): atServer(.serverWrite(path, node), nil, now)
    case let (.updated(path, changes, _), _): atServer(.serverUpdate(path, changes), nil, now)
    case let (.fault(fault), _): self.fault(fault, at: now)
    case let (.opened, client?): opened(connection, client, now)
    case let (.sent(text), client?):
      if let message = left(text, client, now) {
        atServer(.serverReceived(client, message.message), message.event, now)
      }
    case let (.left(text), client?):
      if let message = left(text, client, now) { leaving[connection, default: []].append(message) }
    case let (.arrived(message), client?):
      let left = takeFirst(of: &leaving[connection])?.event
      atServer(.serverReceived(client, message), left, now)
    case let (.departed(message), client?):
      let left = append(.serverSent(client, message), lastAtServer, now)
      departing[connection, default: []].append((left, message))
    case let (.garbled(text), client?): remark(text, client, now)
    case let (.received(text), client?): received(text, connection, client, now)
    case let (.closed(ending), client?): closed(ending, connection, client, now)
    case (_, nil): break
    }
  }

  private func takeFirst<Message>(
    of messages: inout [(event: Int, message: Message)]?
  ) -> (event: Int, message: Message)? {
    guard messages?.isEmpty == false else { return nil }
    return messages?.removeFirst()
  }

  private mutating func opened(_ connection: Int, _ client: ClientIndex, _ now: Instant) {
    // The server may learn later than its client that a connection is over.
    if current[client] != nil { input(client, .closed, lastAtClient[client], now) }
    current[client] = connection
    let asked = append(.output(client, .connect), lastAtClient[client], now)
    atServer(.serverOpened(client, session: "session\(connection)"), asked, now)
    input(client, .opened, asked, now)
  }

  private mutating func closed(
    _ ending: Effect.Ending, _ connection: Int, _ client: ClientIndex, _ now: Instant
  ) {
    for lost in leaving.removeValue(forKey: connection) ?? [] {
      append(.lostToServer(client, lost.message), lost.event, now)
    }
    for lost in departing.removeValue(forKey: connection) ?? [] {
      append(.lostToClient(client, lost.message), lost.event, now)
    }
    let isCurrent = current[client] == connection
    if isCurrent { current[client] = nil }
    let session = "session\(connection)"
    if isCurrent, ending == .client {
      let closed = append(.output(client, .disconnect), lastAtClient[client], now)
      return atServer(.serverClosed(client, session: session), closed, now)
    }
    atServer(.serverClosed(client, session: session), lastAtServer, now)
    if isCurrent { input(client, .closed, lastAtServer, now) }
  }

  /// A step of a scenario begins; what follows is stamped with its number.
  public mutating func step(_ number: Int, _ text: String, at now: Instant) {
    step = number
    append(.step(text), nil, now)
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
    append(.output(client, output), lastAtClient[client], now)
  }

  /// The network or the server changed.
  public mutating func fault(_ fault: IndexedFault, at now: Instant) {
    atServer(.fault(.fault(fault)), nil, now)
  }
}

extension SessionTrace {
  private mutating func left(
    _ text: String, _ client: ClientIndex, _ now: Instant
  ) -> (event: Int, message: ClientMessage)? {
    guard let json = try? JSON(parsing: Array(text.utf8)),
      let message = try? ClientMessage(json: json)
    else {
      remark(text, client, now)
      return nil
    }
    return (append(.output(client, .send(message)), lastAtClient[client], now), message)
  }

  private mutating func remark(_ text: String, _ client: ClientIndex, _ now: Instant) {
    let remark = "sent what the protocol does not have: \(text.prefix(400))"
    output(client, .log(remark), at: now)
  }

  private mutating func received(
    _ text: String, _ connection: Int, _ client: ClientIndex, _ now: Instant
  ) {
    guard let message = message(in: text) else { return }
    let left =
      takeFirst(of: &departing[connection])?.event
      ?? append(.serverSent(client, message), lastAtServer, now)
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
    lastAtClient[client] = append(.input(client, input), cause, now)
  }

  private mutating func atServer(_ kind: TraceEvent.Kind, _ cause: Int?, _ now: Instant) {
    lastAtServer = append(kind, cause, now)
  }

  @discardableResult
  private mutating func append(_ kind: TraceEvent.Kind, _ cause: Int?, _ now: Instant) -> Int {
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
