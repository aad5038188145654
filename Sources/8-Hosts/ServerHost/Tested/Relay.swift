import ClientEngine
package import ClientInterface
import ClientMachine
import Document
import Faults
import Glibc
package import LiveServer
import ReferenceServer
package import RunModel
import System
package import Tree
package import Wire

/// The connections to the server under test in one run: one for each that clients have to the kit, and one
/// of the kit's own, which puts the data there, follows them, and removes them.
///
/// Everything lies below a path of its own, so that runs do not disturb each other.
package final class Relay {
  /// What the server does on a connection.
  package enum Event {
    case message(ServerMessage)
    /// It has answered a request of REST.
    case response(HTTPResponse)
    /// It answers one with a stream of events, which are messages.
    case begun(HTTPResponse)
    /// What it does is none of the above, or it cannot be reached.
    case odd(String)
    /// It has closed the connection, or refused it, for this reason.
    case ended(String)

    fileprivate var isAnswer: Bool { if case .response = self { true } else { false } }
  }

  /// Why a run cannot be made.
  package enum Problem: Error {
    case unreachable(String)
    /// It refuses the connection before it has greeted: it is perhaps no server of this family.
    case foreign(String)
    /// The server does not do what each run begins with.
    case refused(String)
  }

  /// For how long nothing must come of the server for its work to count as done, in nanoseconds.
  private static let quietInterval: Int64 = 6_000_000
  /// How long it may leave something unanswered before the run goes on, in nanoseconds.
  private static let patience: Int64 = 2_000_000_000
  /// How long what comes of the server may wait for the answer to a write by REST, in nanoseconds: servers send the
  /// change first, over other connections, and whoever judges it has to know of the write.
  private static let answerGrace: Int64 = 100_000_000
  /// The number of the kit's own connection: clients have others. Its own requests of REST have negative numbers.
  private static let own = 0
  /// The number of the kit's own stream of events.
  private static let stream = -1

  private let address: DatabaseAddress
  private let base: Path
  private let setup: ServerSetup?
  /// Whether the kit itself writes by REST, and follows the data that way too.
  private let usesREST: Bool
  /// What clients sign in with, by what they take for their tokens.
  private var tokens: [String: String] = [:]
  private var denied: [SecurityRule]
  /// The rules that the database had.
  private var rules: HTTPResponse?
  private let inbox = Inbox()
  private var lines: [Int: Line] = [:]
  private var requests: [Int: Asked] = [:]
  private var events: [(connection: Int, event: Event)] = []
  /// Since when the first of them waits.
  private var waitingSince: Int64 = 0
  /// When the server was last given something, and when either side last did something.
  private var lastGiven: Int64 = 0
  private var lastActivity: Int64 = 0
  /// What the server has, as the kit's own listen shows it.
  package private(set) var tree = Node.empty
  private var lastRequest = 0
  private var answers: [Int: ServerMessage.Response] = [:]
  /// What the server has, as the kit's own stream of events shows it.
  private var streamed = Node.empty
  private var lastOwn = Relay.stream
  /// What was answered to the kit's own requests of REST, or why nothing was.
  private var ownAnswers: [Int: RESTExamination.Answer] = [:]
  /// Those of them that the server does not answer as it must.
  private var unanswered: Set<Int> = []
  /// What the kit's own writes by REST are, until they are answered.
  private var ownWrites: [Int: HTTPRequest] = [:]
  /// A write of the kit's own by REST that was refused, from which other differences follow.
  package private(set) var refusedWrite: WireFinding?
  /// How the kit's own connection ended; nil as long as it is there.
  private var ending: Problem?

  private struct Line {
    let carrier: Carrier
    var isOpen = false
    var hasReceivedHello = false
    /// What is to be sent once it is open.
    var waiting: [ClientMessage] = []
    /// The numbers of the requests without an answer.
    var unanswered: Set<Int> = []
    /// The queries that its client listens to.
    var queries: [(path: Path, query: Query)] = []

    mutating func follow(_ request: Request) {
      switch request {
      case let .listen(listen):
        if let query = listen.query { queries.append((listen.path, query)) }
      case let .unlisten(path, query, _): queries.removeAll { $0 == (path, query) }
      default: break
      }
    }
  }

  /// A request of REST.
  private struct Asked {
    let exchange: RESTExchange
    let isWrite: Bool
    /// Whether it is not answered.
    var isOpen = true
  }

  /// - Parameters:
  ///   - address: Where the server is, with the framing of the kit's own connection.
  ///   - base: What clients take for the root.
  ///   - setup: What the server is to know; nil where nothing is begun.
  ///   - usesREST: Whether the kit itself writes by REST, and follows the data that way too.
  init(
    _ address: DatabaseAddress, at base: Path, _ setup: ServerSetup? = nil, usesREST: Bool = false
  ) {
    (self.address, self.base, self.setup, self.usesREST) = (address, base, setup, usesREST)
    denied = setup?.denied ?? []
  }

  /// A key that no other run has.
  static func newKey() -> Key {
    var generator = SystemRandomNumberGenerator()
    let digits = String(generator.next(), radix: 36)
    return Key("kennel-" + String(repeating: "0", count: 13 - digits.count) + digits)
  }

  /// Whether the server has done all that it was given, as far as can be seen.
  package var isDone: Bool {
    let now = Measurement.now
    if now - lastGiven >= Self.patience { return true }
    return now - lastActivity >= Self.quietInterval
      && lines.values.allSatisfy { $0.hasReceivedHello && $0.unanswered.isEmpty }
      && requests.values.allSatisfy { !$0.isOpen }
  }

  /// Hands the server what arrives there.
  package func give(_ relayed: Effect.Relayed, of connection: Int) {
    switch relayed {
    case let .opened(dialect): open(connection, dialect)
    case let .message(message):
      if case let .request(_, request) = message { lines[connection]?.follow(request) }
      send(message.below(base).signed(with: tokens), over: connection)
    case let .asked(request): ask(request, as: connection)
    case .closed: close(connection)
    case let .change(change): write(ReferenceServer.Write(change))
    case let .denied(rule):
      denied.append(rule)
      let rules = ServerSetup.rules(denying: denied)
      askItself(HTTPRequest("PUT", RESTExchange.rules, body: Array(rules.text.utf8)))
    }
  }

  /// What the server has done since this was asked last, by the numbers of the connections.
  package func takeEvents() -> [(connection: Int, event: Event)] {
    receiveAll()
    let isWriting = requests.values.contains { $0.isOpen && $0.isWrite }
    if isWriting, Measurement.now - waitingSince < Self.answerGrace { return [] }
    defer { events = [] }
    // Answers come first: what else has come follows from them, or does not depend on them.
    return events.filter(\.event.isAnswer) + events.filter { !$0.event.isAnswer }
  }

  private func open(_ number: Int, _ dialect: Dialect) {
    note(isGiven: true)
    let inbox = inbox
    var address = address
    address.dialect = dialect
    lines[number] = Line(carrier: Carrier.connect(to: address) { inbox.add(.carried($0), number) })
  }

  private func ask(_ request: HTTPRequest, as number: Int) {
    note(isGiven: true)
    let inbox = inbox
    let exchange = RESTExchange(request, of: address, below: base) { inbox.add(.asked($0), number) }
    // What waits for the answer to a client's write need not wait for one of the kit's own, of which is known.
    requests[number] = Asked(exchange: exchange, isWrite: request.isWrite && number > 0)
  }

  private func close(_ number: Int) {
    note(isGiven: true)
    lines.removeValue(forKey: number)?.carrier.close()
    requests.removeValue(forKey: number)?.exchange.close()
  }

  private func send(_ message: ClientMessage, over number: Int) {
    guard let line = lines[number] else { return }
    note(isGiven: true)
    // Nothing depends on the answer to a count, and some servers send none.
    if case let .request(id, request) = message, request.action != .stats {
      lines[number]?.unanswered.insert(id)
    }
    if line.isOpen { line.carrier.post(message) } else { lines[number]?.waiting.append(message) }
  }

  private func note(isGiven: Bool) {
    lastActivity = Measurement.now
    if isGiven { lastGiven = lastActivity }
  }

  private func receiveAll() {
    for (number, arrival) in inbox.take() {
      switch arrival {
      case let .carried(event): receive(event, number)
      case let .asked(event): receive(event, ofRequest: number)
      }
    }
  }

  private func add(_ event: Event, _ number: Int) {
    if events.isEmpty { waitingSince = lastActivity }
    events.append((number, event))
  }

  private func receive(_ event: Event, ofRequest number: Int) {
    guard requests[number] != nil else { return }
    note(isGiven: false)
    switch event {
    case .message, .odd: break
    case .begun: requests[number]?.isOpen = false
    case .response, .ended: requests[number] = nil
    }
    if number > 0 { return add(event, number) }
    switch event {
    case let .message(message): streamed = message.applied(to: streamed, at: .root)
    case let .response(response):
      let isOwn = unanswered.remove(number) == nil
      let answer: RESTExamination.Answer = isOwn ? .success(response) : .failure(Refused(response))
      ownAnswers[number] = answer
      judge(answer, to: ownWrites.removeValue(forKey: number))
    // The response that follows is not that of the server.
    case .odd: unanswered.insert(number)
    case let .ended(reason): ownAnswers[number] = .failure(Refused(502, reason))
    case .begun: break
    }
  }

  private func receive(_ event: Carrier.Event, _ number: Int) {
    guard let line = lines[number] else { return }
    note(isGiven: false)
    switch event {
    case .opened:
      lines[number]?.isOpen = true
      lines[number]?.waiting = []
      for message in line.waiting { line.carrier.post(message) }
    case let .message(message):
      if case .hello = message { lines[number]?.hasReceivedHello = true }
      if case let .response(response) = message {
        lines[number]?.unanswered.remove(response.request)
      }
      if number == Self.own { return follow(message) }
      add(.message(message.relative(to: base)), number)
    case let .refused(reason): end(number, reason, .foreign(reason))
    case let .closed(reason): end(number, reason, .unreachable(reason))
    }
  }
}

// The kit's own connection.

extension Relay {
  private func end(_ number: Int, _ reason: String, _ problem: Problem) {
    lines[number] = nil
    if number == Self.own { ending = problem } else { add(.ended(reason), number) }
  }

  /// Connects, puts the rules and the data of a run there, and follows the data.
  package func begin(_ data: Node) throws(Problem) {
    try connect()
    try beginSigningIn()
    if let rules = setup?.rules {
      try signIn(LiveServerSettings.administrator, "the administrator's token")
      try require(.listen(.init(path: base)), "a listen at \(base)")
      guard tree.isEmpty else {
        throw .refused(
          "the database \(address.namespace), which no client has named before, has data already")
      }
      try beginRules(rules)
    }
    if !data.isEmpty { try require(.put(base, data, hash: nil), "the data of the scenario") }
    if setup?.rules == nil { try require(.listen(.init(path: base)), "a listen at \(base)") }
    if usesREST { beginStream() }
  }

  private func connect() throws(Problem) {
    open(Self.own, address.dialect)
    try wait { self.lines[Self.own]?.hasReceivedHello == true }
  }

  /// Connects, and ends that connection when it is greeted.
  func greet() throws(Problem) {
    defer { close(Self.own) }
    try connect()
  }

  /// Makes the tokens, and sees whether the server accepts such.
  private func beginSigningIn() throws(Problem) {
    guard let setup, setup.signsIn else { return }
    let now = SocketLoop.now
    tokens = setup.tokens(at: now)
    let probe = ServerSetup.token("kennel", "kennel", at: now, until: now + .seconds(3600))
    try signIn(probe, "a token without a signature")
  }

  private func signIn(_ token: String, _ what: String) throws(Problem) {
    try require(.authenticate(.init(token)), what)
  }

  /// Gives the database of the run its rules.
  private func beginRules(_ rules: JSON) throws(Problem) {
    let before = try askForRules("GET")
    _ = try askForRules("PUT", Array(rules.text.utf8))
    self.rules = before
  }

  private func askForRules(_ method: String, _ body: [UInt8] = []) throws(Problem) -> HTTPResponse {
    let request = HTTPRequest(method, RESTExchange.rules, body: body)
    let answer =
      switch try answer(to: askItself(request)) {
      case let .success(answer): answer
      case let .failure(reason): reason.response
      }
    guard answer.status == 200 else {
      throw .refused(
        "the server is given no rules: it answers \(method) \(RESTExchange.rules) with \(answer.status)"
      )
    }
    return answer
  }

  /// Ends all connections of clients.
  func closeAll() {
    let numbers = Set(lines.keys).union(requests.keys)
    for number in numbers.sorted() where number != Self.own { close(number) }
  }

  /// Ends all connections, and removes the data.
  package func end() {
    closeAll()
    // What clients left for the ends of their connections is written before the data are removed.
    try? wait { self.isDone }
    try? require(.put(base, .empty, hash: nil), "")
    if let rules {
      _ = try? askForRules("PUT", rules.body)
    }
    close(Self.own)
  }

  @discardableResult
  private func ask(_ request: Request) -> Int {
    lastRequest += 1
    send(.request(lastRequest, request), over: Self.own)
    return lastRequest
  }

  private func require(_ request: Request, _ what: String) throws(Problem) {
    let number = ask(request)
    try wait { self.answers[number] != nil }
    guard let answer = answers.removeValue(forKey: number), answer.status != "ok" else { return }
    let reason = answer.payload.string.map { ", \($0)" } ?? ""
    throw .refused("the server refuses \(what): \(answer.status)\(reason)")
  }

  /// Waits for something, five times as long as a run would unless stated.
  private func wait(
    atMost interval: Int64 = 5 * Relay.patience, until condition: () -> Bool
  ) throws(Problem) {
    let limit = Measurement.now + interval
    while !condition() {
      receiveAll()
      if let ending { throw ending }
      guard Measurement.now < limit else { throw .unreachable("it does not answer within 10 s") }
      usleep(300)
    }
  }

  private func follow(_ message: ServerMessage) {
    if case let .response(response) = message { answers[response.request] = response }
    tree = message.applied(to: tree, at: base)
  }
}

// The kit's own requests of REST.

extension Relay {
  @discardableResult
  private func askItself(_ request: HTTPRequest) -> Int {
    lastOwn -= 1
    ask(signed(request), as: lastOwn)
    return lastOwn
  }

  /// The request of one to whom no rule applies.
  private func signed(_ request: HTTPRequest) -> HTTPRequest {
    guard setup?.rules != nil else { return request }
    var request = request
    request.headers["authorization"] = "Bearer \(LiveServerSettings.administrator)"
    return request
  }

  private func answer(to number: Int) throws(Problem) -> RESTExamination.Answer {
    try wait { self.ownAnswers[number] != nil }
    return ownAnswers.removeValue(forKey: number) ?? .failure(Refused(504, "nothing has come"))
  }

  /// Sees whether the server answers requests of REST at all.
  func greetByREST() throws(Problem) {
    switch try answer(to: askItself(HTTPRequest("GET", "/.json"))) {
    case let .failure(reason): throw .foreign(reason.response.reason)
    case let .success(answer):
      if answer.status != 200 || answer.json != .null {
        throw .foreign("it is answered \(answer.words)")
      }
    }
  }

  /// Begins to follow the data by a stream of events. What it does not show is found later.
  private func beginStream() {
    let request = HTTPRequest("GET", "/.json", headers: ["accept": "text/event-stream"])
    ask(signed(request), as: Self.stream)
    try? wait(atMost: Self.patience) { self.streamsAll || self.ownAnswers[Self.stream] != nil }
  }

  /// Whether the stream shows what a listen does. Priorities need not be in it.
  private var streamsAll: Bool { streamed.plain == tree.plain }

  /// What is wrong with the stream; nil where nothing is.
  private func findingOfStream() -> WireFinding? {
    // No document of Wilddog has streams.
    guard address.dialect == .firebase else { return nil }
    try? wait(atMost: Self.patience) { self.streamsAll || self.ownAnswers[Self.stream] != nil }
    if streamsAll { return nil }
    let found: String
    switch ownAnswers[Self.stream] {
    // A stream may be somewhere else, which is not followed.
    case let .success(answer)? where answer.status == 307: return nil
    case let .success(answer)?: found = "is answered \(answer.words), expected events"
    case let .failure(reason)?: found = "has ended: \(reason.response.reason)"
    case nil: found = "shows \(streamed), and a listen \(tree)"
    }
    return WireFinding(
      .restStream, by: .server,
      "the server is asked by REST: GET /.json with accept: text/event-stream \(found)")
  }

  private func write(_ write: ReferenceServer.Write) {
    guard usesREST else { return _ = ask(write.request.below(base)) }
    let request = write.requestOfREST
    ownWrites[askItself(request)] = request
  }

  private func judge(_ answer: RESTExamination.Answer, to write: HTTPRequest?) {
    guard let write else { return }
    let found: String
    switch answer {
    case let .success(answer) where (200..<300).contains(answer.status): return
    case let .success(answer): found = "is answered \(answer.words), expected 200"
    case let .failure(reason): found = "is not answered: \(reason.response.reason)"
    }
    refusedWrite = WireFinding(
      .restWrite, by: .server,
      "the server is asked by REST: \(write.method) \(write.path) \(found)")
  }

  /// Sees what REST shows when all is done, and at the end of a run what it does about the rules named.
  ///
  /// - Returns: What is wrong; nil where nothing is.
  package func examine(in profile: Profile, doing rules: Set<String>) -> WireFinding? {
    guard usesREST else { return nil }
    let examination = RESTExamination(in: profile) { [self] request in
      (try? answer(to: askItself(request)))
        ?? .failure(Refused(504, "nothing has come within 10 s"))
    }
    let queries = lines.keys.sorted().flatMap { lines[$0]?.queries ?? [] }
    return findingOfStream() ?? examination.reading(tree, queries)
      ?? examination.doing(rules, with: tree)
  }
}

extension Relay {
  /// Lets the server here take what the one elsewhere has done.
  ///
  /// - Returns: What that was.
  @discardableResult
  package func handOver(to loop: SocketLoop) -> [(connection: Int, event: Event)] {
    let events = takeEvents()
    for (connection, event) in events {
      loop.perform { live in
        switch event {
        case let .message(message): live.disturb { $0.take(relayed: message, on: connection) }
        case let .response(answer): live.take(relayed: answer, isStream: false, on: connection)
        case let .begun(answer): live.take(relayed: answer, isStream: true, on: connection)
        case .ended: live.disturb { $0.end(relayed: connection) }
        case .odd: break
        }
      }
    }
    return events
  }
}

/// What has come on the thread of sockets.
///
/// Unchecked: what has come is used with `lock` taken.
private final class Inbox: @unchecked Sendable {
  enum Arrival {
    case carried(Carrier.Event)
    case asked(Relay.Event)
  }

  private let lock = SerialLock()
  private var arrivals: [(number: Int, arrival: Arrival)] = []

  func add(_ arrival: Arrival, _ number: Int) { lock.locked { arrivals.append((number, arrival)) } }

  func take() -> [(number: Int, arrival: Arrival)] {
    lock.locked {
      defer { arrivals = [] }
      return arrivals
    }
  }
}
