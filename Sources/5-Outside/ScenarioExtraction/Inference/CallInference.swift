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
      lastConnection = moment.connection
    case let .sent(index): take(timeline.sent[index], index)
    case let .received(index): receiveOutput(timeline.received[index].message, index)
    case .closed, .disconnects:
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
      if let operation = Self.write(request) { add(operation, sent.time, sent.event) }
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
    if let last = transactions.lastIndex(where: { $0.path == path && $0.isOpen }) {
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

extension Scalar {
  fileprivate var isNumber: Bool {
    if case .number = self { true } else { false }
  }
}

extension CallInference {
  /// A function that makes of each value what was made of it; one that just sets, if none is found.
  ///
  /// Where several clients contend for a number, each of them adds to it: values that are just set
  /// would depend on an order that a run need not have. SDKs send several transactions as one, so the
  /// last attempt counts.
  private static func function(
    _ samples: [(base: Node?, made: Node)], isContended: Bool
  ) -> TransactionFunction {
    guard let first = samples.first, let last = samples.last else { return .abort }
    let made = first.made.json
    let isConstant = samples.allSatisfy { $0.made == first.made }
    if isConstant, samples.count > 1 { return .set(made) }
    if isContended, last.base.map({ $0.isEmpty || $0.scalar?.isNumber == true }) == true,
      let delta = delta(last)
    {
      return .increment(delta)
    }
    if isConstant { return .set(made) }
    if let delta = delta(first) {
      let isOne = samples.allSatisfy { sample in
        self.delta(sample).map { abs($0 - delta) < 1e-9 } ?? false
      }
      if isOne { return .increment(delta) }
    }
    let changes = changes(first)
    if let changes, samples.allSatisfy({ self.changes($0) == changes }) { return .merge(changes) }
    return .set(samples.last?.made.json ?? made)
  }

  private static func delta(_ sample: (base: Node?, made: Node)) -> Double? {
    guard case let .number(made)? = sample.made.scalar, let base = sample.base else { return nil }
    if case let .number(number)? = base.scalar { return made - number }
    return made
  }

  /// The children that were given another value.
  private static func changes(_ sample: (base: Node?, made: Node)) -> JSON? {
    guard let base = sample.base, !sample.made.isScalar else { return nil }
    let differences = sample.made.children.differences(from: base.children)
    return .object(differences.map { JSON.Member($0.key.string, $0.new.json) })
  }
}
