public import ClientInterface
internal import Trace
public import Tree

/// What a run came to: all that its applications and a reader of the server can observe of it.
///
/// The order of what one listener or call shows counts. Times do not, nor does the order between
/// listeners within a step.
public struct RunOutcome: Hashable, Sendable {
  /// What one listener or call showed.
  public struct Thread: Hashable, Sendable {
    /// The client that has the listener or made the call.
    public var client: ClientIndex
    /// The name of the listener or call, unique for its client.
    public var label: String
    /// Where the listener listens; for a call the root.
    public var path: Path
    /// What was shown under the label, in the order of the run.
    public var appEvents: [ApplicationEvent]
  }

  /// One thing that a listener or call showed, or that expectations were compared after it.
  public enum ApplicationEvent: Hashable, Sendable {
    case seen(Observation.Content)
    /// How the call ended, without position and time.
    case ended(Outcome)
    /// What a step expects was compared; what follows came after that.
    case compared
  }

  /// In order of the clients and of the labels.
  public private(set) var threads: [Thread] = []
  /// The server's tree at the end.
  public internal(set) var server = Node.empty

  /// Adds what was observed in the present period.
  mutating func add(_ log: ObservationLog) {
    for index in threads.indices where threads[index].appEvents.last != .compared {
      threads[index].appEvents.append(.compared)
    }
    for observation in log.period.observations {
      let name = ObservationLog.Name(client: observation.client, label: observation.label)
      let path = log.listeners[name]?.target.path ?? .root
      add(.seen(observation.content), of: name, at: path)
    }
    for ending in log.period.outcomes {
      var outcome = ending.outcome
      outcome.sequence = 0
      outcome.time = .zero
      add(.ended(outcome), of: ending.name, at: .root)
    }
  }

  private mutating func add(
    _ appEvent: ApplicationEvent, of name: ObservationLog.Name, at path: Path
  ) {
    let index =
      threads.firstIndex { ($0.client, $0.label) >= (name.client, name.label) } ?? threads.count
    let next = threads[index...].first
    if next?.client != name.client || next?.label != name.label {
      let thread = Thread(client: name.client, label: name.label, path: path, appEvents: [])
      threads.insert(thread, at: index)
    }
    threads[index].appEvents.append(appEvent)
  }
}

/// One of several ways in which a step may end.
package struct Alternative: Hashable, Sendable {
  /// From 1.
  package var step: Int
  /// The position in the list of alternatives, from 0.
  package var index: Int

  package init(step: Int, index: Int) {
    self.step = step
    self.index = index
  }
}
