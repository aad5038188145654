internal import ClientInterface
internal import ReferenceServer
internal import Trace
internal import Tree
internal import Wire
internal import WireMonitor

// Who is connected, as the page and the port for control report it.

extension Dashboard {
  /// How much is sent to the page.
  struct Bounds {
    var connections = Int.max
    var each = Int.max

    static let page = Bounds(connections: 200, each: 50)
  }

  /// Everybody who is connected, oldest first.
  func connections(_ live: FaultyServer, _ bounds: Bounds = Bounds()) -> JSON {
    .array(
      live.server.links.keys.sorted().prefix(bounds.connections).compactMap { number in
        live.server.links[number].map { connection(number, $0, live, bounds) }
      })
  }

  /// The same for the page, with those that ended lately, and which namespaces there are.
  func overview(_ live: FaultyServer) -> JSON {
    [
      "time": .number(live.now.milliseconds),
      "namespaces": .array(live.server.namespaces.keys.sorted().map { .string($0) }),
      "count": .number(Double(live.server.links.count)),
      "connections": connections(live, .page),
      "ended": .array(ended.reversed().map { .object(members(of: $0, live)) }),
    ]
  }

  private func members(of tally: TrafficCounts, _ live: FaultyServer) -> [JSON.Member] {
    let client = tally.client ?? live.client(of: tally.number).flatMap { live.name(of: $0) }
    func count(_ count: TrafficCounts.Count) -> JSON {
      ["messages": .number(Double(count.messages)), "bytes": .number(Double(count.bytes))]
    }
    var members: [JSON.Member] = [
      .init("connection", .number(Double(tally.number))),
      .init("client", client.map { .string($0) } ?? .null),
      .init("namespace", .string(tally.namespace)), .init("dialect", .string(tally.dialect)),
      .init("carrier", .string(tally.carrier)), .init("since", .number(tally.began.milliseconds)),
      .init("fromClient", count(tally.fromClient)), .init("toClient", count(tally.toClient)),
      .init("findingCount", .number(Double(tally.findingCount))),
      .init("findings", .array(tally.findings.map { .string($0) })),
    ]
    if let end = tally.end { members.append(.init("end", .number(end.milliseconds))) }
    return members
  }

  private func connection(
    _ number: Int, _ link: ProtocolConnection, _ live: FaultyServer, _ bounds: Bounds
  ) -> JSON {
    var tally =
      tallies[number] ?? TrafficCounts(number, link.namespace, link.dialect.rawValue, at: live.now)
    tally.carrier = link.carrier.name
    let server = live.server.namespaces[link.namespace]
    let resources = server?.resources(of: link.id) ?? .init()
    var members = members(of: tally, live)
    let unanswered = live.server.watches[number]?.monitor.unanswered
    members += [
      .init("unansweredCount", .number(Double(unanswered?.count ?? 0))),
      .init(
        "unanswered",
        .array(unanswered.map { $0.prefix(min(bounds.each, 50)).map { .string($0) } } ?? [])),
      .init("user", server?.user(of: link.id, at: live.now).map { .string($0) } ?? .null),
      .init("listenCount", .number(Double(resources.listens.count))),
      .init("listens", .array(resources.listens.prefix(bounds.each).map(\.shown))),
      .init("onDisconnectCount", .number(Double(resources.onDisconnects.count))),
      .init(
        "onDisconnects",
        .array(resources.onDisconnects.prefix(bounds.each).map { .string($0.reading) })),
    ]
    return .object(members)
  }
}

extension FaultyServer {
  /// What a client is called.
  func name(of client: ClientIndex) -> String? {
    clients.indices.contains(client.number) ? clients[client.number] : nil
  }
}

extension Request.Listen {
  fileprivate var shown: JSON {
    [
      "path": .string(path.description), "query": query?.json(in: .firebase) ?? .null,
      "text": .string(path.description + (query?.reading ?? "")),
    ]
  }
}

extension ReferenceServer.Write {
  /// The write in a few words.
  fileprivate var reading: String {
    switch self {
    case let .put(path, node): "put \(path) \(MessageSummary.shortened(node.json.text))"
    case let .merge(path, assignments):
      "merge \(path) \(MessageSummary.shortened(assignments.json.text))"
    }
  }
}
