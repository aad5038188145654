internal import Faults
internal import ReferenceServer
internal import RunModel
internal import Wire

/// What has happened at a server that the network between it and its clients is to know.
///
/// With ``LiveServer/isDisturbed`` messages do not arrive by themselves: they are news, and the
/// caller who takes the news passes them on when it is time, or loses them.
enum ServerNotice: Sendable {
  /// A client has asked for a connection; `sendHello` lets the server know.
  case began(Int)
  /// A client has sent something; `deliver` lets it arrive.
  case arrived(Int, ClientMessage)
  /// The server has sent something; `emit` lets it arrive.
  case departing(ReferenceServer.Outgoing)
  /// A client has sent something into a connection that lets nothing through.
  case lost(Int)
  /// A client is gone; `finish` lets the server know.
  case left(Int)
  /// The server has forgotten a connection.
  case ended(Int)
  /// The server has answered a request, by whatever way it came.
  case answered(Request, ServerMessage.Response)
}

// What the network between the server and its clients does in place of the network.

extension LiveServer {
  mutating func notify(_ one: ServerNotice) {
    if isObserved { news.append(one) }
  }

  /// Reports how the server has answered a message.
  mutating func sendAnswers(
    to message: ClientMessage, in out: [ReferenceServer.Outgoing],
    of id: ReferenceServer.ConnectionID
  ) {
    guard isDisturbed, case let .request(number, request) = message else { return }
    for outgoing in out where outgoing.connection == id {
      guard case let .response(response) = outgoing.message, response.request == number else {
        continue
      }
      notify(.answered(request, response))
    }
  }

  /// The server learns of a connection, and sends hello.
  mutating func sendHello(_ number: Int) {
    guard let link = links[number], !link.hasReceivedHello else { return }
    links[number]?.hasReceivedHello = true
    if let previous = link.previous, links[previous]?.namespace == link.namespace,
      previous != number
    {
      end(previous, code: 1000, "the client has connected again")
    }
    record(
      .opened(
        Effect.Opening(
          dialect: link.dialect.rawValue, namespace: link.namespace, previous: link.previous,
          client: link.client)), number)
    let time = time
    var out: [ReferenceServer.Outgoing] = []
    namespaces[link.namespace]?.open(
      link.id, at: time, host: link.host, in: link.dialect, into: &out)
    transmit(out)
    for text in links[number]?.takeEarly() ?? [] {
      receive(message: text, from: number)
    }
  }

  /// Keeps what a client sends before the server knows of it.
  mutating func keepEarly(_ text: String, _ number: Int) {
    watch(number) { $0.judgeEarly() }
    links[number]?.keepEarly(text)
    if let bytes = links[number]?.earlyBytes, bytes > settings.bounds.message {
      refuse(number, 1009, "too much before the connection is open")
    }
  }

  /// The server notices that a connection has ended: what its client left for that is done.
  mutating func finish(_ number: Int, _ ending: Effect.Ending) {
    detach(number)
    let now = now
    watch(number) { $0.ended(at: now) }
    watches[number] = nil
    guard let link = remove(number) else { return }
    guard link.hasReceivedHello else { return }
    record(.closed(link.isLeaving ? .client : ending), number)
    let time = time
    var out: [ReferenceServer.Outgoing] = []
    namespaces[link.namespace]?.close(link.id, at: time, into: &out)
    transmit(out)
  }

  /// Forgets a connection, with what it keeps.
  private mutating func remove(_ number: Int) -> ProtocolConnection? {
    guard let link = links.removeValue(forKey: number) else { return nil }
    reading[number] = nil
    switch link.carrier {
    case let .segments(_, assembly): assembling -= assembly.size
    case let .engine(session): waitingBytes -= session.waitingBytes
    case let .longPoll(session):
      waitingBytes -= session.waitingBytes
      assembling -= session.assembling
    case .events: break
    }
    notify(.ended(number))
    return link
  }

  /// The sockets that carry a connection.
  func sockets(of number: Int) -> [Socket] {
    switch links[number]?.carrier {
    case let .segments(socket, _), let .events(socket, _):
      carried[socket] == number ? [socket] : []
    case let .engine(session):
      own([session.socket, session.candidate, session.poll], number)
    case let .longPoll(session): own([session.poll, session.handover?.socket], number)
    case nil: []
    }
  }

  private func own(_ sockets: [Socket?], _ number: Int) -> [Socket] {
    sockets.compactMap { $0 }.filter { carried[$0] == number || holders[$0] == number }
  }

  /// Forgets what carries a connection, and notifies no client.
  mutating func detach(_ number: Int) {
    for socket in sockets(of: number) { (carried[socket], holders[socket]) = (nil, nil) }
    forgetSession(of: number)
  }

  /// Breaks what carries a connection, without a word; the server does not learn of it.
  mutating func abandon(_ number: Int) {
    let sockets = sockets(of: number)
    detach(number)
    // 1006 is never sent: the caller closes without a word.
    for socket in sockets { effects.append(.close(socket, code: 1006, reason: "")) }
  }

  /// Lets keep-alives wait, or go on.
  mutating func stall(_ number: Int, _ isStalled: Bool) {
    guard links[number]?.isStalled != isStalled else { return }
    links[number]?.isStalled = isStalled
    if isStalled { return }
    for packet in links[number]?.takeUnanswered() ?? [] { enqueue(packet, number) }
  }

  /// Starts all namespaces again: their data stay, their connections are gone.
  mutating func restart(_ left: OnDisconnectFate) {
    for number in links.keys.sorted() {
      detach(number)
      watches[number] = nil
      if links[number]?.hasReceivedHello == true { record(.closed(.lost), number) }
      _ = remove(number)
    }
    // No client is connected that could receive what the connections left for their end.
    let time = time
    var out: [ReferenceServer.Outgoing] = []
    for name in namespaces.keys.sorted() {
      namespaces[name]?.restart(left, at: time, into: &out)
    }
  }

  /// Lets the server of each namespace act without a request, and sends the messages.
  mutating func everywhere(
    _ body: (inout ReferenceServer, inout [ReferenceServer.Outgoing]) -> Void
  ) -> Bool {
    var out: [ReferenceServer.Outgoing] = []
    for name in namespaces.keys.sorted() {
      guard var server = namespaces.removeValue(forKey: name) else { continue }
      body(&server, &out)
      namespaces[name] = server
    }
    transmit(out)
    return !out.isEmpty
  }

  /// Whether the end of a connection writes the time.
  func leavesTimestamp(_ number: Int) -> Bool {
    guard let link = links[number] else { return false }
    return namespaces[link.namespace]?.leavesTimestamp(link.id) ?? false
  }
}
