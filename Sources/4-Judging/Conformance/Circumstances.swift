internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree

/// What a failure can be told by from failures of other causes: what was broken, which act was missing
/// or too much, at what and upon what, and what the client had in place around it.
///
/// All of it is words, without names, locations, values and times. It is finer than a signature,
/// which has no surroundings; both stay the same while a failure is made smaller, as far as what
/// matters to it stays.
public struct Circumstances: Hashable, Sendable {
  /// The law, or the kind of difference, whether a scenario or the reference client shows that:
  /// `inv-51`, `missing-event`, `protocol`; or the verdict, where the client ended.
  public var breach: String
  /// What is missing or too much, or which of several forms of the breach it is: `child_added`,
  /// `value by child_added`, `mon-46`; empty where the breach says everything.
  public var act = ""
  /// The listener with the kind of its query, or the operation with the kind of its function:
  /// `listener limited`, `transaction writing`; empty where it is about none.
  public var subject = ""
  /// What the client had just been given: `data`, `refusal`, `set`; empty where that is not known.
  public var trigger = ""
  /// What the client had in place at, above or below the subject when it was given that, each thing
  /// once, in the order of the letters: `listener limited below`, `set open above`, `transaction
  /// writing overtaken at`; and what is special about the subject: `deep order`, `full window`,
  /// `nothing shown`.
  public var surroundings: [String] = []

  /// A breach of which nothing else is known.
  public init(breach: String) { self.breach = breach }
}

extension Circumstances: CustomStringConvertible {
  /// As a condition of a list of causes: `{breach: missing-event, act: value, on: data}`.
  public var description: String {
    let parts = [("breach", breach), ("act", act), ("subject", subject), ("on", trigger)]
    let fields = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
    let with = surroundings.isEmpty ? [] : ["with: [\(surroundings.joined(separator: ", "))]"]
    return "{\((fields + with).joined(separator: ", "))}"
  }
}

extension ScenarioResult {
  /// The circumstances of the first divergence, or the verdict where the client ended, hung or went two
  /// ways. `nil` when the client did not fail.
  ///
  /// - Complexity: O(events).
  public var circumstances: Circumstances? {
    guard let signature else { return nil }
    guard let divergence = divergences.first else { return Circumstances(breach: signature.text) }
    let traits = divergence.kind.base.traits
    var found = Circumstances(breach: divergence.breach)
    found.act = (divergence.details + traits.words).joined(separator: " ")
    found.subject = divergence.subject.circumstances.joined(separator: " ")
    let input = divergence.evidence.flatMap { lastInput(before: $0) }
    found.trigger = input?.circumstance ?? ""
    let client = scenario.clients.firstIndex { $0 == divergence.subject.clientName }
    if let client {
      let place = Surroundings(of: ClientIndex(client), before: input?.sequence, in: self)
      found.surroundings = place.words(around: divergence.subject)
    }
    return found
  }

  /// The last input behind an event, and where it is in the trace.
  private func lastInput(before evidence: Int) -> (sequence: Int, circumstance: String)? {
    for event in trace.causes(of: evidence).reversed() {
      if case let .input(_, input) = event.kind { return (event.sequence, input.circumstance) }
    }
    return nil
  }
}

/// What a client has in place at a moment: what it listens to, and what became of what it wrote.
private struct Surroundings {
  private var model: ClientModel
  private let client: ClientIndex
  /// How calls have ended that did not do what they were for.
  private var failed: [CallID: String] = [:]
  /// The calls that were refused as they were made.
  private var thrown: [ClientInterface.Operation] = []

  /// Follows a client up to an event of a run, or to its end.
  init(of client: ClientIndex, before end: Int?, in result: ScenarioResult) {
    self.client = client
    model = ClientModel(result.profile)
    var turns = TurnReader()
    result.trace.events.forEach(from: 0) { event in
      if let end, event.pointee.sequence > end { return }
      if turns.end(before: event, of: result.trace) { take(turns.step) }
      turns.take(event, wrongTimes: [:])
    }
    // The turn that the end begins is not over.
    if end == nil, turns.end() { take(turns.step) }
  }

  private mutating func take(_ step: ClientStep) {
    guard step.client == client else { return }
    model.take(step)
    for done in step.outputs {
      if case let .completed(call, completion) = done.output {
        let isAborted = completion.error == nil && completion.committed == false
        failed[call] = completion.error != nil ? "refused" : isAborted ? "aborted" : nil
      } else if case .threw = done.output, case let .call(_, operation) = step.input {
        thrown.append(operation)
      }
    }
  }

  /// What is in place at the location of a subject, above and below; everything, where it has none.
  func words(around subject: Subject) -> [String] {
    let path = subject.location
    var words: Set<String> = []
    if case let .child(order)? = subject.query?.ordering, order.count > 1 {
      words.insert("deep order")
    }
    for listener in model.application.listeners.all where listener.isLive {
      if case .listener(_, listener.id.name, _) = subject {
        words.formUnion(listener.conditions)
        continue
      }
      let kind = (["listener"] + listener.target.query.circumstances).joined(separator: " ")
      if let place = listener.target.path.place(around: path) { words.insert(kind + place) }
    }
    for index in model.application.calls.requested.indices {
      guard let word = word(ofCall: index),
        let place = model.application.calls.requested[index].path.place(around: path)
      else { continue }
      words.insert(word + place)
    }
    for operation in thrown where operation.isWrite {
      guard let place = operation.path?.place(around: path) else { continue }
      words.insert(operation.circumstances.joined(separator: " ") + " thrown" + place)
    }
    return words.sorted()
  }

  /// What there is to say of a call; `nil` for one that has done what it was for.
  private func word(ofCall index: Int) -> String? {
    let requested = model.application.calls.requested
    let call = requested[index]
    let name = call.operation.circumstances.joined(separator: " ")
    var state = call.hasEnded ? failed[call.call] : "open"
    if !call.hasEnded, call.isTransaction {
      let later = requested[(index + 1)...].compactMap(\.write).flatMap(\.sets)
      let count = later.count { $0.path.isRelated(to: call.path) }
      if count > 0 { state = count > 1 ? "overtaken twice" : "overtaken" }
    }
    if call.inputs.count > 1, let known = state { state = "rerun " + known }
    return state.map { name + " " + $0 }
  }
}

extension Subject {
  /// Where it is; `nil` for a client and for a call about no location.
  fileprivate var location: Path? {
    switch self {
    case let .listener(_, _, target): target.path
    case let .call(_, _, operation): operation.path
    case .client, .server: nil
    }
  }

  fileprivate var query: Query? {
    switch self {
    case let .listener(_, _, target): target.query
    case let .call(_, _, operation): operation.registration?.target.query
    case .client, .server: nil
    }
  }
}

extension Listener {
  /// What is special about what it shows.
  fileprivate var conditions: [String] {
    if value == nil, children.isEmpty { return ["nothing shown"] }
    return target.query.limit.map { children.count >= $0.count } == true ? ["full window"] : []
  }
}

extension Path {
  /// Where it is, seen from another location: with a blank before it; `nil` where it has nothing to do
  /// with that.
  fileprivate func place(around other: Path?) -> String? {
    guard let other else { return "" }
    if self == other { return " at" }
    return other.starts(with: self) ? " above" : starts(with: other) ? " below" : nil
  }
}
