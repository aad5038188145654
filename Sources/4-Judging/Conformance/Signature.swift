internal import ClientInterface
internal import Scenario
internal import Trace
internal import Wire
internal import WireMonitor

/// What two failures have in common when they show the same defect.
///
/// It names the invariant or the kind of difference, the kinds of event, the kind of query or of call
/// that it is about, and what had just reached the client. It never names a client, a label, a location, a value or a time, so that it stays
/// the same while a failure is made smaller.
public struct Signature: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Words of small letters, digits, `-` and `_`: `inv-7 listener`, `missing-event child_added`.
  public var text: String

  /// The signature with this text, for example one that was stored; the text is not checked.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }

  public static func < (a: Signature, b: Signature) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }
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
}

extension Divergence {
  /// What this has in common with other divergences that show the same defect.
  public var signature: Signature {
    let kind =
      if case let .broken(invariant, _) = kind { invariant.id.lowercased() } else { kind.name }
    let subject = self.kind.isAboutArguments ? subject.call : subject.circumstances
    let words = [kind] + details + self.kind.details + subject
    return Signature(words.joined(separator: " "))
  }
}

extension Divergence.Kind {
  /// The kinds of event, of end and of message that it is about.
  fileprivate var details: [String] {
    switch self {
    case let .missing(event, _), let .different(event, _, _): [event.kind.name]
    case let .unexpected(observation, unexpectedReason):
      [observation.kind.name] + unexpectedReason.details
    case let .replaced(event, observation):
      [event.kind.name, "by", observation.kind.name]
    case let .misordered(observation, event):
      [observation.kind.name, "before", event.kind.name]
    case let .outcomeMissing(expected): expected.end?.names ?? []
    case let .outcomeUnexpected(outcome), let .callFailed(outcome), let .completedTwice(outcome),
      let .endedAfterKill(outcome):
      outcome.end?.names ?? []
    case let .outcomeDifferent(expected, outcome, field):
      field.details + (expected.end?.names ?? ["key"]) + ["by"] + (outcome.end?.names ?? ["key"])
    case let .frames(expected, count): [expected.kind, count < expected.count ? "few" : "many"]
    case let .protocolBreach(finding): [finding.check.id.lowercased()]
    case let .uncaught(exception): exception.details
    case let .shadow(kind): kind.details
    case .orderBetween, .gap, .unknownLabel, .serverTree, .notConverged, .unsettled, .broken: []
    }
  }
}

extension UncaughtException {
  /// The class and the first words of the message. What is quoted in it, numbers and paths belong to
  /// the run and not to the defect.
  fileprivate var details: [String] {
    let words = message.split(separator: " ").filter { $0.utf8.allSatisfy(Self.isOfWord) }
    let all = [type ?? ""] + words.prefix(6).map(String.init)
    return all.map { word in
      String(word.lowercased().unicodeScalars.filter { "a"..."z" ~= $0 || "0"..."9" ~= $0 })
    }.filter { !$0.isEmpty }
  }

  /// Letters of ASCII, and what ends a part of a sentence.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

extension ExpectedEvent.Kind {
  fileprivate var name: String {
    switch self {
    case let .event(type): type.rawValue
    case .cancelled: "cancelled"
    }
  }
}

extension Observation {
  fileprivate var kind: ExpectedEvent.Kind {
    switch content {
    case let .event(event): .event(event.type)
    case let .cancelled(error): .cancelled(error)
    }
  }
}

extension Divergence.UnexpectedReason {
  fileprivate var details: [String] {
    switch self {
    // Where in the list the event stands depends on what else is received.
    case .nothingMore, .notHere, .silent: []
    case .afterRemoval: ["after-removal"]
    case .afterKill: ["after-kill"]
    case .afterCancel: ["after-cancel"]
    case .onceAgain: ["once-again"]
    }
  }
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
  /// How the call ends, with the code of an error: another one has another cause.
  fileprivate var names: [String] {
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

extension Outcome.End {
  fileprivate var names: [String] {
    switch self {
    case let .completed(completion):
      if let code = completion.error {
        ["error", code.word]
      } else {
        [completion.committed.map { $0 ? "committed" : "not-committed" } ?? "ok"]
      }
    case let .threw(code): ["threw", code.word]
    case .answered: ["answer"]
    }
  }
}

extension Divergence.Kind {
  /// Whether a call was refused or should have been: then its arguments decide, and not what it
  /// listens to or what came before it.
  var isAboutArguments: Bool {
    switch self {
    case let .shadow(kind): kind.isAboutArguments
    case let .outcomeMissing(expected): expected.end?.isRefusal ?? false
    case let .outcomeUnexpected(outcome), let .callFailed(outcome):
      outcome.end?.isRefusal ?? false
    case let .outcomeDifferent(expected, outcome, _):
      expected.end?.isRefusal ?? false || outcome.end?.isRefusal ?? false
    case .missing, .unexpected, .replaced, .different, .misordered, .orderBetween, .gap,
      .completedTwice, .endedAfterKill, .unknownLabel, .uncaught, .serverTree, .frames,
      .notConverged, .unsettled, .protocolBreach, .broken:
      false
    }
  }
}

extension ExpectedOutcome.End {
  fileprivate var isRefusal: Bool { if case .threw = self { true } else { false } }
}

extension Outcome.End {
  fileprivate var isRefusal: Bool { if case .threw = self { true } else { false } }
}

extension Divergence.OutcomeField {
  fileprivate var details: [String] {
    switch self {
    case .end: []
    case .key: ["key"]
    case .inputs: ["inputs"]
    case .time: ["time"]
    }
  }
}
