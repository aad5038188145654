internal import ClientInterface
public import Trace
public import Tree
public import Wire

extension TraceEvent {
  /// The event as a line of a trace.
  ///
  /// - Parameters:
  ///   - clients: The names of the clients, in order of their index.
  ///   - dialect: The dialect of the run.
  /// - Returns: One member for each thing that is known of it, what happened as the last.
  public func json(clients: [String], _ dialect: Dialect) -> JSON {
    var members: [JSON.Member] = [.init("n", .number(Double(sequence)))]
    if let cause { members.append(.init("cause", .number(Double(cause)))) }
    members.append(.init("t", .number(time.milliseconds)))
    members.append(.init("step", .number(Double(step))))
    if let client = kind.client, clients.indices.contains(client.number) {
      members.append(.init("client", .string(clients[client.number])))
    }
    let content = kind.content(in: dialect)
    members.append(.init(content.verb, content.value))
    return .object(members)
  }
}

extension TraceEvent.Kind {
  /// What happened, as the one member that contains it.
  fileprivate func content(in dialect: Dialect) -> (verb: String, value: JSON) {
    switch self {
    case let .step(text): ("begins", .string(text))
    case let .input(_, input): ("in", input.json(in: dialect))
    case let .output(_, output): ("out", output.exactJSON(in: dialect))
    case let .serverReceived(_, message): ("serverIn", message.json(in: dialect))
    case let .serverSent(_, message): ("serverOut", message.json(in: dialect))
    case let .lostToServer(_, message): ("lostToServer", message.json(in: dialect))
    case let .lostToClient(_, message): ("lostToClient", message.json(in: dialect))
    case let .serverOpened(_, session): ("serverOpened", .string(session))
    case let .serverClosed(_, session): ("serverClosed", .string(session))
    case let .fault(incident): incident.content
    case let .serverWrite(path, node):
      ("serverWrite", ["path": .string(path.description), "value": node.json])
    case let .serverUpdate(path, assignments):
      ("serverUpdate", ["path": .string(path.description), "value": assignments.json])
    }
  }
}
