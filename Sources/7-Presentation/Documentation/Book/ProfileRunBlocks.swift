internal import ClientInterface
internal import Conformance
internal import Diagrams
internal import Exploration
internal import Scenario
internal import Trace
internal import Tree

/// The part of a page that describes runs: the sequence, the events, and what may vary.
struct ProfileRunBlocks {
  private let profileRun: ProfileRun
  private let hasCommands: Bool
  private var scenario: Scenario { profileRun.result.scenario }

  /// - Parameters:
  ///   - profileRun: What is described.
  ///   - hasCommands: Whether ways are listed with the commands that show them, and the run with its
  ///     picture. These differ from profile to profile even where all else is the same.
  init(_ profileRun: ProfileRun, hasCommands: Bool) {
    self.profileRun = profileRun
    self.hasCommands = hasCommands
  }

  /// Everything, for comparing profiles.
  var blocks: [Block] { events + course }

  /// What happens: the answer for which most readers come.
  var events: [Block] {
    let variation = VariationBlocks(profileRun, hasCommands: hasCommands)
    let certainty = variation.hasVariants ? [] : [Block.paragraph(variation.search)]
    return [.heading(2, [.text("Events")])] + tables + outcomes + certainty
  }

  /// How it comes about, and what may vary if anything does.
  var course: [Block] {
    let variation = VariationBlocks(profileRun, hasCommands: hasCommands)
    let sequence = SequenceDiagram(profileRun.result) { $0.words.plain }
    let variants: [Block] =
      variation.hasVariants
      ? [.heading(2, [.text("What may vary")])] + variation.blocks : []
    return [.heading(2, [.text("Messages")]), .sequence(sequence)] + drawing
      + variants
  }

  /// Where it is final, the picture of the run too.
  private var drawing: [Block] {
    guard hasCommands else { return [] }
    let id = "run-" + profileRun.result.profile.name
    return [.drawing("In space and time", svg: SpaceTime.svg(of: profileRun.result, id: id))]
  }

  /// A table for each listener, in the order in which they are registered.
  private var tables: [Block] {
    scenario.calls.flatMap { call -> [Block] in
      guard let new = call.operation.registration else { return [] }
      let (label, target, types) = (new.listener.name, new.target, new.events)
      let name = "\(call.client).\(label)"
      let head: [Inline] = [
        .code(name), .text(" listens to "), .code(Shown.key(target.text)),
        .text(types.count == EventType.allCases.count ? "" : " for \(Self.list(types))"),
      ]
      let rows = profileRun.result.trace.events.compactMap { row($0, of: call.client, label) }
      if rows.isEmpty {
        return [.heading(3, head), .paragraph([.text("It receives nothing.")])]
      }
      let table = Table(
        "Events of \(name)",
        head: ["Time", "Step", "Event", "Key", "Previous key", "Value"], rows: rows)
      return [.heading(3, head), .table(table)]
    }
  }

  private static func list(_ types: Set<EventType>) -> String {
    types.sorted().map(\.rawValue).joined(separator: ", ")
  }

  private func row(_ event: TraceEvent, of client: String, _ label: String) -> [[Inline]]? {
    guard case let .output(index, output) = event.kind, event.step >= 1,
      scenario.clients.firstIndex(of: client) == index.number
    else { return nil }
    let moment: [[Inline]] = [[.text(event.time.shortText)], [.text(String(event.step))]]
    switch output {
    case let .event(raised) where raised.listener.name == label:
      return moment + Self.cells(of: raised)
    case let .cancelled(listener, error) where listener.name == label:
      return moment + [[.code("cancelled")], [], [], [.code(error.name)]]
    case let .threw(call, error) where call.name == label:
      return moment + [[.text("refused at once")], [], [], [.code(error.name)]]
    default: return nil
    }
  }

  private static func cells(of event: Event) -> [[Inline]] {
    let previous: [Inline] =
      switch event.previous {
      case .none: []
      case .first: [.text("none, it is the first")]
      case let .key(key): [.code(Shown.key(key.string))]
      }
    let key: [Inline] = event.type == .value ? [] : [.code(Shown.key(event.key?.string ?? ""))]
    return [[.code(event.type.rawValue)], key, previous, [.code(Shown.value(event.value))]]
  }

  /// How the named calls end.
  private var outcomes: [Block] {
    let listening = scenario.calls.compactMap { $0.operation.registration?.listener.name }
    let rows = profileRun.result.trace.events.compactMap { event -> [[Inline]]? in
      guard let appEvent = EventOrders.ApplicationEvent(event), !listening.contains(appEvent.label)
      else {
        return nil
      }
      return [
        [.text(event.time.shortText)], [.text(String(event.step))],
        [.code(profileRun.owner(of: appEvent))], [.text(EventWords(appEvent).text)],
      ]
    }
    if rows.isEmpty { return [] }
    let table = Table(
      "How calls end", head: ["Time", "Step", "Call", "How it ends"], rows: rows)
    return [.heading(3, [.text("Calls")]), .table(table)]
  }
}
