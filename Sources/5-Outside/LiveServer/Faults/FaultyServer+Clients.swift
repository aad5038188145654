internal import ClientInterface
import HTTP

// Who is who.

extension FaultyServer {
  /// How many names there may be; another one counts as no particular client.
  private static let maxClients = 10_000
  /// How many clients without a name are distinguished.
  private static let maxUnnamed = 1000
  /// For how many connections it is known whose they were.
  private static let maxOwners = 20_000
  /// Whose the requests of REST are that do not say whose they are.
  static let unnamedClient = "rest"

  /// Adds a client.
  ///
  /// - Parameter name: What it is called; `nil` for one that has not said so.
  /// - Returns: Its location.
  mutating func addClient(_ name: String?) -> Int {
    var number = clients.count + 1
    while name == nil, clientsByName["client-\(number)"] != nil { number += 1 }
    clients.append(name ?? "client-\(number)")
    clientsByName[clients[clients.count - 1]] = clients.count - 1
    servedClients.append(
      ServedClient(latency: latency, seed: seed &+ UInt64(clients.count) << 32))
    servedClients[clients.count - 1].isExpected = name != nil
    return clients.count - 1
  }

  /// The location of a client with this name, which is added if there is none.
  private mutating func claimedIndex(named name: String) -> Int {
    if let index = clientsByName[name] {
      servedClients[index].isClaimed = true
      return index
    }
    if clients.count >= Self.maxClients, name != Self.unnamedClient {
      return claimedIndex(named: Self.unnamedClient)
    }
    let index = addClient(name)
    servedClients[index].isClaimed = true
    applyRules(to: index)
    return index
  }

  /// The client that a request for a connection is from: the one that it names, else the one that
  /// had the connection that it names, else the first one that has none.
  mutating func client(connectingBy request: HTTPRequest) -> Int {
    if let name = request.client { return claimedIndex(named: name) }
    let previous = server.connection(named: request.argument("ls") ?? request.argument("s"))
    if let previous, let owner = owners[previous] { return owner }
    // By index: a closure would be handed copies.
    for index in servedClients.indices
    where servedClients[index].open == 0 && !servedClients[index].isClaimed
      && mayTakeName(of: servedClients[index], request)
    {
      return index
    }
    let index = addClient(nil)
    applyRules(to: index)
    return index
  }

  /// Whether a client without a name may be taken for one that has no connection now.
  ///
  /// Clients of the Firebase family that connect again name their last session: one that does not is
  /// new, and has nothing to do with others that came and left.
  private func mayTakeName(of other: ServedClient, _ request: HTTPRequest) -> Bool {
    other.isExpected || !other.hasConnected || request.argument("EIO") != nil
      || clients.count >= Self.maxUnnamed
  }

  /// The client that a request of REST is from.
  mutating func client(asking request: HTTPRequest) -> Int {
    claimedIndex(named: request.client ?? Self.unnamedClient)
  }

  /// The request for a connection with the name of its client.
  mutating func named(_ request: HTTPRequest) -> HTTPRequest {
    if request.continuesSession { return request }
    var request = request
    request.client = clients[client(connectingBy: request)]
    forgetOldOwners()
    return request
  }

  private mutating func forgetOldOwners() {
    guard owners.count > 2 * Self.maxOwners, let last = owners.keys.max() else { return }
    owners = owners.filter { $0.key > last - Self.maxOwners || lines[$0.key] != nil }
  }
}
