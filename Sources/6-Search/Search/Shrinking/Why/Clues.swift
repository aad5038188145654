package import ClientInterface
package import Conformance
internal import Document
internal import RunModel
internal import Scenario
package import Trace
package import Tree

/// What tells most about a divergence, besides both sides and what led there: what the client never
/// did, on what a call ended, which writes waited, and what the client logged.
///
/// What the story of the failure has is not among them.
package struct Clues {
  /// What a conforming client does and this one never does, where the divergence follows from that.
  package let absence: Absence?
  /// The end of the call that the divergence is about.
  package private(set) var end: TraceEvent?
  /// The calls of writes and transactions that waited for their end when the client received what
  /// shows the divergence.
  package private(set) var pending: [TraceEvent] = []
  /// What the client logged in the turns that led there.
  package private(set) var remarks: [TraceEvent] = []
  private let divergence: Divergence
  private let result: ScenarioResult

  /// - Parameters:
  ///   - divergence: What is wrong.
  ///   - result: The run in which it is.
  ///   - reference: Makes a conforming client, which is given the same calls and messages.
  package init(
    to divergence: Divergence, in result: ScenarioResult,
    comparedWith reference: @escaping (Profile) -> any SyncClient
  ) {
    (self.divergence, self.result) = (divergence, result)
    absence = Absence(of: divergence, in: result, comparedWith: reference)
    let story =
      absence?.story ?? divergence.evidence.map { result.trace.causes(of: $0) } ?? []
    guard
      let number = result.scenario.clients.firstIndex(where: { $0 == divergence.subject.clientName }
      )
    else { return }
    let client = ClientIndex(number)
    end = endOfCall(client)
    let turns = Set(story.map(\.sequence) + [end?.cause, divergence.origin].compactMap(\.self))
    remarks = result.trace.events.filter { event in
      guard case .output(client, .log) = event.kind else { return false }
      return event.cause.map(turns.contains) ?? false
    }
    let shown = Set(story.map(\.sequence))
    if let event = end, shown.contains(event.sequence) { end = nil }
    let moment = story.last { if case .input(client, _) = $0.kind { true } else { false } }
    pending = pendingCalls(client, before: moment?.sequence).filter {
      !shown.contains($0.sequence) && $0.sequence != divergence.origin
    }
  }

  /// The end that the divergence states, or the first.
  private func endOfCall(_ client: ClientIndex) -> TraceEvent? {
    guard case .call = divergence.kind.base else { return nil }
    let ends = result.trace.events.filter { event in
      guard case .output(client, let output) = event.kind,
        case let .call(call, _) = output.topic
      else { return false }
      return divergence.subject.isAbout(.call(call)) && !output.isRun(of: call)
    }
    return ends.first { $0.sequence == divergence.evidence } ?? ends.first
  }

  /// Writes and transactions around the subject that the server had not answered.
  private func pendingCalls(_ client: ClientIndex, before moment: Int?) -> [TraceEvent] {
    let model = Surroundings(of: client, before: moment, in: result).model
    let open = model.application.calls.requested.filter {
      !$0.hasEnded && $0.path.isRelated(to: divergence.subject.path)
    }
    return open.compactMap { call in
      result.trace.events.last { event in
        if case .input(client, .call(call.call, _)) = event.kind { true } else { false }
      }
    }
  }
}

// In words.

extension Clues {
  /// How many pending calls, and lines of a log, are named.
  private static let limit = 3

  /// What there is to say, a sentence each, without full stops.
  package var sentences: [String] {
    [absence?.sentence, endSentence, pendingSentence].compactMap(\.self) + logged
  }

  /// `alice.t ended at 530 ms, after "connection refused"`.
  private var endSentence: String? {
    guard let end else { return nil }
    let cause = end.cause.map { result.trace.events[$0] }
    let isAtOnce = cause.map { $0.sequence == divergence.origin } ?? true
    let trigger = isAtOnce ? "as it was made" : "after \"\(cause?.brief ?? "")\""
    return "\(divergence.subject.label) ended at \(end.time.shortText), \(trigger)"
  }

  /// `pending then: set /chat/m5 "x" since 40 ms`.
  private var pendingSentence: String? {
    if pending.isEmpty { return nil }
    let named = pending.prefix(Self.limit).map { "\($0.brief) since \($0.time.shortText)" }
    let rest = pending.count > Self.limit ? ", and \(pending.count - Self.limit) more" : ""
    return "pending then: " + named.joined(separator: ", ") + rest
  }

  private var logged: [String] {
    remarks.suffix(Self.limit).compactMap { event in
      guard case let .output(_, .log(text)) = event.kind else { return nil }
      let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      let name = divergence.subject.clientName ?? "the client"
      return "\(name) logged: \(Truncation.middle(of: printable(line), to: 240, front: .twoThirds))"
    }
  }
}

extension ScenarioResult {
  /// The divergences as reports for programs have them. The first has what tells most about it: the
  /// later ones may follow from that.
  ///
  /// - Parameter clues: To the first divergence; `nil` where none were looked for.
  /// - Returns: An object for each, in their order.
  package func divergencesJSON(_ clues: Clues?) -> [JSON] {
    divergences.enumerated().map { index, divergence in
      guard index == 0, let clues else { return divergence.json }
      let absence = clues.absence.map { [JSON.Member("missing", $0.json)] } ?? []
      return .object(
        (divergence.json.members ?? []) + [.init("clues", .strings(clues.sentences))] + absence)
    }
  }
}
