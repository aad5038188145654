internal import ClientInterface
internal import Faults
internal import Scenario
internal import Tree
internal import Wire

/// What happened in a session as steps of a scenario, each with its time.
struct ScenarioScript {
  /// How closely the times of the session are kept.
  enum Pace: CaseIterable {
    /// The run settles wherever the session did: what a person would write.
    case restful
    /// Every step has its time.
    case exact
    /// The same, but clients that connect again are waited for.
    case untilSettled
  }

  struct Line {
    let time: Interval
    let event: Int
    var action: Action
    /// Whether the session contains it; else it is inferred.
    var isKnown = false
    /// Whether the run has to settle here.
    var settles = false
  }

  private(set) var lines: [Line] = []

  init(
    _ timeline: Timeline, names: [String], calls: [[CallInference.Call]],
    _ foreignWrites: ForeignWriteInference, isImmediate: Bool
  ) {
    lines = foreignWrites.foreignWrites.map { Self.line($0, in: timeline) }
    for moment in timeline.moments {
      if let write = moment.write {
        lines.append(
          Line(
            time: moment.time, event: moment.event, action: .fault(.write(write)), isKnown: true))
      }
    }
    for (client, calls) in calls.enumerated() {
      let isKnown = timeline.reported.contains(client)
      for call in calls {
        let action = Action.Call(
          client: names[client], id: call.id,
          isNamed: call.operation.listens || isKnown && call.isNamed,
          operation: call.operation)
        lines.append(
          Line(
            time: call.time, event: call.event, action: .call(action), isKnown: isKnown))
        guard isImmediate, let message = call.message, let late = foreignWrites.late[message] else {
          continue
        }
        lines += Self.heldBack(names[client], since: late, until: call)
      }
    }
    for client in names.indices {
      lines += ConnectionSteps(of: client, names[client], in: timeline, isImmediate).lines
    }
    lines = lines.enumerated().sorted {
      ($0.element.time, $0.element.event, $0.offset)
        < ($1.element.time, $1.element.event, $1.offset)
    }.map(\.element)
  }

  /// What clients showed until then comes before it, also what came after the message that it
  /// explains.
  private static func line(
    _ write: ForeignWriteInference.ForeignWrite, in timeline: Timeline
  ) -> Line {
    let event = max(write.event, timeline.firstEvent(from: write.time) ?? 0)
    return Line(time: write.time, event: event, action: write.action)
  }

  /// A client that did not know of the newest data: they are held back until it has tried.
  private static func heldBack(
    _ name: String, since late: ForeignWriteInference.Version, until call: CallInference.Call
  ) -> [Line] {
    [
      Line(
        time: late.time, event: late.event - 1,
        action: .fault(.stall(name, .toClient))),
      Line(
        time: call.time, event: call.event, action: .fault(.resume(name, .toClient))),
    ]
  }
}

extension Operation {
  /// Whether its name is that of a listener.
  fileprivate var listens: Bool { kind.registersListener }
}

extension Timeline.Occurrence {
  /// What was written at the server.
  fileprivate var write: ServerWrite? {
    switch what {
    case let .wrote(path, node): node.isEmpty ? .remove(path) : .set(path, node)
    case let .updated(path, parts): .update(path, parts)
    default: nil
    }
  }
}
