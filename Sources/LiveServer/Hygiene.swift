internal import Tree
internal import Wire

/// Watches what one client sends on one connection, for what the protocol does not have although a
/// server can live with it.
///
/// Nothing is refused because of it: whoever runs the server is told, with the rule.
struct Hygiene: Sendable {
  /// How many findings of one connection are told.
  static let most = 20

  private var lastRequest: Int?
  /// The listens in place, as the client made them.
  private var listens: [Request.Listen] = []
  private(set) var count = 0

  /// Takes a message that was understood.
  ///
  /// - Returns: What is wrong with it, in sentences that end with the rule.
  mutating func findings(in message: ClientMessage) -> [String] {
    guard case let .request(number, request) = message, count < Self.most else { return [] }
    var found: [String] = []
    if let lastRequest, number <= lastRequest {
      found.append("request \(number) comes after request \(lastRequest) (WIR-12)")
    }
    lastRequest = max(number, lastRequest ?? number)
    switch request {
    case let .listen(listen):
      found += findings(in: listen)
      listens.append(listen)
    case let .unlisten(path, _, tag):
      if let index = listens.firstIndex(where: { $0.path == path && $0.tag == tag }) {
        listens.remove(at: index)
      } else {
        found.append("it ends a listen to \(path) that is not in place (WIR-4)")
      }
    default: break
    }
    count += found.count
    return found
  }

  private func findings(in listen: Request.Listen) -> [String] {
    if listens.contains(where: { $0.path == listen.path && $0.query == listen.query }) {
      return ["it listens to \(listen.path) twice (WIR-4)"]
    }
    if let tag = listen.tag, let other = listens.first(where: { $0.tag == tag }) {
      return ["tag \(tag) at \(listen.path) is that of the listen to \(other.path) (WIR-7)"]
    }
    let cover = listens.first { $0.query == nil && listen.path.starts(with: $0.path) }
    guard let cover else { return [] }
    return ["it listens to \(listen.path), which the listen to \(cover.path) covers (WIR-4)"]
  }
}
