internal import ClientInterface
public import Document
public import Recordings
internal import Trace
internal import TraceFiles
internal import Wire

extension ObservedSession {
  /// The recordings of its clients as a replay needs them: with the calls that made each client
  /// send what it sent. Where the session does not contain them they are inferred, and then only
  /// requests can be compared.
  ///
  /// Streams of events over HTTP are left out: they are no clients of the protocol.
  ///
  /// - Parameter name: What reports call the file.
  /// - Returns: A recording for each client that sent or received anything.
  /// - Throws: `SourceError` for what cannot be written as recordings.
  public func recordings(named name: String) throws(SourceError) -> [Recording] {
    let draft = ExtractionDraft(self, title: "", file.header.profile)
    var recordings: [Recording] = []
    for index in file.header.clients.indices where !isStream(index) {
      let client = ClientIndex(index)
      let isReported = draft.timeline.reported.contains(index)
      let (trace, lines) = self.trace(
        of: client, isReported ? nil : draft.calls[index].filter { !$0.operation.isGet })
      let header = file.header
      let text = Recording.text(
        of: client, in: trace, name: header.clients[index], profile: header.profile,
        seed: header.seed, epoch: header.session?.epoch ?? Instant(nanoseconds: 0))
      var recording = try Recording(text, file: name)
      recording.recordsReceivedEvents = isReported
      for (group, line) in zip(recording.groups.indices, lines) {
        recording.groups[group].line = line
      }
      recordings.append(recording)
    }
    return recordings
  }

  private func isStream(_ client: Int) -> Bool {
    file.trace.events.contains { event in
      guard case let .output(whose, .send(.request(_, .listen(listen)))) = event.kind,
        whose.number == client
      else { return false }
      return listen.hash == Self.hashOfStreams
    }
  }

  /// What streams say that they hold.
  static let hashOfStreams = "-"

  /// What a client was given and did, with its calls, and the line of the file for each group.
  private func trace(
    of client: ClientIndex, _ inferred: [CallInference.Call]?
  ) -> (Trace, lines: [Int]) {
    var trace = Trace()
    var lines: [Int] = []
    var next = 0
    let calls = inferred ?? []
    var isAway = false
    var reads = SingleReads()
    for event in file.trace.events where event.kind.client == client {
      // The reference client reads by a listen, so there is nothing to compare with.
      if inferred != nil, reads.take(event.kind) { continue }
      func add(_ input: ClientInput) {
        trace.append(.input(client, input), cause: nil, time: event.time, step: -1)
        lines.append(event.sequence + 2)
      }
      while next < calls.count, calls[next].event <= event.sequence {
        add(.call(calls[next].id, calls[next].operation))
        next += 1
      }
      switch event.kind {
      case .input(_, let input) where input.isRecorded: add(input)
      case .output(_, .disconnect) where !calls.isEmpty:
        add(.call(CallID("off\(lines.count)"), .goOffline))
        isAway = true
      case .output(_, .connect) where isAway:
        add(.call(CallID("on\(lines.count)"), .goOnline))
        isAway = false
      default: break
      }
      if case .output = event.kind {
        if lines.isEmpty { lines.append(event.sequence + 2) }
        trace.append(event.kind, cause: nil, time: event.time, step: -1)
      }
    }
    return (trace, lines)
  }
}

/// Finds the messages of single reads that are requests of their own (`g`).
private struct SingleReads {
  private var numbers: Set<Int> = []

  /// Whether something is a read, or the answer to one.
  mutating func take(_ kind: TraceEvent.Kind) -> Bool {
    switch kind {
    case let .output(_, .send(.request(number, .get))):
      numbers.insert(number)
      return true
    case let .input(_, .frame(.response(response))):
      return numbers.remove(response.request) != nil
    default: return false
    }
  }
}

extension Operation {
  fileprivate var isGet: Bool {
    if case .get = self { true } else { false }
  }
}

extension ClientInput {
  fileprivate var isRecorded: Bool {
    switch self {
    case .call, .opened, .refused, .frame, .closed: true
    case .open, .timer, .close: false
    }
  }
}
