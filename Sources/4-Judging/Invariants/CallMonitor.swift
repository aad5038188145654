internal import ClientInterface
internal import Scenario
internal import Tree
internal import Wire

/// Follows the calls of one process of a client that write: what each waits for, and how it ends.
struct CallMonitor {
  /// Plain writes without an end, in order of issue.
  private(set) var pending: [PlainWrite] = []
  /// Transactions without an end.
  private(set) var transactions: [CallID: Transaction] = [:]
  /// Writes that were refused.
  private(set) var refused: [PlainWrite] = []
  /// Locations that writes and transactions of this process covered.
  private var covered = PathList<Void>()
  /// Locations where own writes had the server fill something in.
  private var estimated = PathList<Void>()
  private var operations: [CallID: Operation] = Dictionary(minimumCapacity: 12)
  private var ended: Set<CallID> = []
  /// The number of the plain write that ended last.
  private var lastEnded = 0
  /// How many plain writes, and how many on-disconnect requests, ended without an error.
  private var succeeded = (writes: 0, onDisconnects: 0)
  /// The last key that was made in turns before this one, and in this one. What callbacks push within
  /// a push is answered before it.
  private var keys: (before: String?, now: String?)
  private let arrays: ArrayReading

  init(arrays: ArrayReading) {
    self.arrays = arrays
  }

  struct Transaction {
    var path: Path
    var function: TransactionFunction
    var lastInput: JSON?
  }

  /// How many answers the server gave.
  struct Answers {
    var writes = 0
    var onDisconnects = 0
  }

  /// Takes the input of a turn.
  mutating func begin(_ step: ClientStep, _ write: PlainWrite?) {
    keys = (keys.now ?? keys.before, nil)
    if case .frame(.hello) = step.input { keys.before = nil }
    guard case let .call(call, operation) = step.input, !step.isRefusal else { return }
    operations[call] = operation
    if case let .transaction(path, function, _) = operation {
      transactions[call] = Transaction(path: path, function: function)
      cover(path)
    }
    guard let write else { return }
    pending.append(write)
    for set in write.sets {
      cover(set.path)
      if set.node.hasServerValues { estimated.append((), at: set.path) }
    }
  }

  private mutating func cover(_ path: Path) {
    if !covered.has(.at, path) { covered.append((), at: path) }
  }

  func operation(of call: CallID) -> Operation? { operations[call] }

  /// Whether an own write may be all that what is shown at a location rests on.
  func covers(_ path: Path) -> Bool {
    covered.has(.atOrAbove, path)
  }

  /// Whether the server has filled in something there, for an own write.
  func estimates(_ path: Path) -> Bool { estimated.has(.related, path) }
}

extension CallMonitor {
  mutating func takeRun(
    _ call: CallID, _ input: JSON, at sequence: Int, in step: ClientStep
  ) -> [InvariantViolation] {
    transactions[call]?.lastInput = input
    guard ended.contains(call), let operation = operations[call] else { return [] }
    return [
      InvariantViolation(
        .endsOnce, .call(step.client, call, operation), at: sequence,
        "the function ran after the call had ended")
    ]
  }

  /// Takes the answer to a push.
  mutating func takeAnswer(
    _ call: CallID, _ key: JSON, at sequence: Int, in step: ClientStep
  )
    -> [InvariantViolation]
  {
    guard let operation = operations[call], case .push = operation, let text = key.string else {
      return []
    }
    keys.now = keys.now.map { Text($0) < Text(text) ? text : $0 } ?? text
    // A push whose events have a callback push again may be answered after that one.
    if step.isSplit { return [] }
    // Of one millisecond: what a clock that goes back makes is another matter (PSH-9).
    guard let lastKey = keys.before, Text(text) <= Text(lastKey),
      text.utf8.prefix(8).elementsEqual(lastKey.utf8.prefix(8))
    else { return [] }
    return [
      InvariantViolation(
        .ascendingKeys, .call(step.client, call, operation), at: sequence,
        "the key \(text) does not come after \(lastKey), which was made before it")
    ]
  }

  /// Takes the end of a call.
  mutating func take(
    _ completion: Completion, of call: CallID, at sequence: Int, in step: ClientStep,
    _ answers: Answers
  ) -> [InvariantViolation] {
    guard let operation = operations[call] else { return [] }
    let about = InvariantViolation.About.call(step.client, call, operation)
    guard ended.insert(call).inserted else {
      return [InvariantViolation(.endsOnce, about, at: sequence, "the call ended a second time")]
    }
    var findings: [InvariantViolation] = []
    if let index = pending.firstIndex(where: { $0.call == call }) {
      let write = pending.remove(at: index)
      if completion.error != nil { refused.append(write) }
      if write.number < lastEnded {
        findings.append(
          InvariantViolation(
            .endsInOrder, about, at: sequence,
            "the call ended after one that was made later"))
      }
      lastEnded = max(lastEnded, write.number)
      if completion.error == nil { succeeded.writes += 1 }
    } else if operation.kind.family == .onDisconnect, completion.error == nil {
      succeeded.onDisconnects += 1
    }
    if succeeded.writes > answers.writes || succeeded.onDisconnects > answers.onDisconnects {
      findings.append(
        InvariantViolation(
          .answeredFirst, about, at: sequence, "the call succeeded before the server answered"))
      succeeded = (answers.writes, answers.onDisconnects)
    }
    return findings + commit(call, completion, about, at: sequence)
  }

  private mutating func commit(
    _ call: CallID, _ completion: Completion, _ about: InvariantViolation.About, at sequence: Int
  ) -> [InvariantViolation] {
    guard let transaction = transactions.removeValue(forKey: call),
      completion.committed == true, let value = completion.value?.plainJSON(arrays),
      let input = transaction.lastInput, case let .returned(result) = transaction.function(input)
    else { return [] }
    let node = Node(json: result)
    let returned = node.plainJSON(arrays)
    guard !node.hasServerValues, returned != value else { return [] }
    return [
      InvariantViolation(
        .committedResult, about, at: sequence,
        "the transaction committed \(value.text), but its function returned \(returned.text)")
    ]
  }
}
