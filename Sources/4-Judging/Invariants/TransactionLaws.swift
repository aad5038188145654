internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What transactions owe to other writers, judged where the server accepts their results.
///
/// The laws compare what applications requested with what the server accepted. They know neither
/// the expectations of a scenario nor the reference client, so a mistake of the reference client
/// does not hide from them.
struct TransactionLaws {
  /// How many transactions of one put are tried in every combination.
  private static let maxCombined = 6

  private let arrays: ArrayReading
  /// By the numbers of the clients.
  private var clients: [Client] = []
  /// Whether any data of the run has a priority. Functions see none, so hashes cannot be told then.
  private var hasPriorities: Bool

  private struct Client {
    /// Transactions that have not completed, in the order of the calls.
    var open: [OpenTransaction] = []
    /// Conditional puts by request number.
    var sent: [Int: SentPut] = [:]
  }

  private struct SentPut {
    var path: Path
    var node: Node
    /// The transactions that may have gone into it.
    var carried: [OpenTransaction]
  }

  private struct OpenTransaction {
    let call: CallID
    let operation: Operation
    let path: Path
    let function: TransactionFunction
    /// What the function was given last; `nil` before its first run.
    var input: JSON?
  }

  init(data: Node, profile: Profile) {
    arrays = profile.arrays
    hasPriorities = data.hasPriorities
  }

  /// Takes one event.
  ///
  /// - Returns: What a conditional put breaks when a client sends it.
  mutating func take(_ event: TraceEvent) -> InvariantViolation? {
    switch event.kind {
    case let .input(client, input): takeInput(client, input)
    case let .output(client, output): return takeOutput(client, output, at: event.sequence)
    case let .serverWrite(_, node): note(node)
    case let .serverUpdate(_, assignments): for assignment in assignments { note(assignment.node) }
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .fault, .step, .lostToServer,
      .lostToClient:
      break
    }
    return nil
  }

  private mutating func takeInput(_ client: ClientIndex, _ input: ClientInput) {
    switch input {
    case .open:
      while clients.count <= client.number { clients.append(Client()) }
      clients[client.number] = Client()
    case let .call(call, operation):
      if case let .transaction(path, function, _) = operation,
        clients.indices.contains(client.number)
      {
        clients[client.number].open.append(
          OpenTransaction(call: call, operation: operation, path: path, function: function))
      } else if operation.mayGivePriorities {
        hasPriorities = true
      }
    case let .frame(.response(response)): takeAnswer(client, response)
    case .opened, .refused, .frame, .closed, .timer, .close: break
    }
  }

  /// What the server accepted goes into no further put, also before its completion is reported.
  private mutating func takeAnswer(_ client: ClientIndex, _ response: ServerMessage.Response) {
    guard response.status == "ok", clients.indices.contains(client.number),
      let put = clients[client.number].sent.removeValue(forKey: response.request)
    else { return }
    clients[client.number].open.removeAll { open in
      put.carried.contains { $0.call == open.call }
    }
  }

  private mutating func takeOutput(
    _ client: ClientIndex, _ output: ClientOutput, at sequence: Int
  ) -> InvariantViolation? {
    guard clients.indices.contains(client.number) else { return nil }
    switch output {
    case let .updateRan(call, input):
      for index in clients[client.number].open.indices
      where clients[client.number].open[index].call == call {
        clients[client.number].open[index].input = input
      }
    case let .completed(call, _), let .threw(call, _):
      if !clients[client.number].open.isEmpty {
        clients[client.number].open.removeAll { $0.call == call }
      }
    case let .send(.request(number, .put(path, node, hash?))):
      note(node)
      let carried = clients[client.number].open.filter {
        $0.input != nil && $0.path.starts(with: path)
      }
      clients[client.number].sent[number] = SentPut(path: path, node: node, carried: carried)
      return judgeHash(hash, of: carried, at: path, client, sequence)
    default: break
    }
    return nil
  }

  private mutating func note(_ node: Node) {
    if !hasPriorities, node.hasPriorities { hasPriorities = true }
  }
}

// MARK: - Judging

extension TransactionLaws {
  /// TXN-26: the hash of a conditional put vouches for the data that the functions were given.
  private func judgeHash(
    _ hash: String, of carried: [OpenTransaction], at path: Path, _ client: ClientIndex,
    _ sequence: Int
  ) -> InvariantViolation? {
    guard !hasPriorities, let outermost = carried.firstIndex(where: { $0.path == path }) else {
      return nil
    }
    guard let given = carried[outermost].input else { return nil }
    // What the transactions before it made is part of its input, and not of the server's data.
    var base = Node(json: given)
    for transaction in carried[..<outermost].reversed() {
      guard let below = transaction.path.relative(to: path), let input = transaction.input else {
        continue
      }
      base = base.setting(Node(json: input), at: below)
    }
    guard !base.hasServerValues, base.hash != hash else { return nil }
    return InvariantViolation(
      .hashOfInput, .call(client, carried[outermost].call, carried[outermost].operation),
      at: sequence,
      "the put of \(path) carries the hash of other data than \(base), which the function was given"
    )
  }

  /// TXN-26: what the server stores at `path` is what the functions give for what it had in `tree`.
  /// `sequence` is the event in which it accepts the put.
  func judgeAcceptance(
    of number: Int, from client: ClientIndex, writing node: Node, at path: Path, over tree: Node,
    _ sequence: Int
  ) -> InvariantViolation? {
    guard clients.indices.contains(client.number),
      let put = clients[client.number].sent[number],
      put.path == path, put.node == node, !put.carried.isEmpty
    else { return nil }
    let (before, carried) = (tree[path], put.carried)
    if combinations(of: carried).contains(where: { result(of: $0, on: before, at: path) == node }) {
      return nil
    }
    let first = carried.first { $0.path == path } ?? carried[0]
    let right = result(of: carried, on: before, at: path).map { "give \($0)" } ?? "give up"
    return InvariantViolation(
      .atomicTransaction, .call(client, first.call, first.operation), at: sequence,
      "the server had \(before) at \(path), for which the transactions \(right), but it accepted "
        + "\(node)")
  }

  /// All of them first; then fewer, because one that was called while the put was on its way did
  /// not go into it.
  private func combinations(of carried: [OpenTransaction]) -> [[OpenTransaction]] {
    guard carried.count > 1 else { return [carried] }
    guard carried.count <= Self.maxCombined else { return [carried] + carried.map { [$0] } }
    return (1..<(1 << carried.count)).reversed().map { set in
      carried.indices.filter { set & (1 << $0) != 0 }.map { carried[$0] }
    }
  }

  /// What the functions make of `node`, which is at `path`, one after the other; `nil` when one of
  /// them aborts or fails.
  private func result(of carried: [OpenTransaction], on node: Node, at path: Path) -> Node? {
    var node = node
    for transaction in carried {
      guard let below = transaction.path.relative(to: path) else { return nil }
      let old = node[below]
      guard case let .returned(json) = transaction.function(old.plainJSON(arrays)) else {
        return nil
      }
      let new = Node(json: json)
      // TXN-20: the result keeps the priority of the path unless it names one.
      let result = json[".priority"] == nil ? new.settingPriority(old.priority) : new
      node = node.setting(result, at: below)
    }
    return node
  }
}

extension Operation {
  /// Whether a call may give data a priority.
  fileprivate var mayGivePriorities: Bool {
    switch self {
    case .setPriority: true
    case let .set(_, node), let .onDisconnectSet(_, node): node.hasPriorities
    case let .push(_, node): node?.hasPriorities ?? false
    case let .update(_, assignments), let .onDisconnectUpdate(_, assignments):
      assignments.contains { $0.node.hasPriorities || $0.path.key == .priority }
    default: false
    }
  }
}

extension Node {
  /// Whether it or anything below it has a priority.
  ///
  /// - Complexity: O(size).
  fileprivate var hasPriorities: Bool {
    priority != nil || children.contains { $0.node.hasPriorities }
  }
}
