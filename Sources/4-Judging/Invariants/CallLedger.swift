internal import ClientInterface
internal import Tree
internal import Wire

/// A plain write or a transaction that an application asked for, and what the server made of it.
struct RequestedCall {
  let call: CallID
  let operation: Operation
  let content: Content
  let path: Path
  /// How many sign-ins and sign-outs the client was asked for before.
  let credentials: Int
  var acceptance = Acceptance.none
  /// The connection over which the server accepted it; `nil` where that is not certain.
  var connection: Int?
  /// Whether its end was reported, or it ended with its process.
  var hasEnded = false
  /// What the function of a transaction was given, run by run.
  var inputs: [JSON] = []
  /// What the last put that may carry a transaction writes at its path.
  var sent = Node.empty

  enum Content {
    case write(PlainWrite)
    case transaction(TransactionFunction, Operation.LocalEvents)
  }

  /// Whether the server has accepted it.
  enum Acceptance {
    case none
    /// It may have been part of what the server accepted.
    case possible
    case certain
  }

  var write: PlainWrite? {
    if case let .write(write) = content { write } else { nil }
  }

  var isTransaction: Bool { if case .transaction = content { true } else { false } }

  /// What another call says about the same data.
  func isRelated(to other: RequestedCall) -> Bool {
    write?.reaches(other.path) ?? other.write?.reaches(path) ?? path.isRelated(to: other.path)
  }
}

/// What the applications of one client asked for in all its processes, in the order of the calls.
struct CallLedger {
  var calls: [RequestedCall] = []
  /// All calls before this one have ended.
  private(set) var firstOpen = 0
  /// The first call of this process, the first that was open before this step, and how many calls
  /// there were then.
  private var firstOwn = 0
  private var before = 0..<0
  private var endedNow: [Int] = []
  /// Pushes that have not been answered with their keys: on a real clock the answer is a step apart.
  private var pushes: [CallID: Operation] = [:]
  /// Where keys were made for nothing.
  private(set) var emptyPushes: [Path] = []
  /// Where on-disconnect requests write, which the client may show before the server does.
  private(set) var wills: [Path] = []
  /// Whether one of them may give data a priority.
  private(set) var willsGivePriorities = false
  /// What each sign-in gave, and `nil` for each sign-out.
  private(set) var credentials: [String?] = []
  /// How many of them earlier processes were given.
  private var credentialsBefore = 0
  /// The conditional puts of the client by the numbers of their requests.
  private(set) var puts: [Int: SentPut] = [:]
  /// The requests that carry only writes which had ended when they were sent. What an earlier
  /// connection still delivers is none of them.
  private(set) var sentAfterEnd: Set<Int> = []
  /// The call behind the last plain write that the server accepted over this connection.
  var accepted = 0
  /// Counts the beginnings and ends of connections.
  var connection = 0
  /// Whether no user may be signed in although one was to be: the server refused or revoked a
  /// credential, or a process began again.
  var hasLostCredential = false
  /// What the client had stored, if everything went well.
  private var stored: [String: String] = [:]
  /// Whether a process found something else than that, so that it may not know what was done.
  private(set) var hasStorageFailed = false

  struct SentPut {
    let path: Path
    let node: Node
    /// The transactions that may have gone into it, by their positions, and what each was given.
    let carried: [(index: Int, input: JSON)]
  }

  var open: Range<Int> { firstOpen..<calls.count }

  /// Whether nothing may be shown in this step.
  var showsNothing: Bool { before.lowerBound == calls.count && wills.isEmpty }

  /// What may be shown in this step: the calls without an end, and those that it ended.
  var shown: [Int] {
    (before.lowerBound..<calls.count).filter { !calls[$0].hasEnded || endedNow.contains($0) }
  }

  /// Whether an event of this step need not show a plain write: it began or ended in the step, or an
  /// earlier process made it.
  func mayBeHidden(_ index: Int) -> Bool {
    index < firstOwn || index >= before.upperBound || calls[index].hasEnded
  }

  /// Takes one step; `write` is the plain write that it began with.
  ///
  /// - Returns: The calls that ended without an error although the server never accepted them.
  mutating func take(_ step: ClientStep, _ write: PlainWrite?) -> [(index: Int, sequence: Int)] {
    before = open
    if !endedNow.isEmpty { endedNow = [] }
    if !step.isRefusal { begin(step.input, write) }
    guard step.concernsWrites || !pushes.isEmpty else { return [] }
    var unaccepted: [(index: Int, sequence: Int)] = []
    for done in step.outputs {
      switch done.output {
      case let .updateRan(call, input):
        if let index = open(call) { calls[index].inputs.append(input) }
      case let .completed(call, completion):
        guard let index = open(call) else { break }
        calls[index].hasEnded = true
        endedNow.append(index)
        let isDone = completion.error == nil && completion.committed != false
        if isDone, calls[index].acceptance == .none { unaccepted.append((index, done.sequence)) }
      case let .send(.request(number, request)): record(request, numbered: number)
      case let .answered(call, key):
        if let push = pushes.removeValue(forKey: call),
          let write = PlainWrite(push, as: call, number: step.sequence, key: key)
        {
          add(call, push, .write(write), at: write.path)
        }
      case let .store(key, text): stored[key] = text
      case let .erase(key): stored[key] = nil
      case let .threw(call, _):
        pushes.removeValue(forKey: call)
        if case .call = step.input { break }
        if calls.count > firstOpen, calls[calls.count - 1].call == call { calls.removeLast() }
      case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .event, .cancelled,
        .calling, .returned, .uncaught, .log:
        break
      }
    }
    while firstOpen < calls.count, calls[firstOpen].hasEnded { firstOpen += 1 }
    return unaccepted
  }

  private mutating func begin(_ input: ClientInput, _ write: PlainWrite?) {
    switch input {
    case let .open(opening):
      if !credentials.isEmpty { hasLostCredential = true }
      credentialsBefore = credentials.count
      inherit(opening.storage)
      for index in open where calls[index].isTransaction || opening.persistence == nil {
        calls[index].hasEnded = true
      }
      firstOwn = calls.count
    case let .call(call, operation):
      if let write {
        add(call, operation, .write(write), at: write.path)
      } else if case let .transaction(path, function, localEvents) = operation {
        add(call, operation, .transaction(function, localEvents), at: path)
      } else if case let .authenticate(token) = operation {
        credentials.append(token)
      } else if case .unauthenticate = operation {
        credentials.append(nil)
      } else if operation.kind.family == .onDisconnect, let path = operation.path {
        wills.append(path)
        if operation.givesPrioritiesAtTheEnd { willsGivePriorities = true }
      } else if let path = operation.emptyPush {
        emptyPushes.append(path)
      } else if case .push(_, .some) = operation {
        pushes[call] = operation
      }
    case .opened, .refused, .frame, .closed, .timer, .close: break
    }
  }

  private mutating func inherit(_ storage: [ClientInput.StoredItem]) {
    let isAsLeft =
      storage.count == stored.count && storage.allSatisfy { stored[$0.key] == $0.text }
    if isAsLeft { return }
    hasStorageFailed = true
    stored = Dictionary(storage.map { ($0.key, $0.text) }) { _, last in last }
  }

  /// The server has accepted a plain write of an earlier process, or one that is in doubt itself: it
  /// may as well have been the next one of this process that asked for the same.
  mutating func doubt(_ request: Request, besides index: Int) {
    guard index < firstOwn || calls[index].acceptance == .possible else { return }
    let own = calls.indices[firstOwn...].first {
      $0 != index && calls[$0].acceptance == .none && isOpenWrite($0, carriedBy: request)
    }
    if let own { calls[own].acceptance = .possible }
  }

  /// The credential with which a call was made; `nil` for no user.
  func credential(of call: RequestedCall) -> String? {
    call.credentials > 0 ? credentials[call.credentials - 1] : nil
  }

  /// Whether a call may take effect under a credential: the one with which it was made, or a later
  /// one, because what waits goes out after the next sign-in (ACC-12).
  func mayAct(as credential: String?, for call: RequestedCall) -> Bool {
    if credential == nil, hasLostCredential || call.credentials == 0 { return true }
    // A process goes on as the user who was signed in, or was to be, when an earlier one ended.
    let first = call.credentials > credentialsBefore ? call.credentials - 1 : 0
    return credentials[first...].contains(credential)
  }

  private mutating func add(
    _ call: CallID, _ operation: Operation, _ content: RequestedCall.Content, at path: Path
  ) {
    calls.append(
      RequestedCall(
        call: call, operation: operation, content: content, path: path,
        credentials: credentials.count))
  }

  /// The last one: a later process may use the name of a call that ended with an earlier process.
  private func open(_ call: CallID) -> Int? {
    open.last { calls[$0].call == call && !calls[$0].hasEnded }
  }

  private mutating func record(_ request: Request, numbered number: Int) {
    if case let .put(path, node, _?) = request {
      let carried = open.compactMap { index -> (index: Int, input: JSON)? in
        guard !calls[index].hasEnded, calls[index].acceptance != .certain,
          let input = calls[index].inputs.last, calls[index].path.starts(with: path),
          calls[index].isTransaction
        else { return nil }
        return (index, input)
      }
      for (index, _) in carried {
        calls[index].sent = calls[index].path.relative(to: path).map { node[$0] } ?? .empty
      }
      puts[number] = SentPut(path: path, node: node, carried: carried)
    } else if request.isPlainWrite {
      let isOpen = open.contains { isOpenWrite($0, carriedBy: request) }
      if !isOpen { sentAfterEnd.insert(number) }
    }
  }
}

extension CallLedger {
  /// Whether a call is a plain write without an end that a request carries. First what takes no copy
  /// of the call: a request carries writes of its own location only.
  func isOpenWrite(_ index: Int, carriedBy request: Request) -> Bool {
    !calls[index].hasEnded && calls[index].path == request.path
      && calls[index].write?.isCarried(by: request) ?? false
  }
}

extension Request {
  /// Whether it is a write that carries no condition.
  var isPlainWrite: Bool {
    switch self {
    case .put(_, _, nil): true
    case let .merge(_, assignments, nil): !assignments.isEmpty
    case .put, .merge, .listen, .unlisten, .get, .onDisconnectPut, .onDisconnectMerge,
      .onDisconnectCancel, .stats, .authenticate, .unauthenticate:
      false
    }
  }
}
