internal import ClientInterface
internal import Tree
internal import Wire

/// Finds out what the application of one client must have asked for, from what the client sent.
///
/// What a client sends of itself is left out: whatever is in place and is asked for again over a
/// new connection, and the further attempts of a transaction.
struct CallInference {
  /// A call, and when it was made.
  struct Call {
    let time: Interval
    /// The event of the session that it is known by.
    let event: Int
    var id: CallID
    var operation: Operation
    /// Whether the application gave it a name.
    var isNamed = false
    /// The first message of a transaction: `late` of the discovery is about it.
    var message: Int?
  }

  private struct ActiveListen {
    let label: String
    let path: Path
    let query: Query?
  }

  private struct Transaction {
    let call: Int
    let path: Path
    var samples: [(base: Node?, made: Node)]
    var isOpen = true
    /// The last attempt, and whether it has an answer.
    var last: Request?
    var connection = -1
    var isAnswered = false

    /// Whether it ended with its connection, so that another one is made.
    func isOver(before sent: Timeline.Sent) -> Bool {
      connection != sent.connection && !isAnswered && last != sent.request
    }
  }

  private let timeline: Timeline
  private let bases: [Int: Node]
  private(set) var calls: [Call] = []

  private var count = 0
  private var listens: [ActiveListen] = []
  /// The listens that are asked for again over the new connection.
  private var returning: [ActiveListen] = []
  /// The writes that were not answered when the last connection ended.
  private var unanswered: [Request] = []
  private var transactions: [Transaction] = []
  private var token: String?
  private var isBack = false
  /// The end of the last connection, and when the present one began.
  private var end: Timeline.Occurrence?
  private var beginning: Timeline.Occurrence?
  /// Over which connection something was sent last.
  private var lastConnection = -1
  /// The messages of the client, by connection, and what they ask by their answer.
  private var messages: [Int: [Int]] = [:]
  private var questions: [Int: Int] = [:]

  init(of client: Int, in timeline: Timeline, bases: [Int: Node]) {
    self.timeline = timeline
    self.bases = bases
    for (index, sent) in timeline.sent.enumerated() where sent.client == client {
      messages[sent.connection, default: []].append(index)
      if let answer = sent.answer { questions[answer] = index }
    }
    for moment in timeline.moments where moment.client == client { take(moment) }
    for transaction in transactions {
      guard case let .transaction(path, _, _) = calls[transaction.call].operation else { continue }
      calls[transaction.call].operation = .transaction(
        path, Self.function(transaction.samples, isContended: timeline.isContended(path)),
        localEvents: .shown)
    }
  }

  private mutating func take(_ moment: Timeline.Occurrence) {
    switch moment.what {
    case .opened:
      forgetWhatIsNotAskedAgain(moment)
      beginning = moment
      lastConnection = moment.connection
    case let .sent(index): take(timeline.sent[index], index)
    case let .received(index): receiveOutput(timeline.received[index].message, index)
    case .closed, .disconnects:
      end = moment
      returning = listens
      isBack = true
      unanswered = sentMessages(over: lastConnection).filter { $0.answer == nil }.compactMap(
        \.request)
    case .connects, .refused, .call, .wrote, .updated, .killed, .started, .fault: break
    }
  }

  private func sentMessages(over connection: Int) -> [Timeline.Sent] {
    (messages[connection] ?? []).map { timeline.sent[$0] }
  }

  /// A listen that is not asked for again was ended while there was no connection.
  private mutating func forgetWhatIsNotAskedAgain(_ moment: Timeline.Occurrence) {
    guard isBack else { return }
    let requests = sentMessages(over: moment.connection)
    if requests.isEmpty { return }
    for listen in listens {
      let isAsked = requests.contains { sent in
        guard case let .listen(asked)? = sent.request else { return false }
        return asked.path == listen.path && asked.query == listen.query
      }
      if isAsked { continue }
      add(.unlisten(ListenerID(listen.label)), moment.time, moment.event)
      listens.removeAll { $0.label == listen.label }
      returning.removeAll { $0.label == listen.label }
    }
  }

  private mutating func take(_ sent: Timeline.Sent, _ index: Int) {
    guard let request = sent.request else { return }
    switch request {
    case let .listen(listen): take(listen, sent)
    case let .unlisten(path, query, _):
      guard
        let position = listens.firstIndex(where: { $0.path == path && $0.query == query })
          ?? listens.firstIndex(where: { $0.path == path })
      else { return }
      add(.unlisten(ListenerID(listens.remove(at: position).label)), sent.time, sent.event)
    case let .put(path, node, _?): transact(path, node, sent, index)
    case .put, .merge, .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel:
      if wasUnanswered(request) { return }
      guard let operation = Self.write(request) else { return }
      let end = endBefore(sent)
      add(operation, end?.time ?? sent.time, end.map { $0.event + 1 } ?? sent.event)
    case let .authenticate(credential):
      if isBack, credential.token == token { return }
      token = credential.token
      add(.authenticate(token: credential.token), sent.time, sent.event)
    case .unauthenticate:
      token = nil
      add(.unauthenticate, sent.time, sent.event)
    case let .get(path, query):
      let label = newLabel("l")
      add(.get(ListenerID(label), .init(path, query)), sent.time, sent.event, label)
    case .stats: break
    }
  }

  /// What a client on a busy machine needs to send what has waited for the connection.
  private static let atOnce = Interval.milliseconds(50)

  /// When a write was made that was sent at once over a new connection, while others wrote before:
  /// without a connection, after the end of the last one.
  private func endBefore(_ sent: Timeline.Sent) -> Timeline.Occurrence? {
    guard timeline.isImmediate, let end, let beginning,
      sent.time - beginning.time <= Self.atOnce,
      timeline.hasWrites(besides: sent.client, from: end.event, to: beginning.event)
    else { return nil }
    return end
  }

  private mutating func take(_ listen: Request.Listen, _ sent: Timeline.Sent) {
    let isAgain = returning.firstIndex {
      $0.path == listen.path && $0.query == listen.query
    }
    if let isAgain {
      returning.remove(at: isAgain)
      return
    }
    let label = newLabel("l")
    listens.append(ActiveListen(label: label, path: listen.path, query: listen.query))
    add(
      .listen(
        ListenerID(label), .init(listen.path, listen.query ?? .all), Set(EventType.allCases)),
      sent.time, sent.event, label)
  }

  private mutating func transact(
    _ path: Path, _ node: Node, _ sent: Timeline.Sent, _ index: Int
  ) {
    if let last = transactions.lastIndex(where: { $0.path == path && $0.isOpen }),
      !timeline.isImmediate || !transactions[last].isOver(before: sent)
    {
      transactions[last].samples.append((bases[index], node))
      settle(last, sent)
      return
    }
    add(.transaction(path, .abort, localEvents: .shown), sent.time, sent.event)
    calls[calls.count - 1].message = index
    transactions.append(
      Transaction(call: calls.count - 1, path: path, samples: [(bases[index], node)]))
    settle(transactions.count - 1, sent)
  }

  /// A transaction goes on when its write comes too late, or was not answered.
  private mutating func settle(_ transaction: Int, _ sent: Timeline.Sent) {
    (transactions[transaction].last, transactions[transaction].connection) =
      (sent.request, sent.connection)
    transactions[transaction].isAnswered = sent.answer != nil
    guard let answer = sent.answer,
      case let .response(response) = timeline.received[answer].message
    else { return }
    transactions[transaction].isOpen = response.status == "datastale"
  }

  private mutating func receiveOutput(_ message: ServerMessage, _ index: Int) {
    switch message {
    case let .revoked(path, queries):
      let query = queries?.first
      listens.removeAll { $0.path == path && $0.query == query }
    case let .response(response) where response.status != "ok":
      guard let question = questions[index],
        case let .listen(listen)? = timeline.sent[question].request
      else { return }
      listens.removeAll { $0.path == listen.path && $0.query == listen.query }
    default: break
    }
  }

  /// Whether a request is one that got no answer over the last connection.
  private mutating func wasUnanswered(_ request: Request) -> Bool {
    guard let index = unanswered.firstIndex(of: request) else { return false }
    unanswered.remove(at: index)
    return true
  }

  private mutating func add(
    _ operation: Operation, _ time: Interval, _ event: Int, _ label: String? = nil
  ) {
    calls.append(
      Call(
        time: time, event: event, id: CallID(label ?? newLabel("c")), operation: operation))
  }

  private mutating func newLabel(_ kind: String) -> String {
    count += 1
    return "\(kind)\(count)"
  }

  /// The call that makes a client send a write.
  private static func write(_ request: Request) -> Operation? {
    switch request {
    case let .put(path, node, _):
      if path.key == .priority, let owner = path.parent {
        return .setPriority(owner, node.scalar?.json ?? .null)
      }
      return node.isEmpty ? .remove(path) : .set(path, node)
    case let .merge(path, parts, _): return .update(path, parts)
    case let .onDisconnectPut(path, node):
      return node.isEmpty ? .onDisconnectRemove(path) : .onDisconnectSet(path, node)
    case let .onDisconnectMerge(path, parts): return .onDisconnectUpdate(path, parts)
    case let .onDisconnectCancel(path): return .onDisconnectCancel(path)
    default: return nil
    }
  }
}

extension Timeline.Sent {
  /// The request, when it is one.
  var request: Request? {
    if case let .request(_, request) = message { return request }
    return nil
  }
}
