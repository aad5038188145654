internal import ClientInterface
internal import Faults
internal import ReferenceServer
internal import Trace
internal import Tree
internal import Wire

// What happens at the server, and the way back from there.

extension Simulator {
  /// A client's request for a connection arrives: it is accepted or refused, as the network is now.
  mutating func answerAttempt(of index: Int, cause: Int) {
    inFlight -= 1
    let host = participants[index].dialled
    if let refusal = refusal(of: index) {
      takeEffect(refusal.mark)
      participants[index].connection = .none
      give(.refused, to: index, cause: cause)
      return
    }
    let id = connections.open(for: index)
    participants[index].connection = .opened(id.number)
    let event = record(.serverOpened(ClientIndex(index), session: id.session), cause: cause)
    if serverSkew != .zero { takeEffect(serverFaults.takeSkewMark()) }
    server.open(id, at: serverClock, host: host, into: &outgoing)
    transmit(cause: event)
    sendHome(index, from: host, cause: event)
    give(.opened, to: index, cause: cause)
  }

  mutating func deliverToServer(at position: Int) {
    guard let flight = connections[position].toServer.removeFirst() else { return }
    inFlight -= 1
    let client = connections[position].client
    let event = record(.serverReceived(ClientIndex(client), flight.message), cause: flight.cause)
    if !faults.armed.isEmpty, case let .request(number, request) = flight.message {
      connections[position].asked[number] = request.action
    }
    let before = server.staleRefusalsLeft
    server.receive(flight.message, from: connections[position].id, at: serverClock, into: &outgoing)
    if serverFaults.waits { serverFaultsTakeEffect(flight.message, staleBefore: before) }
    transmit(cause: event)
  }

  mutating func deliverToClient(at position: Int) {
    guard let flight = connections[position].toClient.removeFirst() else { return }
    inFlight -= 1
    let number = connections[position].id.number
    let client = connections[position].client
    if case .hello = flight.message { participants[client].connection = .helloReceived(number) }
    give(.frame(flight.message), to: client, cause: flight.cause)
  }

  /// Lets a client know which message comes directly after the one that is about to arrive, where that is
  /// certain: both at this instant, with nothing in between, and no fault that waits for its moment. Only the
  /// client itself can keep the second from arriving, by closing its connection.
  mutating func announceNext(over arriving: ScheduledEvent, at position: Int) {
    guard connections[position].toClient.count > 1, let following = queue.first,
      following.due == now, following.kind == arriving.kind, !hasStalled, faults.armed.isEmpty,
      eventsAtThisInstant < eventLimit,
      let message = connections[position].toClient.second
    else { return }
    let client = participants[connections[position].client].client
    guard type(of: client) is any AnticipatingClient.Type else { return }
    (client as? any AnticipatingClient)?.expect(message)
  }

  /// The server's end of a connection closes: what the client left to be done then is done.
  mutating func closeServerSide(at position: Int, cause: Int) {
    let connection = connections.remove(at: position)
    let event = record(
      .serverClosed(ClientIndex(connection.client), session: connection.id.session), cause: cause)
    if serverSkew != .zero, server.leavesTimestamp(connection.id) {
      takeEffect(serverFaults.takeSkewMark())
    }
    server.close(connection.id, at: serverClock, into: &outgoing)
    transmit(cause: event)
  }

  /// Sends what the server has put into `outgoing`.
  mutating func transmit(cause: Int) {
    for index in outgoing.indices {
      let number = outgoing[index].connection.number
      guard let position = connections.index(of: number) else { continue }
      if outgoing[index].hasForms {
        let form = chooseForm(for: connections[position].client)
        for message in outgoing[index].messages(as: form) {
          transmit(message, at: position, cause: cause)
        }
      } else {
        transmit(outgoing[index].message, at: position, cause: cause)
      }
    }
    outgoing.removeAllKeepingStorage()
  }

  private mutating func chooseForm(for client: Int) -> WireForm {
    let forms = WireForm.allCases
    let ordinal = participants[client].sent.forms
    participants[client].sent.forms += 1
    if let index = form.flatMap(forms.firstIndex(of:)) {
      return forms[tape.take(index, .form, entity: client, ordinal: ordinal)]
    }
    return forms[tape.draw(.form, entity: client, ordinal: ordinal, arity: forms.count)]
  }

  private mutating func transmit(_ message: ServerMessage, at position: Int, cause: Int) {
    let client = connections[position].client
    let number = connections[position].id.number
    touchLink(to: client)
    let event = record(.serverSent(ClientIndex(client), message), cause: cause)
    guard connections[position].clientSide == .open, !connections[position].isDead else {
      takeEffect(connections[position].deathMark)
      record(.lostToClient(ClientIndex(client), message), cause: event)
      return
    }
    let latency = latencyToClient(of: client)
    let due = connections[position].toClient.due(after: latency, at: now)
    connections[position].toClient.append(message, cause: event)
    inFlight += 1
    schedule(
      ScheduledEvent(due: due, cause: event, client: Int32(client), kind: .toClient(Int32(number))))
  }
}
