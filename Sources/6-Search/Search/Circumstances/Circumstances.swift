internal import ClientInterface
public import Conformance
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
  /// writing overtaken at`, `object key below`, `fault jump`; and what is special about the subject:
  /// `deep order`, `full window`, `nothing shown`, `given part of a child not shown`.
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
    let last = divergence.evidence.flatMap(trace.lastInput)
    found.trigger = last?.input.circumstance ?? ""
    // What is about no client may have to do with each.
    let client = scenario.clients.firstIndex { $0 == divergence.subject.clientName }
    let clients = client.map { $0..<$0 + 1 } ?? scenario.clients.indices
    let words = clients.flatMap { number in
      Surroundings(of: ClientIndex(number), before: last?.event.sequence, in: self)
        .words(around: divergence.subject)
    }
    found.surroundings = Set(words).sorted()
    return found
  }
}
