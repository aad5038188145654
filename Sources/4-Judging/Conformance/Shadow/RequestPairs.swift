internal import ClientInterface
internal import RunModel
internal import Tree
internal import Wire

/// Which request of the shadow is which of the client, and which tag is which: on one connection.
///
/// Both number their requests and tag their listens as they like, so requests are paired by what
/// they ask for.
struct RequestPairs {
  private typealias Tagged = (tag: Int, target: Operation.Target)

  /// What the client has asked, by its numbers.
  private var asked = RequestTable<Request>()
  /// What the shadow has asked and got no answer to.
  private var open: [(number: Int, outline: Request)] = []
  /// Answers that the shadow has not got: it has not asked so far.
  private var answers: [(outline: Request, response: ServerMessage.Response)] = []
  /// What each side has listened to with a tag, in order.
  private var tagged: (client: [Tagged], shadow: [Tagged]) = ([], [])

  mutating func addClient(_ number: Int, _ request: Request) {
    asked[number] = request.outline
    if let listen = Self.tagged(request) { tagged.client.append(listen) }
  }

  mutating func addShadow(_ number: Int, _ request: Request) {
    open.append((number, request.outline))
    if let listen = Self.tagged(request) { tagged.shadow.append(listen) }
  }

  private static func tagged(_ request: Request) -> Tagged? {
    guard case let .listen(listen) = request, let tag = listen.tag, let query = listen.query
    else { return nil }
    return (tag, Operation.Target(listen.path, query.acrossKinds))
  }

  /// The shadow's tag for what the client has tagged so; `nil` where the shadow does not listen.
  ///
  /// What is listened to now is the last on both sides, and so on backwards: a side may have left
  /// out a listen that was taken back at once.
  func shadowTag(for tag: Int) -> Int? {
    guard let target = tagged.client.last(where: { $0.tag == tag })?.target else { return nil }
    let later = tagged.client.reversed().prefix { $0.tag != tag }.count { $0.target == target }
    return tagged.shadow.reversed().filter { $0.target == target }.dropFirst(later).first?.tag
  }

  /// The location of the client's plain listen with this number, until it is answered.
  func plainListen(_ number: Int) -> Path? {
    guard case let .listen(listen)? = asked[number], listen.query == nil else { return nil }
    return listen.path
  }

  /// Takes an answer to the client.
  mutating func add(_ response: ServerMessage.Response) {
    guard let outline = asked.removeValue(forKey: response.request) else { return }
    answers.append((outline, response))
  }

  /// The first answer to something that the shadow has asked, as it must get it.
  ///
  /// Requests are paired exactly, or else a conditional write with another at the same location: what
  /// it writes depends on when it is sent.
  mutating func takeAnswer() -> ServerMessage.Response? {
    for (index, (outline, response)) in answers.enumerated() {
      let exact = open.firstIndex { $0.outline == outline }
      let paired = exact ?? open.firstIndex { $0.outline.isSameTransaction(as: outline) }
      guard let paired else { continue }
      answers.remove(at: index)
      var own = response
      own.request = open.remove(at: paired).number
      return own
    }
    return nil
  }
}
