internal import ClientInterface
internal import Scenario
internal import Trace
internal import Tree

/// One input of a client with everything that the client did in consequence.
///
/// What happened between them in the trace, such as losses in the network, is left out.
struct Turn {
  var client: ClientIndex
  var input: ClientInput
  /// The event of the input.
  var sequence: Int
  var time: Interval
  /// What the client was told the time was; `nil` where that was right.
  var wrongClock: Instant?
  private(set) var outputs: [Done] = []
  /// What is asked of the outputs again and again, noted as they come.
  private var kinds: Kinds = []

  struct Done {
    var output: ClientOutput
    var sequence: Int
  }

  private struct Kinds: OptionSet {
    let rawValue: Int

    static let refusals = Kinds(rawValue: 1)
    static let runs = Kinds(rawValue: 2)
    static let reruns = Kinds(rawValue: 4)
    static let ends = Kinds(rawValue: 8)
    static let failures = Kinds(rawValue: 16)
  }

  /// Begins a turn. `space` is an empty list whose capacity is used.
  init(
    _ client: ClientIndex, _ input: ClientInput, sequence: Int, time: Interval,
    wrongClock: Instant? = nil, space: [Done] = []
  ) {
    self.client = client
    self.input = input
    self.sequence = sequence
    self.time = time
    self.wrongClock = wrongClock
    outputs = space
  }

  mutating func add(_ output: ClientOutput, sequence: Int) {
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
    default: break
    }
  }

  /// Gives the list of outputs back, emptied, so that the next turn need not make one.
  mutating func takeSpace() -> [Done] {
    var space: [Done] = []
    swap(&space, &outputs)
    space.removeAll(keepingCapacity: true)
    return space
  }

  /// Whether the client undid something that it had shown: a write that failed, or a transaction
  /// that ran again or did not commit.
  var undoes: Bool { !kinds.isDisjoint(with: [.runs, .failures]) }

  /// Whether the client refused the call at once.
  var isRefusal: Bool { kinds.contains(.refusals) }

  /// Whether a transaction's function ran.
  var undoesByRunning: Bool { kinds.contains(.runs) }

  /// Whether the function of an earlier transaction ran again.
  var reruns: Bool { kinds.contains(.reruns) }

  /// Whether a call ended.
  var ends: Bool { kinds.contains(.ends) }

  /// What the call was answered with: the key of a push.
  var answer: JSON? {
    guard case let .call(call, .push) = input else { return nil }
    for done in outputs {
      if case .answered(call, let key) = done.output { return key }
    }
    return nil
  }
}

/// An invariant that does not hold, with what shows it.
struct Finding {
  var invariant: Invariant
  var about: About
  /// The event of the trace that shows it; `nil` when something did not happen.
  var evidence: Int?
  /// What was observed and what should have been, as one sentence.
  var sentence: String

  enum About: Hashable {
    case listener(ClientIndex, ListenerID, Operation.Target)
    case call(ClientIndex, CallID, Operation)
    case client(ClientIndex)
    case server
  }

  init(_ invariant: Invariant, _ about: About, at evidence: Int?, _ sentence: String) {
    self.invariant = invariant
    self.about = about
    self.evidence = evidence
    self.sentence = sentence
  }
}

extension Array {
  /// Adds other elements, of which there are none in most cases: appending nothing to an empty array
  /// takes as long as making a new one.
  mutating func add(_ others: [Element]) {
    if !others.isEmpty { append(contentsOf: others) }
  }
}
