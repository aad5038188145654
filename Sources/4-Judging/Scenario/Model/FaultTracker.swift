internal import ClientInterface
internal import Document
package import Faults
internal import Trace

/// Remembers which faults the steps of a run asked for, to report those without effect.
package struct FaultTracker {
  private struct Entry {
    var step: Step
    /// The positions of its faults among the marks of the simulator.
    var marks: Range<Int>
  }

  private var entries: [Entry] = []

  package init() {}

  package mutating func add(_ step: Step, marks: Range<Int>) {
    entries.append(Entry(step: step, marks: marks))
  }

  /// The first step that came to nothing, and how; `nil` when all of them mattered.
  ///
  /// A scenario that passes although its fault never happened, or changed nothing, would also pass
  /// without it.
  package func unsupportedReason(_ marks: [FaultMark]) -> String? {
    for entry in entries {
      let own = marks[entry.marks]
      let stepText = "\(entry.step.text) (\(entry.step.file):\(entry.step.position.line))"
      if !own.isEmpty, !own.contains(where: \.hasFired) {
        return "\(stepText) never happened: \(entry.step.trigger?.absence ?? "nothing led to it")"
      }
      if entry.step.action.fault?.mustTakeEffect ?? false, !own.contains(where: \.hasTakenEffect) {
        return "\(stepText) changed nothing"
      }
    }
    return nil
  }
}

extension Step.Trigger {
  /// What there was none of, since the trigger did not match.
  fileprivate var absence: String {
    switch self {
    case let .after(interval): return "the run ended within \(interval.text)"
    case let .messages(count, _, client): return "\(client) had fewer than \(count) messages"
    case let .frame(frame):
      let count = frame.count == 1 ? "no" : "fewer than \(frame.count)"
      let way = frame.isFromServer ? "to" : "from"
      return "there was \(count) \(frame.kind) \(way) \(frame.client ?? "anybody") after it"
    }
  }
}
