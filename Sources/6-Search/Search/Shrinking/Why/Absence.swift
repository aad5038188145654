package import ClientInterface
package import Conformance
internal import Document
internal import Scenario
package import Trace
internal import Tree
internal import Wire

/// What a conforming client does in a run and the client under test never does, in words, with what
/// was exchanged about it before.
package struct Absence {
  package let action: MissingAction
  private let result: ScenarioResult

  /// - Returns: `nil` when the divergence follows from nothing that is missing.
  package init?(
    of divergence: Divergence, in result: ScenarioResult,
    comparedWith reference: @escaping (Profile) -> any SyncClient
  ) {
    let profile = result.profile
    guard let action = result.absence(behind: divergence, comparedWith: { reference(profile) })
    else { return nil }
    self.action = action
    self.result = result
  }

  /// When the action is missing.
  package var time: Interval { action.time }

  private var clientName: String {
    let names = result.scenario.clients
    return names.indices.contains(action.client.number)
      ? names[action.client.number] : "client \(action.client.number)"
  }

  /// `missing: at 122.925 ms, after "hello", a conforming client sends put /doc 3 again; alice never
  /// does`.
  package var sentence: String {
    let trigger = cause.map { ", after \"\($0.brief)\"" } ?? ""
    return "missing: at \(action.time.shortText)\(trigger), a conforming client \(words); "
      + "\(clientName) never does"
  }

  /// What stands in the story of a failure where the action should be.
  package var line: (route: String, text: String) { (clientName, "(missing) " + words) }

  /// Whether it is what a divergence itself is about: its event, or the end of its call.
  package func isStated(by divergence: Divergence) -> Bool {
    action.output.recipient.map { divergence.subject.isAbout($0) } ?? false
  }

  private var cause: TraceEvent? {
    result.trace.events.indices.contains(action.cause) ? result.trace.events[action.cause] : nil
  }

  private var words: String {
    let again = action.isAgain ? " again" : ""
    return switch action.output.topic {
    case let .send(.request(_, request)): "sends \(request.brief)\(again)"
    case .send(.ping): "sends a ping"
    case let .connect(host?): "asks for a connection to \(host)"
    case .connect: "asks for a connection" + again
    case .disconnect: "closes its connection"
    case let .listener(_, .event(event)):
      "raises \(event.name) = \(Truncation.middle(of: event.value.description, to: 40)) "
        + "on \(event.listener.name)"
    case let .listener(listener, .cancelled(error)): "cancels \(listener.name): \(error)"
    case let .call(call, .completed(completion)):
      "ends \(call.name) with \(completion.error.map { "the error \($0.name)" } ?? completion.name)"
    case let .call(call, .answered(value)): "answers \(call.name): \(value.text)"
    case let .call(call, .threw(error)): "refuses \(call.name): \(error)"
    case .timer, .storage, .call(_, .updateRan), .nesting, .uncaught, .remark:
      TraceEvent(
        sequence: 0, cause: nil, time: action.time, step: 0,
        kind: .output(action.client, action.output)
      ).text
    }
  }

  /// What led to the moment of the action, with the last request about the same and what became of it.
  package var story: [TraceEvent] {
    let slice = result.trace.causes(of: action.cause)
    let known = Set(slice.map(\.sequence))
    let rest = exchange.filter { !known.contains($0.sequence) }
    return (slice + rest).sorted { $0.sequence < $1.sequence }
  }

  private var exchange: [TraceEvent] {
    let before = result.trace.events.prefix(action.cause + 1)
    guard let request = before.last(where: isRelatedRequest),
      case let .output(_, .send(.request(number, content))) = request.kind
    else { return [] }
    let end = result.trace.events[(request.sequence + 1)...].first { event in
      switch event.kind {
      case .input(action.client, .frame(.response(let response))): response.request == number
      case .lostToServer(action.client, .request(number, content)): true
      case .lostToClient(action.client, .response(let response)): response.request == number
      case .input(action.client, .opened): true
      default: false
      }
    }
    guard let end, end.sequence <= action.cause else { return [request] }
    if case .input(_, .opened) = end.kind { return [request] }
    return [request, end]
  }

  /// Whether it is a request of the client about what the action is about.
  private func isRelatedRequest(_ event: TraceEvent) -> Bool {
    guard case .output(action.client, .send(.request(let number, let request))) = event.kind else {
      return false
    }
    switch action.output.topic {
    case let .send(.request(_, missing)):
      guard let path = missing.path else { return request.action == missing.action }
      return request.path?.isRelated(to: path) ?? false
    case .listener, .call:
      if case let .input(_, .frame(.response(response)))? = cause?.kind {
        return response.request == number
      }
      return false
    case .connect, .send, .disconnect, .timer, .storage, .nesting, .uncaught, .remark: return false
    }
  }
}

extension Absence {
  /// Where in a run the action is missing: after which event, when, at which client, and what.
  var json: JSON {
    [
      "after": .count(action.cause), "t": .number(action.time.milliseconds),
      "client": .string(clientName), "text": .string(words),
    ]
  }
}
