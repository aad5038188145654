internal import ClientInterface
internal import Document
internal import ReferenceServer
internal import RunModel
internal import Trace
internal import Tree
internal import Wire

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

// What is stored, a bounded part at a time, however much it is.

extension Dashboard {
  /// How many locations one request may ask about, and how many children of one it is sent.
  private static let maxCount = (locations: 100, children: 500)
  /// How much of a value is reported, in characters.
  private static let maxTextBytes = 500

  /// The children of several locations: `{"namespace": …, "places": [{"path", "after"?, "limit"?,
  /// "mark"?}]}`. A location that still has the mark with which it was sent is not sent again.
  func tree(_ request: HTTPRequest, _ live: FaultyServer) -> HTTPResponse {
    guard let json = try? JSON(parsing: request.body, upTo: 1 << 16),
      let name = json["namespace"]?.string, let locations = json["places"]?.elements,
      locations.count <= Self.maxCount.locations
    else {
      return .error(
        400,
        "expected {\"namespace\": NAME, \"places\": [{\"path\": PATH}]} with at most"
          + " \(Self.maxCount.locations) locations")
    }
    let root = live.server.namespaces[name]?.tree ?? live.server.settings.data
    return HTTPResponse(
      200,
      json: [
        "namespace": .string(name), "places": .array(locations.map { Self.part(of: root, $0) }),
      ])
  }

  private static func part(of root: Node, _ location: JSON) -> JSON {
    let path = Path(location["path"]?.string ?? "")
    let node = root[path]
    let limit = max(0, min(location["limit"]?.integer ?? 100, maxCount.children))
    let after = location["after"]?.string
    if location["mark"]?.string == node.fingerprint.description {
      return ["path": .string(path.description), "isSame": true]
    }
    let entries = node.children.entries(after: after.map { Key($0) }, limit: limit)
    var members: [JSON.Member] = [.init("path", .string(path.description))]
    if let after { members.append(.init("after", .string(after))) }
    members += shown(node)
    if node.isScalar { members.append(.init("mark", .string(node.fingerprint.description))) }
    members.append(
      .init(
        "children",
        .array(entries.map { .object([.init("key", .string($0.key.string))] + shown($0.node)) })))
    return .object(members)
  }

  /// A node without what is below it.
  private static func shown(_ node: Node) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let scalar = node.scalar {
      if let text = scalar.json.string, text.utf8.count > maxTextBytes {
        members.append(.init("value", .string(MessageSummary.shortened(text, to: maxTextBytes))))
        members.append(.init("length", .number(Double(text.utf16.count))))
      } else {
        members.append(.init("value", scalar.json))
      }
    } else {
      members.append(.init("count", .number(Double(node.children.count))))
      members.append(.init("mark", .string(node.fingerprint.description)))
    }
    if let priority = node.priority { members.append(.init("priority", priority.json)) }
    return members
  }
}
