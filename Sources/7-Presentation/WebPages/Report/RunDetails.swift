internal import ClientInterface
public import Conformance
internal import Diagrams
internal import Scenario
internal import Text
internal import Trace
internal import TraceFiles
public import Tree

/// What the report shows of one run when it is looked at closely: its steps, events, frames and picture.
public struct RunDetails {
  private let result: ScenarioResult

  /// - Parameter result: The run, with its events.
  public init(of result: ScenarioResult) {
    self.result = result
  }

  /// How much of a frame is kept.
  private static let frameLimit = 4000

  /// The steps, at most 2000 events and the count of all, the number of the event that shows the
  /// first divergence, and the picture; the last two are null where there is none.
  public var json: JSON {
    let picture = SpaceTime(of: PicturedRun(result))
    let isPictured = result.trace.count > 0
    return [
      "steps": .array(
        result.trace.events.compactMap { event in
          if case let .step(text) = event.kind {
            .string(Truncation.middle(of: text, toBytes: 2000))
          } else {
            nil
          }
        }),
      "events": .array(result.trace.events.prefix(2000).map(json)),
      "count": .number(Double(result.trace.count)),
      "wrong": result.divergences.first?.evidence.map { .number(Double($0)) } ?? .null,
      "picture": isPictured ? .string(picture.svg(id: "picture", hasStyle: false)) : .null,
    ]
  }

  /// Time, step, who, text, and the frame where a client sends or gets one.
  private func json(_ event: TraceEvent) -> JSON {
    let clients = result.scenario.clients
    var cells: [JSON] = [
      .number(event.time.milliseconds), .number(Double(event.step)),
      .string(event.route(names: clients)), .string(event.text),
    ]
    switch event.kind {
    case .output(_, .send), .input(_, .frame):
      let json = event.json(clients: clients, result.profile.dialect)
      let frame = json["out"]?["send"] ?? json["in"]?["frame"] ?? .null
      cells.append(.string(Truncation.middle(of: frame.text, toBytes: Self.frameLimit)))
    default: break
    }
    return .array(cells)
  }
}
