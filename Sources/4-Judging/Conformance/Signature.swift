package import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
package import Tree
internal import Wire

/// What two failures have in common when they show the same defect.
///
/// It names the invariant or the kind of difference, the kinds of event, the kind of query or of call
/// that it is about, and what had just reached the client. It never names a client, a label, a location, a value or a time, so that it stays
/// the same while a failure is made smaller.
public struct Signature: Hashable, Sendable, CustomStringConvertible {
  /// Words of small letters, digits, `-` and `_`: `inv-7 listener`, `missing-event child_added`.
  public var text: String

  /// The signature with this text, for example one that was stored; the text is not checked.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }
}

extension ScenarioResult {
  /// What a failure has in common with others like it: that of the first divergence, or the verdict
  /// where the client ended, hung or went two ways. `nil` when the client did not fail.
  public var signature: Signature? {
    switch verdict {
    case .pass, .unsupported, .inconclusive, .vacuous: nil
    case .advice, .fail:
      divergences.first.map {
        Signature(([$0.signature.text] + trigger(of: $0)).joined(separator: " "))
      }
    case .crash, .hang, .brokenProtocol, .nondeterministic, .kitError:
      Signature(verdict.rawValue)
    }
  }

  /// The cause that a reader should be given one explanation of, however many failures show it: that
  /// of the first divergence, or the verdict. `nil` when the client did not fail.
  public var cause: Signature? {
    [.fail, .advice].contains(verdict) ? divergences.first?.cause : signature
  }
}

extension Divergence {
  /// What this has in common with other divergences that show the same defect. Whether a scenario
  /// expects something or the reference client does it makes no difference.
  public var signature: Signature {
    let traits = kind.base.traits
    let subject = traits.isAboutArguments ? subject.call : subject.circumstances
    let words = [breach] + details + traits.words + subject
    return Signature(words.joined(separator: " "))
  }

  /// The invariant, or the kind of difference.
  package var breach: String {
    if case let .broken(invariant, _) = kind.base { return invariant.id.lowercased() }
    return kind.base.traits.name
  }

  /// The cause of this and of others: the invariant, the event that is missing, or the kind of
  /// difference.
  ///
  /// It leaves out what was listened to or called and what had just reached the client:
  /// `missing-event child_moved` for `missing-event child_moved listener limited`, and `inv-39` for
  /// `inv-39 set`. An event in whose stead another one came is missing too.
  public var cause: Signature {
    let traits = kind.base.traits
    return switch kind.base {
    case .broken: Signature(breach)
    case let .replaced(event, _): Signature("missing-event \(event.kind.name)")
    case .call(.missing, _, _): Signature(traits.name)
    default: Signature(([traits.name] + traits.words).joined(separator: " "))
    }
  }
}

extension UncaughtException {
  /// The class and the first words of the message. What is quoted in it, numbers and paths belong to
  /// the run and not to the defect.
  var words: [String] {
    // Letters of ASCII, and what ends a part of a sentence.
    let words = message.split(separator: " ").filter {
      $0.utf8.allSatisfy { $0.isLetter || ".,:".utf8.contains($0) }
    }
    let all = [type ?? ""] + words.prefix(6).map(String.init)
    return all.map { word in
      String(decoding: word.lowercased().utf8.filter(\.isLowercaseOrDigit), as: UTF8.self)
    }.filter { !$0.isEmpty }
  }
}

extension ExpectedEvent.Kind {
  var name: String {
    switch self {
    case let .event(type): type.rawValue
    case .cancelled: "cancelled"
    }
  }
}

extension Observation {
  var kind: ExpectedEvent.Kind { ExpectedEvent(content).kind }
}

extension ErrorCode {
  /// The code as a word of a signature.
  fileprivate var word: String {
    String(
      name.unicodeScalars.map { scalar in
        let isOfWord = "a"..."z" ~= scalar || "0"..."9" ~= scalar || scalar == "-"
        return isOfWord ? Character(scalar) : "_"
      })
  }
}

extension ExpectedOutcome.End {
  var isRefusal: Bool { if case .threw = self { true } else { false } }

  /// How the call ends, with the code of an error: another one has another cause.
  var names: [String] {
    switch self {
    case .ok: ["ok"]
    case let .error(code): ["error", code.word]
    case let .threw(code): ["threw", code.word]
    case .answered: ["answer"]
    case .committed: ["committed"]
    case .notCommitted: ["not-committed"]
    }
  }
}

// What distinguishes two defects that break the same rule: what it is that was listened to or called,
// and what had just reached the client.

extension Subject {
  /// The kind of query, or the operation with the kind of function; empty for everything else.
  package var circumstances: [String] {
    switch self {
    case let .listener(_, _, target): ["listener"] + target.query.circumstances
    case let .call(_, _, operation): operation.circumstances
    case .client, .server: []
    }
  }

  /// The operation alone; empty for what is no call.
  var call: [String] {
    if case let .call(_, _, operation) = self { [operation.name] } else { [] }
  }
}

extension ClientInterface.Operation {
  /// Its name, with the kind of its query or of its function.
  package var circumstances: [String] {
    if case let .transaction(_, function, _) = self { return [name, function.circumstance] }
    return [name] + (registration?.target.query.circumstances ?? [])
  }
}

extension Query {
  /// The kind of query, in one word; empty for one without conditions.
  package var circumstances: [String] {
    if limit != nil { return ["limited"] }
    if hasRange { return ["bounded"] }
    return ordering == .priority ? [] : ["ordered"]
  }
}

extension TransactionFunction {
  fileprivate var circumstance: String {
    switch self {
    case .increment, .set, .merge, .keep: "writing"
    case .setIfNull: "aborting-later"
    case .abort, .setThenAbort: "aborting"
    case .fail: "failing"
    case .setIfNullOrFail: "failing-later"
    }
  }
}

extension ScenarioResult {
  /// What the client had just been given when a law of all runs was broken: `on-data`. What an
  /// expectation is about stands in the scenario.
  func trigger(of divergence: Divergence) -> [String] {
    guard divergence.isBrokenInvariant, let evidence = divergence.evidence,
      let (_, input) = trace.lastInput(before: evidence)
    else { return [] }
    return ["on-" + input.circumstance]
  }
}

extension ClientInput {
  /// What kind of input it is, in one word.
  package var circumstance: String {
    switch self {
    case .open: "start"
    case let .call(_, operation): operation.name
    case .timer: "timer"
    case .frame(.put), .frame(.merge): "data"
    case let .frame(.response(response)): response.status == "ok" ? "ok" : "refusal"
    case .frame(.revoked): "revocation"
    case .opened, .refused, .closed, .close, .frame(.hello), .frame(.credentialRevoked),
      .frame(.shutdown), .frame(.reset):
      "connection"
    case .frame(.pong), .frame(.notice), .frame(.other): "notice"
    }
  }
}
