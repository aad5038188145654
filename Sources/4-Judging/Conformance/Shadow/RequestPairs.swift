internal import ClientInterface
internal import Tree
internal import Wire

/// Which request of the shadow is which of the client, and which tag is which: on one connection.
///
/// Both number their requests and tag their listens as they like, so requests are paired by what
/// they ask for.
struct RequestPairs {
  /// What the client has asked, by its numbers.
  private var asked = RequestTable<Request>()
  /// What the shadow has asked and got no answer to.
  private var open: [(number: Int, outline: Request)] = []
  /// Answers to what the shadow has not asked so far.
  private var early: [(outline: Request, response: ServerMessage.Response)] = []
  /// What the client's tags stand for.
  private var tagged: [Int: Operation.Target] = [:]
  /// The tags that each side has used for the same, in the order in which they were used.
  private var tags: [Operation.Target: (client: [Int], shadow: [Int])] = [:]

  mutating func addClient(_ number: Int, _ request: Request) {
    asked[number] = request.outline
    guard let (subject, tag) = Self.tagged(request) else { return }
    tagged[tag] = subject
    tags[subject, default: ([], [])].client.append(tag)
  }

  mutating func addShadow(_ number: Int, _ request: Request) {
    open.append((number, request.outline))
    guard let (subject, tag) = Self.tagged(request) else { return }
    tags[subject, default: ([], [])].shadow.append(tag)
  }

  private static func tagged(_ request: Request) -> (Operation.Target, Int)? {
    guard case let .listen(listen) = request, let tag = listen.tag, var query = listen.query else {
      return nil
    }
    query.reach = .acrossKinds
    return (Operation.Target(listen.path, query), tag)
  }

  /// The shadow's tag for what the client has tagged so; `nil` where the shadow does not listen.
  ///
  /// What is listened to now is the last on both sides, and so on backwards: a side may have left
  /// out a listen that was taken back at once.
  func shadowTag(for tag: Int) -> Int? {
    guard let subject = tagged[tag], let (client, shadow) = tags[subject],
      let index = client.lastIndex(of: tag)
    else { return nil }
    let own = shadow.count - (client.count - index)
    return shadow.indices.contains(own) ? shadow[own] : nil
  }

  /// The location of the client's plain listen with this number, until it is answered.
  func plainListen(_ number: Int) -> Path? {
    guard case let .listen(listen)? = asked[number], listen.query == nil else { return nil }
    return listen.path
  }

  /// The answer as the shadow must get it; `nil` as long as it has not asked.
  mutating func answer(_ response: ServerMessage.Response) -> ServerMessage.Response? {
    guard let outline = asked.removeValue(forKey: response.request) else { return nil }
    if let own = pair(outline, response) { return own }
    early.append((outline, response))
    return nil
  }

  /// An answer that came before the shadow asked, now that it has.
  mutating func takeEarly() -> ServerMessage.Response? {
    for index in early.indices {
      if let own = pair(early[index].outline, early[index].response) {
        early.remove(at: index)
        return own
      }
    }
    return nil
  }

  /// Pairs exactly, or else a conditional write with another at the same location: what it writes
  /// depends on when it is sent.
  private mutating func pair(
    _ outline: Request, _ response: ServerMessage.Response
  ) -> ServerMessage.Response? {
    let exact = open.firstIndex { $0.outline == outline }
    let index = exact ?? open.firstIndex { $0.outline.isSameTransaction(as: outline) }
    guard let index else { return nil }
    var own = response
    own.request = open.remove(at: index).number
    return own
  }
}
