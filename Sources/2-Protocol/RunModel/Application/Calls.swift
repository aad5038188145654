package import ClientInterface
package import Tree
internal import Wire

/// What the applications of one client asked for, in all its processes, and what became of it: at the
/// client, on the wire, and at the server.
package struct Calls {
  /// Plain writes and transactions of all processes, in the order of the calls.
  package internal(set) var requested: [RequestedCall] = []
  /// All calls before this one have ended.
  private var firstOpen = 0
  /// The plain writes of all processes that have not ended, by their positions.
  private(set) var openWrites = PathTable<Int>()
  /// The first call of this process.
  var firstOwn = 0
  /// Those that were open before this turn.
  private var before = 0..<0
  private var endedNow: [Int] = []
  /// How often one of them has ended, or was found not to have been made.
  package private(set) var endCount = 0

  /// All calls of this process, and where each stands.
  private var made: [Made] = []
  private var names = NameTable<CallID>()
  /// Plain writes of this process that failed.
  package private(set) var refused: [PlainWrite] = []
  /// The number of the plain write that ended last.
  private var lastEnded = 0
  /// Pushes that have not been answered with their keys: on a real clock the answer is a turn apart.
  private var pushes: [CallID: Operation] = [:]
  /// Where keys were made for nothing.
  private(set) var emptyPushes: [Path] = []
  /// The last key that was made in turns before this one, and in this one. What callbacks push within
  /// a push is answered before it. A push that was refused since, or made in a
  /// callback, may have used up a key.
  private var keys: (before: String?, now: String?, mayLack: Bool) = (nil, nil, false)
  /// Where an own write or transaction of this process may be all that what is shown at or below rests
  /// on, and where the server fills in something for a write of this process, or of an earlier one that
  /// it sends.
  private(set) var covered = PathList<Void>()
  package private(set) var estimated = PathList<Void>()

  /// What this process has on its way to the server.
  private(set) var queue = SendQueue()

  /// The calls about disconnection, whose writes the client may show before the server does.
  package private(set) var onDisconnects: [Operation] = []
  /// What each sign-in gave, and `nil` for each sign-out.
  private(set) var credentials: [String?] = []
  /// How many of them earlier processes were given.
  private(set) var credentialsBefore = 0
  /// Whether no user may be signed in although one was to be: the server refused or revoked a
  /// credential, or a process began again.
  private(set) var hasLostCredential = false
  /// Whether the server has refused or revoked a credential: of any process, and of this one or an
  /// earlier one since the server accepted one from this process.
  package private(set) var refusedCredential = (ever: false, lately: false)

  /// The conditional puts of the client by the numbers of their requests.
  package private(set) var puts: [Int: TransactionPut] = [:]
  /// The requests that carry only writes which had ended when they were sent. What an earlier
  /// connection still delivers is none of them.
  private(set) var sentAfterEnd: Set<Int> = []
  /// The plain writes that were given up without an answer, and may have been on their way.
  private(set) var givenUp: [Int] = []
  /// The call behind the last plain write that the server accepted over this connection.
  var accepted = 0
  /// The last of the calls that have taken effect over this connection.
  var lastEffect = -1
  /// Counts the beginnings and ends of connections.
  private(set) var connection = 0
  /// What the client had stored when its process began, and what it has stored and erased since, if
  /// everything went well.
  private var stored: [(key: String, text: String?)] = []
  /// Whether a process found something else than that, so that it may not know what was done.
  package private(set) var hasStorageFailed = false

  /// What happened in the last turn, in the order of its outputs.
  package private(set) var facts: [CallFact] = []
  /// Whether a transaction was open before the last turn, or when it had begun.
  package private(set) var transactionWasOpen = (before: false, begun: false)

  /// What the plain write sets with which the last turn began.
  package private(set) var begun: [(path: Path, node: Node)] = []

  // What is asked in every turn is kept: to call a method of a large value takes a copy of it.
  /// Plain writes of this process without an end, in order of issue; those that end in this turn
  /// have ended.
  package private(set) var pending: [PlainWrite] = []
  /// How many transactions of this process have no end.
  private var openTransactionCount = 0
  /// Whether there are calls that may be shown in this turn.
  package private(set) var mayBeShown = false
  /// Whether an earlier process may have left writes that this one sends.
  package private(set) var hasInherited = false

  private struct Made {
    var operation: Operation
    var hasEnded = false
    /// Where it stands among those that write; `nil` for others.
    var position: Int?
  }

  package init() {}
}

// MARK: - Turns

extension Calls {
  /// Takes one turn.
  mutating func take(_ step: ClientStep) {
    before = open
    if !endedNow.isEmpty { endedNow.removeAllKeepingStorage() }
    if !begun.isEmpty { begun = [] }
    if !facts.isEmpty { facts.removeAll(keepingCapacity: true) }
    if let now = keys.now { (keys.before, keys.now) = (now, nil) }
    if step.isSplit { keys.mayLack = true }
    transactionWasOpen.before = openTransactionCount > 0
    begin(step)
    transactionWasOpen.begun = openTransactionCount > 0
    if step.effects.concernCalls {
      for index in step.outputs.indices { take(step.outputs[index], in: step) }
    }
    while firstOpen < requested.count, requested[firstOpen].hasEnded { firstOpen += 1 }
    mayBeShown = before.lowerBound < requested.count
  }

  private mutating func begin(_ step: ClientStep) {
    switch step.input {
    case let .open(opening): beginProcess(opening)
    case let .call(call, operation):
      if !step.isRefusal {
        begin(call, operation, answer: step.answer, step.sequence)
      } else if case .push = operation {
        keys.mayLack = true
      }
    case .closed:
      queue.loseConnection()
      queue.clear()
    case .refused, .opened: queue.clear()
    case .frame(.hello): keys.before = nil
    case let .frame(.response(response)):
      if let isAccepted = queue.take(response) {
        refusedCredential.lately = !isAccepted
        if !isAccepted { refusedCredential.ever = true }
      }
    case .frame(.credentialRevoked): refusedCredential = (true, true)
    case .frame, .timer, .close: break
    }
  }

  private mutating func beginProcess(_ opening: ClientInput.Opening) {
    if !credentials.isEmpty { hasLostCredential = true }
    credentialsBefore = credentials.count
    inherit(opening.storage)
    for index in open where requested[index].isTransaction || opening.persistence == nil {
      requested[index].hasEnded = true
    }
    if openWrites.count > 0 { openWrites.removeAll { requested[$0].hasEnded } }
    firstOwn = requested.count
    endCount += 1
    (pending, openTransactionCount) = ([], 0)
    hasInherited = !opening.storage.isEmpty
    made.removeAll(keepingCapacity: true)
    names.removeAll()
    (refused, lastEnded, keys) = ([], 0, (nil, nil, false))
    (covered, estimated) = (PathList(), PathList())
    for index in open where !requested[index].hasEnded {
      if let write = requested[index].write { noteEstimates(of: write) }
    }
    queue = SendQueue()
    // An earlier process may have left its pause, also where its storage was rolled back.
    refusedCredential.lately = refusedCredential.ever
    transactionWasOpen.before = false
  }

  private mutating func inherit(_ storage: [ClientInput.StoredItem]) {
    defer { stored = storage.map { ($0.key, $0.text) } }
    if storage.isEmpty, stored.isEmpty { return }
    var left: [Text: String] = [:]
    for item in stored { left[Text(item.key)] = item.text }
    let isAsLeft =
      storage.count == left.count && storage.allSatisfy { left[Text($0.key)] == $0.text }
    if !isAsLeft { hasStorageFailed = true }
  }

  private mutating func begin(
    _ call: CallID, _ operation: Operation, answer: JSON?, _ number: Int
  ) {
    if let known = names[call] {
      made[known].operation = operation
    } else {
      names.append(call)
      made.append(Made(operation: operation))
    }
    if let write = operation.plainWrite(as: call, number: number, key: answer) {
      begun = write.sets
      return add(call, operation, .write(write), at: write.path)
    }
    switch operation {
    case let .transaction(path, function, localEvents):
      cover(path)
      add(call, operation, .transaction(function, localEvents), at: path)
    case let .authenticate(token): credentials.append(token)
    case .unauthenticate: credentials.append(nil)
    case .purgeWrites: givenUp += queue.purge()
    case let .push(path, node?):
      if node.isEmpty { emptyPushes.append(path) } else { pushes[call] = operation }
    default:
      guard operation.kind.family == .onDisconnect, operation.path != nil else { return }
      onDisconnects.append(operation)
      queue.onDisconnects.append(operation)
    }
  }

  private mutating func add(
    _ call: CallID, _ operation: Operation, _ content: RequestedCall.Content, at path: Path
  ) {
    switch content {
    case .transaction: openTransactionCount += 1
    case let .write(write):
      pending.append(write)
      openWrites.append(requested.count, at: write.path)
      queue.writes.append(requested.count)
      for set in write.sets { cover(set.path) }
      noteEstimates(of: write)
    }
    if let known = names[call] { made[known].position = requested.count }
    requested.append(
      RequestedCall(
        call: call, operation: operation, content: content, path: path,
        credentials: credentials.count))
  }

  private mutating func noteEstimates(of write: PlainWrite) {
    for set in write.sets where set.node.hasServerValues { estimated.append((), at: set.path) }
  }

  private mutating func cover(_ path: Path) {
    if !covered.has(.at, path) { covered.append((), at: path) }
  }
}

// MARK: - Outputs

extension Calls {
  private mutating func take(_ done: ClientStep.Done, in step: ClientStep) {
    switch done.output.topic {
    case let .call(call, .updateRan(input)):
      if let index = open(call) { requested[index].inputs.append(input) }
      if let known = names[call], made[known].hasEnded {
        record(.ranAfterEnd, of: (call, made[known].operation), at: done.sequence)
      }
    case let .call(call, .completed(completion)): end(call, completion, at: done.sequence)
    case let .send(.request(number, request)):
      if let fact = send(request, number) { record(fact, of: nil, at: done.sequence) }
    case let .call(call, .answered(key)): take(key, answering: call, at: done.sequence, in: step)
    case let .storage(key, text): stored.append((key, text))
    case let .call(call, .threw):
      pushes.removeValue(forKey: call)
      if case .call = step.input { break }
      if requested.count > firstOpen, requested[requested.count - 1].call == call {
        let last = requested.count - 1
        queue.writes.removeAll { $0 == last }
        pending.removeAll { $0.call == call }
        close(last)
        if requested.removeLast().isTransaction { openTransactionCount -= 1 }
        endCount += 1
      }
    case .disconnect: queue.clear()
    case .connect, .send, .timer, .listener, .nesting, .uncaught, .remark: break
    }
  }

  private mutating func record(_ what: CallFact.What, of call: CallFact.Call?, at sequence: Int) {
    facts.append(CallFact(sequence: sequence, call: call, what: what))
  }

  private mutating func end(_ call: CallID, _ completion: Completion, at sequence: Int) {
    let index = open(call)
    if let index {
      requested[index].hasEnded = true
      close(index)
      endedNow.append(index)
      endCount += 1
    }
    guard let known = names[call] else { return }
    let subject = (call, made[known].operation)
    var isOfTransaction = false
    if made[known].hasEnded {
      record(.endedAgain, of: subject, at: sequence)
    } else {
      made[known].hasEnded = true
      if let index, index >= firstOwn {
        isOfTransaction = requested[index].isTransaction
        for fact in follow(completion, of: index) { record(fact, of: subject, at: sequence) }
      } else if subject.1.kind.family == .onDisconnect,
        queue.end(.onDisconnect, completion)
      {
        record(.endedEarly, of: subject, at: sequence)
      }
    }
    if completion.error != nil, completion.committed == true {
      record(.failedAndCommitted, of: subject, at: sequence)
    }
    if let index, completion.error == nil, completion.committed != false,
      requested[index].acceptance == .none
    {
      record(
        .unaccepted(requested[index].path, isOfTransaction: isOfTransaction), of: subject,
        at: sequence)
    }
  }

  /// A call is no open write any more, if it was one.
  private mutating func close(_ index: Int) {
    let place = openWrites.first(.at, requested[index].path) { openWrites[$0] == index }
    if let place { openWrites.remove(at: place) }
  }

  /// The first end of a call of this process.
  ///
  /// - Returns: What is remarkable about it: in most cases nothing is.
  private mutating func follow(_ completion: Completion, of index: Int) -> [CallFact.What] {
    switch requested[index].content {
    case let .write(write):
      // Nearly always the first one.
      if let place = pending.firstIndex(where: { $0 === write }) { pending.remove(at: place) }
      if completion.error != nil { refused.append(write) }
      var facts: [CallFact.What] = []
      if write.number < lastEnded { facts.append(.overtaken) }
      lastEnded = max(lastEnded, write.number)
      if queue.end(.write(index), completion) { facts.append(.endedEarly) }
      return facts
    case let .transaction(function, _):
      openTransactionCount -= 1
      guard completion.committed == true, let value = completion.value,
        let input = requested[index].inputs.last
      else { return [] }
      return [.committed(value, function, input: input)]
    }
  }

  private mutating func take(
    _ key: JSON, answering call: CallID, at sequence: Int, in step: ClientStep
  ) {
    if let push = pushes.removeValue(forKey: call),
      let write = push.plainWrite(as: call, number: step.sequence, key: key)
    {
      add(call, push, .write(write), at: write.path)
    }
    guard let operation = operation(of: call), case .push = operation, let text = key.string
    else { return }
    let isNext = keys.now == nil && !keys.mayLack
    keys.now = keys.now.map { Text($0) < Text(text) ? text : $0 } ?? text
    // A push whose events have a callback push again may be answered after that one.
    if step.isSplit { return }
    keys.mayLack = false
    // Of one millisecond: what a clock that goes back makes is another matter (PSH-9).
    guard let lastKey = keys.before, text.utf8.prefix(8).elementsEqual(lastKey.utf8.prefix(8))
    else { return }
    let next = isNext ? Self.key(after: lastKey) : nil
    if next.map({ $0 == text }) ?? (Text(text) > Text(lastKey)) { return }
    record(.keyed(text, after: lastKey), of: (call, operation), at: sequence)
  }

  /// The push id that is one more in its last twelve characters (PSH-3); `nil` after the greatest.
  private static func key(after key: String) -> String? {
    let digits = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)
    var text = Array(key.utf8)
    for index in text.indices.dropFirst(8).reversed() {
      guard let digit = digits.firstIndex(of: text[index]) else { return nil }
      text[index] = digits[(digit + 1) % digits.count]
      if digit + 1 < digits.count { return String(decoding: text, as: UTF8.self) }
    }
    return nil
  }

  /// - Returns: What is remarkable about where the request stands among others.
  private mutating func send(_ request: Request, _ number: Int) -> CallFact.What? {
    switch request {
    case .put(_, _, _?): carry(request, number)
    case .put, .merge:
      guard request.isPlainWrite else { return nil }
      if !isOpenWrite(request) { sentAfterEnd.insert(number) }
      return queue.send(
        request, number, of: requested,
        isTolerated: hasInherited || request.isEmptyPush(at: emptyPushes))
    case .onDisconnectPut, .onDisconnectMerge, .onDisconnectCancel:
      return queue.send(onDisconnect: request, number)
    case .authenticate: queue.sendCredential(number)
    case .listen, .unlisten, .get, .stats, .unauthenticate: break
    }
    return nil
  }

  private mutating func carry(_ request: Request, _ number: Int) {
    guard case let .put(path, node, _?) = request else { return }
    let carried = open.compactMap { index -> (index: Int, input: JSON)? in
      guard !requested[index].hasEnded, requested[index].acceptance != .certain,
        let input = requested[index].inputs.last, requested[index].path.starts(with: path),
        requested[index].isTransaction
      else { return nil }
      return (index, input)
    }
    puts[number] = TransactionPut(path: path, node: node, carried: carried)
  }
}

// MARK: - The server

extension Calls {
  /// A connection of the client began or ended: what has no answer may come again.
  package mutating func beginConnection() {
    (accepted, lastEffect) = (0, -1)
    connection += 1
  }

  /// Perhaps no user is signed in, although one was to be.
  package mutating func loseCredential() { hasLostCredential = true }
}

// MARK: - Questions

extension Calls {
  var open: Range<Int> { firstOpen..<requested.count }

  /// The last one: a later process may use the name of a call that ended with an earlier process.
  private func open(_ call: CallID) -> Int? {
    func isOpen(_ index: Int) -> Bool {
      requested[index].call == call && !requested[index].hasEnded
    }
    if let known = names[call], let own = made[known].position, open.contains(own), isOpen(own) {
      return own
    }
    return open.last(where: isOpen)
  }

  private var own: Range<Int> { max(firstOpen, firstOwn)..<requested.count }

  /// Whether some have ended in this turn.
  package var endsInTurn: Bool { !endedNow.isEmpty }

  /// Whether the client has no plain write and no transaction of this process that has not ended.
  package var isIdle: Bool { pending.isEmpty && openTransactionCount == 0 }

  /// Transactions of this process without an end, in order of issue.
  package var openTransactions: [RequestedCall] {
    own.compactMap { index in
      requested[index].hasEnded || !requested[index].isTransaction ? nil : requested[index]
    }
  }

  /// What the call with this name asked of this process.
  package func operation(of call: CallID) -> Operation? { names[call].map { made[$0].operation } }

  /// A plain write that may be shown in this turn. An event of the turn need not show it if it began
  /// or ended in the turn, or an earlier process made it.
  package typealias Layer = (write: PlainWrite, mayBeHidden: Bool)

  /// What may lie over the server's data at a location in this turn: the plain writes there that have
  /// no end, or ended in it, in order; `nil` where the result of a transaction may.
  package func layers(over path: Path) -> [Layer]? {
    var layers: [Layer] = []
    for index in before.lowerBound..<requested.count
    where !requested[index].hasEnded || endedNow.contains(index) {
      switch requested[index].content {
      case let .write(write):
        if !write.reaches(path) { continue }
        let isOfTurn = index >= before.upperBound || requested[index].hasEnded
        layers.append((write, mayBeHidden: index < firstOwn || isOfTurn))
      case .transaction(_, .shown):
        if requested[index].path.isRelated(to: path) { return nil }
      case .transaction(_, .hidden): break
      }
    }
    return layers
  }

  /// What the server has accepted of this process's plain writes that reach a path, in order, as far as
  /// they have ended.
  package func acceptedSets(over path: Path) -> [(path: Path, node: Node)] {
    var sets: [(path: Path, node: Node)] = []
    for call in requested[firstOwn...] where call.hasEnded && call.acceptance == .certain {
      if let write = call.write, write.reaches(path) { sets += write.sets }
    }
    return sets
  }

  /// Whether a put with this number carries all transactions of this process that have no end, or had
  /// none before this turn, and can be seen at a path.
  package func carriesAll(over path: Path, by number: Int) -> Bool {
    let carried = puts[number]?.carried.map(\.index) ?? []
    return (before.lowerBound..<requested.count).allSatisfy { index in
      !requested[index].isTransaction || !requested[index].path.isRelated(to: path)
        || carried.contains(index)
    }
  }

  /// The first on-disconnect call that has not gone out and must have.
  package var unsentOnDisconnect: Operation? { queue.unsentOnDisconnect }

  /// Whether a request carries a plain write without an end. That is the next one, nearly always.
  private func isOpenWrite(_ request: Request) -> Bool {
    if let next = queue.next, isOpenWrite(next, carriedBy: request) { return true }
    return firstOpenWrite(carriedBy: request) { _ in true } != nil
  }

  /// Whether a call is a plain write without an end that a request carries.
  func isOpenWrite(_ index: Int, carriedBy request: Request) -> Bool {
    !requested[index].hasEnded && requested.isWrite(at: index, carriedBy: request)
  }

  /// The first plain write without an end that a request carries and that is picked.
  func firstOpenWrite(carriedBy request: Request, where isPicked: (Int) -> Bool) -> Int? {
    guard let path = request.path else { return nil }
    return openWrites.first(.at, path) { place in
      let index = openWrites[place]
      return isPicked(index) && requested.isWrite(at: index, carriedBy: request)
    }.map { openWrites[$0] }
  }

  /// The plain writes without an end that a request carries.
  func openWrites(carriedBy request: Request) -> [Int] {
    guard let path = request.path else { return [] }
    return openWrites.positions(.at, path).map { openWrites[$0] }
      .filter { requested.isWrite(at: $0, carriedBy: request) }
  }

  /// The credential with which a call was made; `nil` for no user.
  package func credential(of call: RequestedCall) -> String? {
    call.credentials > 0 ? credentials[call.credentials - 1] : nil
  }
}
