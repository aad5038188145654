internal import ClientInterface
internal import Faults
internal import Tree
internal import Wire

/// What the server keeps for one connection.
struct ServerSession: Sendable {
  let id: ReferenceServer.ConnectionID
  /// What the client at the other end speaks.
  let dialect: Dialect
  /// In the order in which they were made; at most one for each location and tag.
  private(set) var listens = PathTable<Listen>()
  /// What is to be done when the connection ends, in the order of registration.
  var onDisconnects: [ReferenceServer.Write] = []
  /// The token with which a user has signed in, and what the server knows of it.
  var credential: (token: String, pass: TokenClaims)?

  init(id: ReferenceServer.ConnectionID, _ dialect: Dialect) {
    self.id = id
    self.dialect = dialect
  }

  /// Sends every listen the change, each of them once.
  mutating func announce(
    _ change: TreeChange, _ defect: ServerDefect?, into out: inout [ReferenceServer.Outgoing]
  ) {
    for index in listens.positions(.related, change.path)
    where defect == nil || isReported(index, defect) {
      var listen = listens[index]
      let before = change.before.map { listen.contents(in: $0) }
      guard let message = listen.news(of: change) else { continue }
      listens[index] = listen
      let content = before.map { before in
        ReferenceServer.Outgoing.Content.change(
          .init(
            path: listen.request.path, tag: listen.request.tag, before: before,
            after: listen.contents(in: change.tree)))
      }
      out.append(ReferenceServer.Outgoing(id, message, content))
    }
  }
}

extension ServerSession {
  /// Adds a listen; one with the same location and tag makes room for it.
  mutating func add(_ listen: Listen) {
    let path = listen.request.path
    removeListen(at: path, tag: listen.request.tag)
    listens.append(listen, at: path)
    if listens.count > 1 { updateCover(by: listen) }
  }

  mutating func removeListen(at path: Path, tag: Int?) {
    let index = listens.first(.at, path) { listens[$0].request.tag == tag }
    guard let index else { return }
    let removed = listens[index]
    listens.remove(at: index)
    updateCover(by: removed)
  }

  /// Takes out the listens at a location and below that `condition` picks, in the order in which
  /// they were made.
  mutating func removeListens(at path: Path, where condition: (Listen) -> Bool) -> [Listen] {
    let ended = listens.positions(.atOrBelow, path).map { listens[$0] }.filter(condition)
    if ended.isEmpty { return [] }
    listens.removeAll { $0.request.path.starts(with: path) && condition($0) }
    for listen in ended { updateCover(by: listen) }
    return ended
  }

  /// Works out again whether this listen, as long as it is there, and the listens that it covers or
  /// covered lie below others. One with a query covers nothing and is not covered.
  ///
  /// A client does not listen twice to one location. But while it replaces many listens by one
  /// above them, or the other way round, it has both for a moment, and must receive each change
  /// once.
  private mutating func updateCover(by changed: Listen) {
    guard changed.request.query == nil else { return }
    for index in listens.positions(.atOrBelow, changed.request.path) {
      let listen = listens[index]
      guard listen.request == changed.request || changed.covers(listen) else { continue }
      let cover = listens.first(.atOrAbove, listen.request.path) { listens[$0].covers(listen) }
      listens[index].extent = .whole(isCovered: cover != nil)
    }
  }
}
