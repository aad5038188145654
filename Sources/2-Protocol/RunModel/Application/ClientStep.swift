package import ClientInterface
package import Trace
package import Tree
internal import Wire

/// One input of a client with everything that the client did in consequence.
///
/// What happened between them in the trace, such as losses in the network, is left out.
package struct ClientStep {
  package var client: ClientIndex
  package var input: ClientInput
  /// The event of the input.
  package var sequence: Int
  package var time: Interval
  /// The time that the client was given; `nil` where that was right.
  package var wrongClock: Instant?
  package private(set) var outputs: [Done] = []
  /// What is asked of the input and of the outputs again and again, recorded as they come.
  private var kinds: Kinds
  /// Whether a callback made a call in it, or it is such a call: the turn is in several parts then,
  /// and an event may belong to the input of any of them.
  package private(set) var isSplit = false
  /// The key of a push that it was answered with in a later part of the turn.
  private var laterAnswer: JSON?

  package struct Done {
    package var output: ClientOutput
    package var sequence: Int
  }

  private struct Kinds: OptionSet {
    let rawValue: Int

    static let refusals = Kinds(rawValue: 1)
    static let runs = Kinds(rawValue: 2)
    static let reruns = Kinds(rawValue: 4)
    static let ends = Kinds(rawValue: 8)
    static let failures = Kinds(rawValue: 16)
    static let eventsAfterEnds = Kinds(rawValue: 64)
    static let merges = Kinds(rawValue: 32)
    static let pushes = Kinds(rawValue: 256)
    static let reactions = Kinds(rawValue: 512)
    static let listens = Kinds(rawValue: 1024)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// What is asked of an input: to look into a call takes a copy of it.
    init(_ input: ClientInput) {
      switch input {
      case .frame(.merge): self = .merges
      case let .call(_, operation): self = Kinds(operation)
      case .open, .opened, .refused, .frame, .closed, .timer, .close: self = []
      }
    }

    private init(_ operation: Operation) {
      switch operation {
      case .push: self = .pushes
      case .on: self = .reactions
      case .listen, .once, .get, .unlisten, .unlistenAll: self = .listens
      default: self = []
      }
    }
  }

  /// Begins a turn. `space` is an empty list whose capacity is used.
  package init(
    _ client: ClientIndex, _ input: ClientInput, sequence: Int, time: Interval,
    wrongClock: Instant? = nil, space: [Done] = []
  ) {
    self.client = client
    self.input = input
    kinds = Kinds(input)
    self.sequence = sequence
    self.time = time
    self.wrongClock = wrongClock
    outputs = space
  }

  package mutating func add(_ output: ClientOutput, sequence: Int) {
    outputs.append(Done(output: output, sequence: sequence))
    switch output {
    case .threw: kinds.insert(.refusals)
    case let .updateRan(call, _):
      kinds.insert(.runs)
      if case .call(call, _) = input { break }
      kinds.insert(.reruns)
    case let .completed(_, completion):
      kinds.insert(.ends)
      if completion.error != nil || completion.committed == false { kinds.insert(.failures) }
    case .event: if kinds.contains(.ends) { kinds.insert(.eventsAfterEnds) }
    case .calling: isSplit = true
    default: break
    }
  }

  /// Makes it the part of a turn that follows another: what that one undid may still be raised.
  package mutating func resume(_ outer: ClientStep) {
    isSplit = true
    kinds = Kinds(input).union(
      outer.kinds.subtracting([.refusals, .pushes, .reactions, .listens, .merges]))
  }

  /// Takes over what the trace has of a turn behind this part of it.
  package mutating func complete(from trace: Trace) {
    guard isSplit, kinds.contains(.pushes), case let .call(call, .push) = input, answer == nil
    else { return }
    for event in trace.events[sequence...] {
      switch event.kind {
      case .output(client, .answered(call, let key)):
        laterAnswer = key
        return
      case .input(client, _) where !event.isNestedCall && event.sequence > sequence: return
      default: continue
      }
    }
  }

  /// Gives the list of outputs back, emptied, so that the next turn need not make one.
  package mutating func takeSpace() -> [Done] {
    var space: [Done] = []
    swap(&space, &outputs)
    space.removeAllKeepingStorage()
    return space
  }

  /// Whether the client undid something that it had shown: a write that failed, or a transaction
  /// that ran again or did not commit.
  package var undoes: Bool { !kinds.isDisjoint(with: [.runs, .failures]) }

  /// Whether the client refused the call at once.
  package var isRefusal: Bool { kinds.contains(.refusals) }

  /// Whether the server refused something: perhaps a write that an earlier process made, of which no
  /// call ends.
  package var isRefusedByServer: Bool {
    if case let .frame(.response(response)) = input { response.status != "ok" } else { false }
  }

  /// Whether a transaction's function ran.
  package var undoesByRunning: Bool { kinds.contains(.runs) }

  /// Whether the function of an earlier transaction ran again.
  package var reruns: Bool { kinds.contains(.reruns) }

  /// Whether the application states what it will do in a callback.
  package var statesReaction: Bool { kinds.contains(.reactions) }

  /// Whether the application adds or removes listeners.
  package var changesListeners: Bool { kinds.contains(.listens) }

  /// Whether a listener received something after a call had ended.
  package var raisesAfterEnd: Bool { kinds.contains(.eventsAfterEnds) }

  /// Whether the server sent a merge.
  package var bringsMerge: Bool { kinds.contains(.merges) }

  /// What the call was answered with: the key of a push.
  package var answer: JSON? {
    guard kinds.contains(.pushes), case let .call(call, .push) = input else { return nil }
    for done in outputs {
      if case .answered(call, let key) = done.output { return key }
    }
    return laterAnswer
  }
}

/// Sorts the events of a trace into turns: an input of a client with all that the client did because
/// of it.
package struct TurnReader {
  private var step: ClientStep?
  /// The client of the turn, which need not be copied to be compared.
  private var acting: ClientIndex?
  /// The list of a turn that is over, to be used again.
  private var space: [ClientStep.Done] = []

  package init() {}

  /// Takes the next event. `wrongTimes` has the times that clients were given where they were wrong, by
  /// the event.
  ///
  /// - Returns: The turn that is over now, before the event counts; `nil` for none.
  package mutating func take(
    _ event: UnsafePointer<TraceEvent>, of trace: Trace, wrongTimes: [Int: Instant]
  ) -> ClientStep? {
    switch event.pointee.kind {
    case let .input(client, input):
      var outer: ClientStep?
      if event.pointee.isNestedCall, step != nil {
        step?.complete(from: trace)
        outer = step
      }
      let ended = finish()
      let sequence = event.pointee.sequence
      // Where it stays: a step that is handed on is copied.
      step = ClientStep(
        client, input, sequence: sequence, time: event.pointee.time,
        wrongClock: wrongTimes.isEmpty ? nil : wrongTimes[sequence], space: space)
      space = []
      if let outer { step?.resume(outer) }
      acting = client
      return ended
    case let .output(client, output):
      if client == acting { step?.add(output, sequence: event.pointee.sequence) }
      return nil
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate:
      return acting == nil ? nil : finish()
    case .step, .lostToServer, .lostToClient, .fault: return nil
    }
  }

  /// Begins a turn for an output of which it is not known what caused it.
  ///
  /// - Returns: The turn that is over now.
  package mutating func begin(_ step: ClientStep) -> ClientStep? {
    let ended = finish()
    acting = step.client
    self.step = step
    return ended
  }

  /// Ends the present turn: all that belongs to it has been taken.
  package mutating func finish() -> ClientStep? {
    if acting == nil { return nil }
    acting = nil
    return step.take()
  }

  /// Takes the list of a turn that is needed no more, so that the next one need not make one.
  package mutating func reuse(_ step: consuming ClientStep) { space = step.takeSpace() }
}
