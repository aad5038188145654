package import ClientInterface
package import Trace
package import Tree
internal import Wire

/// One input of a client with everything that the client did in consequence.
///
/// What happened between them in the trace, such as losses in the network, is left out.
package struct ClientStep {
  package private(set) var client = ClientIndex(0)
  package private(set) var input = ClientInput.close
  /// The event of the input.
  package private(set) var sequence = -1
  package private(set) var time = Interval.zero
  /// The time that the client was given; `nil` where that was right.
  package private(set) var wrongClock: Instant?
  package private(set) var outputs: [Done] = []
  package private(set) var subject = Subject.other
  package private(set) var effects = Effects()
  /// Whether the client refused the call at once.
  package private(set) var isRefusal = false
  /// Whether a callback made a call in it, or it is such a call: the turn is in several parts then,
  /// and an event may belong to the input of any of them.
  package private(set) var isSplit = false
  /// The key of a push that it was answered with in a later part of the turn.
  private var laterAnswer: JSON?

  package struct Done {
    package let output: ClientOutput
    package let sequence: Int
  }

  /// What is asked of an input again and again: to look into a call takes a copy of it.
  package enum Subject {
    case merge
    case push
    /// The application states what it will do in a callback.
    case reaction
    /// The application adds or removes listeners.
    case listeners
    case other
  }

  /// What is asked of the outputs again and again, recorded as they come.
  package struct Effects {
    /// Whether a transaction's function ran.
    package fileprivate(set) var runs = false
    /// Whether the function of an earlier transaction ran again.
    package fileprivate(set) var reruns = false
    fileprivate var ends = false
    fileprivate var fails = false
    /// Whether the client gave its connection up.
    fileprivate var disconnects = false
    /// Whether it asked for one, and has not given that up.
    fileprivate var connects = false
    /// Whether a listener received something after a call had ended.
    package fileprivate(set) var raisesAfterEnd = false
    /// Whether anything was done but to raise events, to set timers and to connect.
    fileprivate(set) var concernCalls = false
  }

  /// Without a turn so far.
  package init() {}

  /// Becomes another turn, whose outputs need no new list.
  package mutating func begin(
    _ client: ClientIndex, _ input: consuming ClientInput, sequence: Int, time: Interval,
    wrongClock: Instant? = nil
  ) {
    (self.client, self.sequence, self.time) = (client, sequence, time)
    subject = input.subject
    self.input = input
    self.wrongClock = wrongClock
    outputs.removeAllKeepingStorage()
    effects = Effects()
    (isRefusal, isSplit) = (false, false)
    if laterAnswer != nil { laterAnswer = nil }
  }

  package mutating func add(_ output: consuming ClientOutput, sequence: Int) {
    follow(output)
    outputs.append(Done(output: output, sequence: sequence))
  }

  private mutating func follow(_ output: ClientOutput) {
    switch output.topic {
    case .listener(_, .event):
      if effects.ends { effects.raisesAfterEnd = true }
      return
    case .timer: return
    case .connect:
      effects.connects = true
      return
    case .call(_, .threw): isRefusal = true
    case let .call(call, .updateRan):
      effects.runs = true
      if case .call(call, _) = input { break }
      effects.reruns = true
    case let .call(_, .completed(completion)):
      effects.ends = true
      if completion.error != nil || completion.committed == false { effects.fails = true }
    case .nesting(_, .begins): isSplit = true
    case .disconnect: (effects.disconnects, effects.connects) = (true, false)
    case .send, .storage, .listener, .call, .nesting, .uncaught, .remark: break
    }
    effects.concernCalls = true
  }

  /// Makes it the part of a turn that follows another: what that one undid may still be raised.
  fileprivate mutating func resume(_ outer: Effects) {
    isSplit = true
    effects = outer
    effects.disconnects = false
  }

  /// Takes over what the trace has of a turn behind this part of it.
  fileprivate mutating func complete(from trace: Trace) {
    guard isSplit, case let .call(call, .push) = input, answer == nil else { return }
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

  /// Whether the client gave its connection up.
  package var disconnects: Bool { effects.disconnects }
  /// Whether it asked for a connection, and did not give that up.
  package var connects: Bool { effects.connects }

  /// Whether the client undid something that it had shown: a write that failed, or a transaction
  /// that ran again or did not commit.
  package var undoes: Bool { effects.runs || effects.fails }

  /// Whether a write that an earlier process made may have been taken back, of which no call ends: the
  /// server refused something, or the application gave up what is pending.
  package var mayTakeBackInherited: Bool {
    if case let .frame(.response(response)) = input { return response.status != "ok" }
    return input.givesUpWrites
  }

  /// What the call was answered with: the key of a push.
  package var answer: JSON? {
    guard subject == .push, case let .call(call, .push) = input else { return nil }
    for done in outputs {
      if case .answered(call, let key) = done.output { return key }
    }
    return laterAnswer
  }
}

extension ClientInput {
  fileprivate var subject: ClientStep.Subject {
    switch self {
    case .frame(.merge): .merge
    case .call(_, .push): .push
    case .call(_, .on): .reaction
    case .call(_, .listen), .call(_, .once), .call(_, .get), .call(_, .unlisten),
      .call(_, .unlistenAll):
      .listeners
    case .open, .opened, .refused, .frame, .closed, .timer, .close, .call: .other
    }
  }
}

/// Sorts the events of a trace into turns: an input of a client with all that the client did because
/// of it.
package struct TurnReader {
  /// The present turn or, until the next one begins, the one that is over.
  package var step = ClientStep()
  private var stage = Stage.over

  private enum Stage {
    case over
    case underWay
    /// A callback of the turn makes a call, with which the next part of it begins.
    case interrupted
  }

  package init() {}

  /// Ends the present turn if an event that comes next is no part of it.
  ///
  /// - Returns: Whether there was one.
  package mutating func end(before event: UnsafePointer<TraceEvent>, of trace: Trace) -> Bool {
    if stage != .underWay { return false }
    switch event.pointee.kind {
    case .input:
      guard event.pointee.isNestedCall else { return end() }
      step.complete(from: trace)
      stage = .interrupted
      return true
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate:
      return end()
    case .output, .step, .lostToServer, .lostToClient, .fault: return false
    }
  }

  /// Ends the present turn: all that belongs to it has been taken.
  ///
  /// - Returns: Whether there was one.
  package mutating func end() -> Bool {
    defer { stage = .over }
    return stage == .underWay
  }

  /// Takes the next event. `wrongTimes` has the times that clients were given where they were wrong, by
  /// the event.
  package mutating func take(_ event: UnsafePointer<TraceEvent>, wrongTimes: [Int: Instant]) {
    switch event.pointee.kind {
    case let .input(client, input):
      let outer = stage == .interrupted ? step.effects : nil
      let sequence = event.pointee.sequence
      stage = .underWay
      step.begin(
        client, input, sequence: sequence, time: event.pointee.time,
        wrongClock: wrongTimes.isEmpty ? nil : wrongTimes[sequence])
      if let outer { step.resume(outer) }
    case let .output(client, output):
      if stage == .underWay, client == step.client {
        step.add(output, sequence: event.pointee.sequence)
      }
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate,
      .step, .lostToServer, .lostToClient, .fault:
      break
    }
  }

  /// Begins a turn for an output of a client of which it is not known what caused it.
  package mutating func beginUncaused(_ event: UnsafePointer<TraceEvent>, of client: ClientIndex) {
    stage = .underWay
    step.begin(
      client, .timer(TimerID(-1)), sequence: event.pointee.sequence, time: event.pointee.time)
  }
}
