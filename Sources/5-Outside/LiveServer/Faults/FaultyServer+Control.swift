internal import ClientInterface
internal import Document
internal import Faults
internal import Scenario
public import ScenarioFiles
internal import Trace
internal import Tree
internal import Wire

// What the operator of the server can look at and change while it runs.

extension FaultyServer {
  /// Answers a request that came by the port for control.
  public mutating func control(_ request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/faults"): return HTTPResponse(200, json: fates)
    case ("POST", "/faults"): return addFaults(request)
    case ("DELETE", "/faults"):
      rules = []
      disarm()
      return HTTPResponse(200, json: fates)
    case ("DELETE", let path) where path.hasPrefix("/faults/"):
      return withdraw(String(path.dropFirst("/faults/".count)))
    case ("POST", "/heal"):
      healAll()
      return HTTPResponse(200, json: fates)
    case ("POST", "/cut"):
      return HTTPResponse(200, json: ["cut": .number(Double(cutAll()))])
    default:
      return .error(
        404,
        "expected GET /connections or /traffic; GET, POST or DELETE /faults; DELETE /faults/NUMBER;"
          + " POST /heal or POST /cut, not \(request.method) \(request.path)")
    }
  }
}

// Faults by the port for control.

extension FaultyServer {
  /// Adds the faults of a request, which are in the words of scenarios, and returns their numbers.
  mutating func addFaults(_ request: HTTPRequest) -> HTTPResponse {
    let read = ReadFaultRules(
      file: "faults", bytes: request.body, clients: clients, isJSON: true)
    guard read.problems.isEmpty else {
      return HTTPResponse(
        400,
        json: [
          "error": .string(read.problems.map(\.description).joined(separator: "\n"))
        ])
    }
    take(read)
    var numbers: [JSON] = []
    for rule in read.rules {
      numbers += add(FaultRule(rule)).map { .number(Double($0 + 1)) }
    }
    return HTTPResponse(200, json: ["faults": .array(numbers)])
  }

  /// Takes the clients and the latency that a file of faults states.
  public mutating func take(_ read: ReadFaultRules) {
    for name in read.clients where clientsByName[name] == nil { _ = addClient(name) }
    guard let stated = read.latency else { return }
    watch()
    latency = Latency(stated.standard)
    for index in clients.indices {
      servedClients[index].network.latency = Latency(stated.range(of: clients[index]))
    }
  }

  /// Takes back one fault that waits.
  mutating func withdraw(_ text: String) -> HTTPResponse {
    guard let number = Int(text), marks.indices.contains(number - 1) else {
      return .error(404, "there is no fault \(text)")
    }
    guard faults.withdraw(number - 1) else {
      return .error(409, "fault \(number) does not wait for anything")
    }
    return HTTPResponse(200, json: fates)
  }

  /// Makes the network of every client work again, and all that waits go on.
  mutating func healAll() {
    amongArrivals { live in
      // Clients to come are spared as well.
      live.rules.removeAll(where: \.isHealed)
      for index in live.servedClients.indices where live.servedClients[index].network.isDisturbed {
        live.injectNow(.heal(ClientIndex(index)))
      }
    }
  }

  /// Breaks the connections of all clients.
  ///
  /// - Returns: How many there were.
  mutating func cutAll() -> Int {
    amongArrivals { live in
      let count = live.lines.values.count { !$0.isGone }
      for index in live.servedClients.indices where live.servedClients[index].open > 0 {
        live.record(.drop(ClientIndex(index)))
        _ = live.breakOff(index)
      }
      return count
    }
  }

  /// How the network is for each client, and what became of each fault.
  var fates: JSON {
    [
      "clients": .array(clients.indices.map(json(of:))),
      "faults": .array(marks.indices.map(fate)),
    ]
  }

  private func json(of index: Int) -> JSON {
    let servedClient = servedClients[index]
    var stalled: [JSON] = []
    if servedClient.network.stalls.toServer != nil {
      stalled.append(.string(FaultDirection.toServer.rawValue))
    }
    if servedClient.network.stalls.toClient != nil {
      stalled.append(.string(FaultDirection.toClient.rawValue))
    }
    return [
      "client": .string(clients[index]), "connections": .number(Double(servedClient.open)),
      "network": .string(servedClient.network.access.rawValue),
      "latency": .string(servedClient.network.latency.text),
      "stalled": .array(stalled),
    ]
  }

  private func fate(of mark: Int) -> JSON {
    let fault = marks[mark].fault
    return [
      "fault": .number(Double(mark + 1)), "name": .string(fault.kind.name),
      "text": .string(fault.text),
      "client": fault.client.map { .string(name(of: $0)) } ?? .null,
      "when": marks[mark].trigger.map { .string($0.text(name)) } ?? .null,
      "waits": .bool(faults.armed.contains { $0.mark == mark }),
      "withdrawn": .bool(faults.withdrawn.contains(mark)), "fired": .bool(marks[mark].hasFired),
      "bit": .bool(marks[mark].hasTakenEffect),
    ]
  }

  private func name(of client: ClientIndex) -> String {
    clients.indices.contains(client.number) ? clients[client.number] : "\(client.number)"
  }
}

extension Trigger {
  /// What is waited for, in words: `put from alice, the 2nd, before it arrives`.
  fileprivate func text(_ name: (ClientIndex) -> String) -> String {
    switch self {
    case let .after(interval): return "after \(interval.millisecondText)"
    case let .count(count, client, flow):
      return "\(count) messages of \(name(client)), \(flow.text)"
    case let .message(frame, client, nth, edge):
      let whose = client.map { " \(frame.isFromServer ? "to" : "from") \(name($0))" } ?? ""
      let which = nth == 1 ? "" : ", number \(nth)"
      return "\(frame.text)\(whose)\(which), \(edge.rawValue) it arrives"
    }
  }
}

extension Trigger.Frame {
  fileprivate var isFromServer: Bool {
    switch self {
    case .request, .ping: false
    case .answer, .acknowledgement, .data, .hello, .revoked, .credentialRevoked, .shutdown, .reset,
      .pong:
      true
    }
  }

  fileprivate var text: String {
    switch self {
    case let .request(action): action?.rawValue ?? "request"
    case .ping: "ping"
    case let .answer(action): action.map { "answer to \($0.rawValue)" } ?? "answer"
    case .acknowledgement: "acknowledgement"
    case .data: "data"
    case .hello: "hello"
    case .revoked: "revoke"
    case .credentialRevoked: "revoke-auth"
    case .shutdown: "shutdown"
    case .reset: "redirect"
    case .pong: "pong"
    }
  }
}
