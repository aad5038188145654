internal import ClientInterface
internal import Scenario
internal import Trace

/// One input of a client with everything that the client did in consequence.
///
/// What happened between them in the trace, such as losses in the network, is left out.
struct Turn {
  var client: ClientIndex
  var input: ClientInput
  /// The event of the input.
  var sequence: Int
  var time: Interval
  var outputs: [Done] = []

  struct Done {
    var output: ClientOutput
    var sequence: Int
  }

  init(_ client: ClientIndex, _ input: ClientInput, sequence: Int, time: Interval) {
    self.client = client
    self.input = input
    self.sequence = sequence
    self.time = time
  }

  /// Whether the client undid something that it had shown: a write that failed, or a transaction
  /// that ran again or did not commit.
  var undoes: Bool {
    outputs.contains { done in
      switch done.output {
      case .updateRan: true
      case let .completed(_, completion): completion.error != nil || completion.committed == false
      default: false
      }
    }
  }

  /// Whether the client refused the call at once.
  var isRefusal: Bool {
    outputs.contains { done in
      if case .threw = done.output { true } else { false }
    }
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
