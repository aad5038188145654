package import ClientInterface
package import Tree
internal import Wire

/// A transaction that has not come to its end.
package struct Transaction: Sendable {
  package enum State: Sendable {
    /// Ran, and waits to be sent.
    case waiting
    /// On its way to the server.
    case sent
    /// On its way, but a set has overtaken it: it ends unless the server accepts it (TXN-10).
    case overtaken
    /// To be ended with this error.
    case failed(ErrorCode)

    var isWaiting: Bool { if case .waiting = self { true } else { false } }
  }

  /// Counts up in order of issue.
  let id: Int
  package let call: CallID
  package let path: Path
  package let function: TransactionFunction
  let localEvents: Operation.LocalEvents
  /// The registration that keeps the data under it coming.
  let watch: Listening
  package internal(set) var state = State.waiting
  /// How often it was sent.
  var attempts = 0
  /// What the function saw last.
  var input = Node.empty
  /// What it made of it, placeholders for server values included.
  var output = Node.empty
  /// The same with estimates: what is shown, and returned at the end.
  var estimate = Node.empty
  /// The pending write that shows it; 0 before the first run.
  var write = 0

  /// TXN-7: how often a transaction is sent before it is given up.
  static let maxAttempts = 25
}

// MARK: - Running

extension ReferenceClient {
  /// Runs the function at once on what is known, shows the result and sends it (TXN-1).
  mutating func runTransaction(
    _ function: TransactionFunction, at path: Path, _ localEvents: Operation.LocalEvents,
    as call: CallID
  ) {
    let watch = registerAndListen(nil, .init(path), [.value], .lasting).listening
    let ignored = policy.functionsSeeWrites ? [] : tree.writes.all.map(\.id)
    let input = tree.latest(at: path, ignoring: ignored)
    var transaction = Transaction(
      id: nextTransaction, call: call, path: path, function: function, localEvents: localEvents,
      watch: watch)
    if let completion = run(&transaction, on: input) {
      stopListening(watch)
      return complete(call, completion)
    }
    nextTransaction += 1
    transactions.append(transaction)
    raise()
    sendReadyTransactions()
  }

  /// Runs the function and shows the result, as far as listeners are to see it.
  ///
  /// - Returns: How the transaction ends if there is no result.
  private mutating func run(_ transaction: inout Transaction, on input: Node) -> Completion? {
    let (call, path) = (transaction.call, transaction.path)
    let plain = input.plainJSON(profile.arrays)
    outputs.append(.updateRan(call, input: plain))
    let function = transaction.function
    switch functionRunner?(call, input) ?? function.run(on: input, readAs: plain, policy) {
    case let .ended(completion): return completion
    case let .wrote(output):
      let estimate = estimated(output, at: path)
      let isVisible = transaction.localEvents == .shown
      let write = tree.write(at: path, [(path, estimate)], isVisible: isVisible)
      queue.add(write.events)
      (transaction.input, transaction.output) = (input, output)
      (transaction.estimate, transaction.write) = (estimate, write.id)
      return nil
    }
  }

  private func indices(below path: Path) -> [Int] {
    transactions.indices.filter { transactions[$0].path.starts(with: path) }
  }

  /// The outermost location at or above `path` that has a transaction, or `path` itself.
  private func outermostPath(above path: Path) -> Path {
    if transactions.isEmpty { return path }
    return path.lineage.first { ancestor in transactions.contains { $0.path == ancestor } } ?? path
  }
}

extension TransactionFunction {
  /// What became of a run.
  package enum Run {
    case wrote(Node)
    case ended(Completion)
  }

  /// Runs the function on a node, whose value it sees as applications do, without priorities. What it
  /// returns has the priority that it names, else keeps the old one (TXN-20).
  fileprivate func run(on input: Node, readAs plain: JSON, _ policy: ClientPolicy) -> Run {
    switch self(plain) {
    case .failed where policy.breakdownsAreErrors:
      return .ended(Completion(error: "usercode", committed: false))
    case .aborted, .failed: return .ended(Completion(committed: false, value: input))
    case let .returned(result):
      let node = Node(json: result)
      return .wrote(result[".priority"] == nil ? node.settingPriority(input.priority) : node)
    }
  }
}

// MARK: - Sending

extension ReferenceClient {
  /// Sends what can be sent: all transactions at and below one location go as one put, and only
  /// when none of them is on its way already (TXN-15).
  mutating func sendReadyTransactions() {
    let paths = Set(transactions.map { outermostPath(above: $0.path) }).sorted()
    for path in paths where !sendTransactions(below: path) {
      // Some ended instead, which may let others go.
      return sendReadyTransactions()
    }
  }

  /// Sends the transactions at and below a location if all of them wait.
  ///
  /// - Returns: Whether none of them ended.
  private mutating func sendTransactions(below path: Path) -> Bool {
    var queue = indices(below: path)
    if !policy.transactionsWait { queue.removeAll { !transactions[$0].state.isWaiting } }
    guard !queue.isEmpty, queue.allSatisfy({ transactions[$0].state.isWaiting }) else {
      return true
    }
    // TXN-26: the hash vouches for what the functions saw, so they see it first.
    if areOutdated(queue), policy.inputIsCheckedBeforeSending {
      let count = transactions.count
      runAgain(below: path)
      if transactions.count < count { return false }
    }
    let base = input(at: path, ignoring: queue.map { transactions[$0].write })
    var data = base
    for index in queue {
      transactions[index].state = .sent
      transactions[index].attempts += 1
      let below = transactions[index].path.dropFirst(path.count)
      data = data.setting(transactions[index].output, at: below)
    }
    send(
      .put(path, data, hash: base.hash), for: .transactions(queue.map { transactions[$0].id }))
    return true
  }

  /// What a function at `path` is given, and what the hash of its put vouches for.
  ///
  /// Of a location that is not known as a whole, what transactions below it were given belongs to
  /// it: a hash that vouched for less, or for more than the function was given, would let the server
  /// store a result that was computed from other data (TXN-26).
  private func input(at path: Path, ignoring ignored: [Int]) -> Node {
    let input = tree.latest(at: path, ignoring: ignored)
    guard policy.functionsSeeParts else { return input }
    let below = transactions.map(\.path).filter { $0.count > path.count && $0.starts(with: path) }
    return below.sorted { $0.count < $1.count }.reduce(input) { input, location in
      let known = tree.latest(at: location, ignoring: ignored)
      return input.setting(known, at: location.dropFirst(path.count))
    }
  }

  /// Whether waiting transactions that data at `path` concern would see other data than they saw.
  func hasOutdatedTransactions(near path: Path) -> Bool {
    areOutdated(indices(below: outermostPath(above: path)))
  }

  /// Whether one of those that wait would get another input than in its last run.
  private func areOutdated(_ queue: [Int]) -> Bool {
    guard policy.newInputCausesReruns else { return false }
    var ignored = queue.filter { transactions[$0].state.isWaiting }.map { transactions[$0].write }
    for index in queue where transactions[index].state.isWaiting {
      let transaction = transactions[index]
      if input(at: transaction.path, ignoring: ignored) != transaction.input { return true }
      ignored.removeAll { $0 == transaction.write }
    }
    return false
  }

  /// The server answered a put of transactions, or the connection broke under it.
  mutating func finishTransactions(_ ids: [Int], at path: Path, status: String) {
    if status == "ok" { return commit(ids) }
    for index in transactions.indices where ids.contains(transactions[index].id) {
      switch (status, transactions[index].state) {
      case ("datastale", .overtaken): transactions[index].state = .failed("set")
      case ("datastale", _): transactions[index].state = .waiting
      default: transactions[index].state = .failed(ErrorCode(status))
      }
    }
    rerunTransactions(at: path)
  }

  private mutating func commit(_ ids: [Int]) {
    let committed = transactions.filter { ids.contains($0.id) }
    for transaction in committed {
      queue.add(tree.settle(transaction.write, as: .acknowledged))
      stopListening(transaction.watch)
    }
    transactions.removeAll { ids.contains($0.id) }
    sendReadyTransactions()
    raise()
    for transaction in committed {
      complete(transaction.call, Completion(committed: true, value: transaction.estimate))
    }
  }
}

// MARK: - Running again

extension ReferenceClient {
  /// Runs the transactions at, above and below `changed` again, as far as they are not on their
  /// way, and ends those that failed (TXN-16).
  mutating func rerunTransactions(at changed: Path) {
    let path = outermostPath(above: changed)
    guard !indices(below: path).isEmpty else { return }
    runAgain(below: path)
    sendReadyTransactions()
  }

  private mutating func runAgain(below path: Path) {
    let ids = indices(below: path).map { transactions[$0].id }
    // The results of those that run again are left out of what the earlier ones of them see.
    var ignored = transactions.filter {
      ids.contains($0.id) && ($0.state.isWaiting || !policy.rerunsSeeSentResults)
    }.map(\.write)
    var endings: [(transaction: Transaction, completion: Completion)] = []
    for id in ids {
      guard let index = transactions.firstIndex(where: { $0.id == id }) else { continue }
      if let completion = rerun(index, ignoring: &ignored) {
        let transaction = transactions.remove(at: index)
        queue.add(tree.settle(transaction.write, as: .reverted))
        endings.append((transaction, completion))
      }
      if !policy.dataPrecedeResults { raise() }
    }
    raise()
    for ending in endings { inNextTurn(.stopWatching(ending.transaction.watch)) }
    for ending in endings { complete(ending.transaction.call, ending.completion) }
  }

  /// - Returns: How it ends, if it did not commit and does not go on.
  private mutating func rerun(_ index: Int, ignoring ignored: inout [Int]) -> Completion? {
    switch transactions[index].state {
    case .sent, .overtaken: return nil
    case let .failed(error): return Completion(error: error, committed: false)
    case .waiting: break
    }
    if transactions[index].attempts >= Transaction.maxAttempts {
      return Completion(error: "maxretry", committed: false)
    }
    var transaction = transactions[index]
    let last = transaction.write
    if let completion = run(&transaction, on: input(at: transaction.path, ignoring: ignored)) {
      return policy.brokenRunsEnd ? completion : nil
    }
    transactions[index] = transaction
    ignored.removeAll { $0 == last }
    queue.add(tree.settle(last, as: .reverted))
    return nil
  }
}

// MARK: - Being overtaken

extension ReferenceClient {
  /// A set reached `path`: transactions above, at and below it that are not on their way end now;
  /// those that are end unless the server has accepted them (TXN-9).
  ///
  /// - Returns: The location from which transactions that go on are to run again.
  mutating func abortTransactions(relatedTo path: Path) -> Path {
    if transactions.isEmpty { return path }
    let outermost = outermostPath(above: path)
    let paths = Set(transactions.map(\.path).filter { $0.isRelated(to: path) })
    let above = paths.filter { $0.count < path.count }.sorted().reversed()
    let below = paths.filter { $0.count >= path.count }.sorted()
    for other in above + below { abortTransactions(exactlyAt: other) }
    return outermost
  }

  private mutating func abortTransactions(exactlyAt path: Path) {
    let isLost = !policy.overtakenTwiceAreAwaited
    var ended: [Transaction] = []
    transactions.removeAll { transaction in
      guard transaction.path == path else { return false }
      switch transaction.state {
      case .sent: return false
      case .overtaken: return isLost
      case .waiting, .failed:
        ended.append(transaction)
        return true
      }
    }
    for index in transactions.indices where transactions[index].path == path {
      transactions[index].state = .overtaken
    }
    var events: [PendingEvent] = []
    for transaction in ended {
      stopListening(transaction.watch)
      if policy.overtakenResultsGo {
        events += tree.settle(transaction.write, as: .reverted)
      }
    }
    raise(events)
    for transaction in ended {
      complete(transaction.call, Completion(error: "set", committed: false))
    }
  }
}
