public import ClientInterface
public import Tree
public import Wire

/// What became of a recording that was fed to a client.
public struct Replay: Sendable {
  /// A group in which the client did something else.
  public struct Difference: Sendable {
    public var line: Int
    public var input: ClientInput?
    public var expected: [JSON]
    public var observed: [JSON]
  }

  public var groups = 0
  /// The groups in which the recorded client told the application anything, or this one did.
  public var groupsWithOutput = 0
  public var differences: [Difference] = []
  /// The groups in which other requests were sent.
  public var frameDifferences: [Difference] = []
}

extension Replay {
  /// Feeds the inputs of `recording` to `client` and compares group by group what it tells the
  /// application, and what it sends, in order.
  ///
  /// Connections come when the recording says so; timers of no length run when nothing more
  /// happens at their instant, as they did when the recording was made.
  public init(
    of recording: Recording, with client: any SyncClient, in dialect: Dialect
  ) {
    var client = client
    var run = Run(recording: recording, dialect: dialect)
    run.feed(.open(.init()), at: .zero, to: &client)
    for (index, group) in recording.groups.enumerated() {
      run.outputs = []
      run.handshake(before: group.input, at: group.time, to: &client)
      if let input = group.input { run.feed(input, at: group.time, to: &client) }
      if run.isLastOfInstant(index) { run.fireTimers(at: group.time, to: &client) }
      compare(group, run.outputs, in: dialect)
    }
  }

  private mutating func compare(
    _ group: Recording.Group, _ outputs: [ClientOutput], in dialect: Dialect
  ) {
    let observed = outputs.map { $0.json(in: dialect) }
    let expected = group.outputs.map(\.normalized)
    groups += 1
    let heard = Difference(
      line: group.line, input: group.input, expected: expected.filter(\.isObservation),
      observed: observed.filter(\.isObservation))
    if !heard.expected.isEmpty || !heard.observed.isEmpty { groupsWithOutput += 1 }
    if heard.expected != heard.observed { differences.append(heard) }
    let requests = Difference(
      line: group.line, input: group.input, expected: expected.compactMap(\.requestOutline),
      observed: observed.compactMap(\.requestOutline))
    if requests.expected != requests.observed { frameDifferences.append(requests) }
  }
}

/// The state of a recording that is being fed to a client.
private struct Run {
  let recording: Recording
  let dialect: Dialect
  var outputs: [ClientOutput] = []
  var pendingTimers: [TimerID] = []
  var isConnecting = false

  mutating func feed(_ input: ClientInput, at time: Interval, to client: inout any SyncClient) {
    let start = outputs.count
    if input == .closed || input == .refused { isConnecting = false }
    client.handle(input, at: recording.epoch + time, into: &outputs)
    for output in outputs[start...] {
      switch output {
      case let .setTimer(timer, after, purpose) where after == .zero && purpose == .other:
        pendingTimers.append(timer)
      case .connect: isConnecting = true
      case .disconnect: isConnecting = false
      default: break
      }
    }
  }

  /// A connection comes when it comes: a client whose back-off is not over yet is hurried.
  mutating func handshake(
    before input: ClientInput?, at time: Interval, to client: inout any SyncClient
  ) {
    guard input == .opened, !isConnecting else {
      if input == .opened { isConnecting = false }
      return
    }
    feed(.timer(1), at: time, to: &client)
    isConnecting = false
  }

  func isLastOfInstant(_ index: Int) -> Bool {
    guard index + 1 < recording.groups.count else { return true }
    let next = recording.groups[index + 1]
    if next.time > recording.groups[index].time { return true }
    return switch next.input {
    case .call, .closed: true
    default: false
    }
  }

  mutating func fireTimers(at time: Interval, to client: inout any SyncClient) {
    while !pendingTimers.isEmpty {
      feed(.timer(pendingTimers.removeFirst()), at: time, to: &client)
    }
  }
}

extension JSON {
  /// What an application hears.
  fileprivate var isObservation: Bool {
    let verbs = ["event", "cancelled", "completed", "updateRan"]
    return members?.first.map { verbs.contains($0.name) } ?? false
  }

  /// Error codes in the kit's lower case.
  fileprivate var normalized: JSON {
    guard let member = members?.first, let body = member.value.members,
      ["cancelled", "completed"].contains(member.name)
    else { return self }
    let lowered = body.map { field in
      guard field.name == "error", let text = field.value.string else { return field }
      return Member("error", .string(ErrorCode(text).name))
    }
    return .object([Member(member.name, .object(lowered))])
  }

  /// A request without its number; `nil` for everything else and for usage counters.
  fileprivate var requestOutline: JSON? {
    guard let message = self["send"], message["t"] == "d", let request = message["d"],
      request["a"] != "s"
    else { return nil }
    return .object([
      Member("a", request["a"] ?? .null), Member("b", request["b"] ?? .null),
    ])
  }
}
