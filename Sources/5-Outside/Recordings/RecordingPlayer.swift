internal import ClientInterface
internal import ReferenceClient
internal import Tree
internal import Wire

/// Feeds the inputs of a recording to a client, group by group.
///
/// Connections come when the recording says so; timers of no length run when nothing more happens
/// at their instant, as they did when the recording was made.
struct RecordingPlayer<Client: SyncClient> {
  private let recording: Recording
  private let dialect: Dialect
  private(set) var client: Client
  private var outputs: [ClientOutput] = []
  private var pendingTimers: [TimerID] = []
  private var isConnecting = false
  private var numbers = RequestPairing()

  init(_ recording: Recording, with client: Client) {
    self.recording = recording
    self.client = client
    dialect = recording.profile.dialect
    feed(.open(.init()), at: .zero)
  }

  /// What the client does in a group.
  mutating func play(_ index: Int) -> [JSON] {
    let group = recording.groups[index]
    outputs = []
    if group.input == .opened { hurry(at: group.time) }
    if let input = group.input { feedAnswered(input, at: group.time) }
    if isLastOfInstant(index) {
      while !pendingTimers.isEmpty { feed(.timer(pendingTimers.removeFirst()), at: group.time) }
    }
    let done = outputs.map { $0.json(in: dialect) }
    numbers.pair(recorded: group.outputs, played: done)
    return done
  }

  /// Feeds an input, with the client's own number where it answers a request. An answer to a
  /// request that this client has not made never reaches it.
  private mutating func feedAnswered(_ input: ClientInput, at time: Interval) {
    switch input {
    case let .frame(.response(response)):
      guard let number = numbers.played(response.request) else { return }
      var own = response
      own.request = number
      feed(.frame(.response(own)), at: time)
    case .frame(.hello):
      numbers.forget()
      feed(input, at: time)
    default: feed(input, at: time)
    }
  }

  private mutating func feed(_ input: ClientInput, at time: Interval) {
    if input == .closed || input == .refused { isConnecting = false }
    let start = outputs.count
    client.handle(input, at: recording.epoch + time, into: &outputs)
    for output in outputs[start...] {
      switch output {
      case let .setTimer(timer, after, purpose) where after == .zero && purpose == .other:
        pendingTimers.append(timer)
      case .connect, .connectTo: isConnecting = true
      case .disconnect: isConnecting = false
      default: break
      }
    }
  }

  /// A connection comes when it comes: a client whose back-off is not over yet is hurried.
  private mutating func hurry(at time: Interval) {
    if !isConnecting { feed(.timer(1), at: time) }
    isConnecting = false
  }

  private func isLastOfInstant(_ index: Int) -> Bool {
    guard index + 1 < recording.groups.count else { return true }
    let next = recording.groups[index + 1]
    if next.time > recording.groups[index].time { return true }
    return switch next.input {
    case .call, .closed: true
    default: false
    }
  }
}

extension RecordingPlayer<ReferenceClient> {
  /// What the reference client does in a group if reruns leave out what is on its way: accident
  /// 112.
  mutating func playLeavingOutSentTransactions(_ index: Int) -> [JSON] {
    client.policy.rerunsSeeSentResults = false
    defer { client.policy.rerunsSeeSentResults = true }
    return play(index)
  }

  /// Makes the reference client lose a transaction, as the recorded client has.
  mutating func forget(_ call: CallID) {
    var sent: [ClientOutput] = []
    client.forget(call, into: &sent)
    numbers.pair(recorded: [], played: sent.map { $0.json(in: dialect) })
  }
}

/// Any client, as a type of its own.
struct AnyClient: SyncClient {
  var client: any SyncClient

  mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    client.handle(input, at: now, into: &outputs)
  }
}

/// Which request of the client that is played is which of the recorded one.
///
/// Every client numbers its requests as it likes. An answer is recorded with the number that the
/// recorded client gave, so requests are paired by what they ask, in the order in which they were
/// sent over one connection.
struct RequestPairing {
  private struct Unpaired {
    let number: Int
    let outline: JSON
  }

  private var recorded: [Unpaired] = []
  private var played: [Unpaired] = []
  private var pairs: [Int: Int] = [:]

  /// The connection is another one: nothing sent before will be answered.
  mutating func forget() { self = RequestPairing() }

  mutating func pair(recorded: [JSON], played: [JSON]) {
    self.recorded += recorded.compactMap(Self.unpaired)
    self.played += played.compactMap(Self.unpaired)
    self.recorded.removeAll { request in
      guard let index = self.played.firstIndex(where: { $0.outline == request.outline }) else {
        return false
      }
      pairs[request.number] = self.played.remove(at: index).number
      return true
    }
  }

  /// The number that the played client gave to the request that was recorded under `number`; `nil`
  /// when it has sent no such request.
  func played(_ number: Int) -> Int? { pairs[number] }

  private static func unpaired(_ output: JSON) -> Unpaired? {
    guard let data = output["send"]?["d"], let number = data["r"]?.integer else { return nil }
    return Unpaired(
      number: number,
      outline: .array([
        data["a"] ?? .null, data["b"]?["p"] ?? .null, data["b"]?["t"] ?? .null,
        .bool(data["b"]?["h"] != nil),
      ]))
  }
}
