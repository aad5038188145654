import AdapterProtocol
import AdapterSessions
import ClientInterface
import Conformance
import Document
import HTTP
import LiveServer
import LiveTraces
import ServerHost
import System
import Trace
import Tree
import Wire

// What is seen of the network, and what clients do.

extension RealClockRun: SocketObserver {
  var now: Instant { clock.now }

  func receive(_ record: Effect.Record, of connection: Int) {
    if case let .opened(opening) = record {
      let name = opening.client ?? loop.currentClient
      connections[connection] = name.flatMap { judge.index(of: $0) }
    }
    let owner = connections[connection]
    session.take(record, connection: connection, client: owner, at: clock.now)
    guard let client = owner else { return }
    switch record {
    case .opened: actors[client.number].connections.insert(connection)
    case .closed: actors[client.number].connections.remove(connection)
    case .sent, .left, .arrived, .departed, .garbled, .received, .wrote, .updated, .fault: break
    }
    hasActivity = true
  }

  func reportProblem(_ text: String, of connection: Int) {
    guard let client = connections[connection] else { return }
    session.output(client, .log("the server: " + text), at: clock.now)
  }

  func delivers() { hasDelivered = true }

  func hasInput() {}

  /// Carries what is for a client without sockets of its own.
  func deliver(_ piece: Channel.Piece, to socket: Socket) {
    guard let index = actors.firstIndex(where: { $0.socket == socket }) else { return }
    hasDelivered = true
    switch piece {
    case let .frame(bytes):
      let frame = String(decoding: bytes, as: UTF8.self)
      guard let text = actors[index].assembler.receive(frame),
        let json = try? JSON(parsing: Array(text.utf8)),
        let message = try? ServerMessage(json: json)
      else { return }
      actors[index].pendingMessages.append(.frame(message))
    case .close:
      actors[index].socket = nil
      actors[index].pendingMessages.append(.closed)
      loop.perform { $0.closed(socket) }
    case .bytes, .end: break
    }
  }
}

extension RealClockRun {
  /// Takes what a client has done.
  func take(_ output: ClientOutput, of client: ClientIndex) {
    guard actors[client.number].isRunning else { return }
    switch output {
    case let .store(key, text): actors[client.number].storage[key] = text
    case let .erase(key): actors[client.number].storage[key] = nil
    case .connect, .connectTo: connect(client.number)
    case .disconnect: disconnect(client.number)
    case let .send(message): send(message, of: client.number)
    case let .calling(call): recordNested(call, of: client)
    case .event, .cancelled, .completed, .answered, .threw, .updateRan, .returned, .uncaught, .log,
      .setTimer, .cancelTimer:
      session.output(client, output, at: clock.now)
    }
    hasActivity = true
  }

  private func recordNested(_ call: CallID, of client: ClientIndex) {
    let event = session.output(client, .calling(call), at: clock.now)
    guard let operation = actors[client.number].nestedCalls[call] else { return }
    session.call(client, call, operation, cause: event, at: clock.now)
    follow(operation, of: client)
  }

  /// Follows what a call changes without an output.
  func follow(_ operation: Operation, of client: ClientIndex) {
    if let isOnline = operation.isOnline { actors[client.number].isTakenOffline = !isOnline }
    for call in operation.nestedCalls {
      actors[client.number].nestedCalls[call.id] = call.operation
    }
  }

  private func connect(_ index: Int) {
    disconnect(index)
    var request = HTTPRequest(
      "GET", "/.ws",
      [
        .init("v", "5"), .init("ns", Self.namespace), .init("client", actors[index].name),
      ], headers: ["host": "127.0.0.1:\(actors[index].port)"])
    request.client = actors[index].name
    // Asking for a refusal begins the namespace.
    guard !loop.perform({ $0.refuses(request) }),
      loop.live.server.refusal(ofSocketFor: request) == nil
    else { return actors[index].pendingMessages.append(.refused) }
    let socket = loop.newSocket()
    actors[index].socket = socket
    actors[index].assembler = SegmentAssembler()
    actors[index].pendingMessages.append(.opened)
    loop.perform { $0.open(socket, for: request) }
  }

  private func disconnect(_ index: Int) {
    guard let socket = actors[index].socket else { return }
    actors[index].socket = nil
    loop.perform { $0.closed(socket) }
  }

  private func send(_ message: ClientMessage, of index: Int) {
    guard let socket = actors[index].socket else { return }
    for frame in Segments.frames(of: message.json(in: .firebase).text) {
      loop.perform { $0.receive(frame, from: socket) }
    }
  }
}
