public import ClientInterface
public import Trace
internal import Tree
internal import Vocabulary
internal import Wire

extension Recording {
  /// The half of a run that one client saw and did, as the text of a recording.
  ///
  /// - Parameters:
  ///   - client: Which of the run's clients.
  ///   - trace: The run, with its events.
  ///   - name: What the recording calls the client.
  ///   - profile: The profile of the run; its dialect is the recorded client's.
  ///   - seed: The seed of the run.
  ///   - epoch: What clocks showed at the start of the run.
  /// - Returns: One JSON object a line, a header first.
  /// - Complexity: O(*n*) in the size of the trace.
  public static func text(
    of client: ClientIndex, in trace: Trace, name: String, profile: Profile, seed: UInt64,
    epoch: Instant
  ) -> String {
    var lines: [JSON] = [
      [
        "recording": .number(Double(version)), "client": .string(profile.dialect.rawValue),
        "seed": .number(Double(seed)), "name": .string(name), "epoch": .number(epoch.milliseconds),
      ]
    ]
    for event in trace.events {
      switch event.kind {
      // A client that replays it makes the calls of its callbacks by itself.
      case .input(client, let input) where !event.isNestedCall:
        if let json = input.recorded(in: profile.dialect) { lines.append(event.line("in", json)) }
      case .output(client, let output):
        if output.isRecorded { lines.append(event.line("out", output.json(in: profile.dialect))) }
      default: continue
      }
    }
    return lines.map { $0.text + "\n" }.joined()
  }
}

extension TraceEvent {
  fileprivate func line(_ direction: String, _ content: JSON) -> JSON {
    .object([
      .init("t", .number(time.milliseconds)), .init(direction, content),
    ])
  }
}

extension ClientInput {
  /// `{VERB: {…}}`; `nil` for what recordings do not hold.
  fileprivate func recorded(in dialect: Dialect) -> JSON? {
    switch self {
    case .call, .opened, .refused, .frame, .closed: return json(in: dialect)
    case .open, .timer, .close: return nil
    }
  }
}

extension ClientOutput {
  /// Timers, storage and remarks are the client's own business.
  fileprivate var isRecorded: Bool {
    switch self {
    case .connect, .connectTo, .send, .disconnect, .event, .cancelled, .completed, .answered,
      .threw, .updateRan, .calling, .returned, .uncaught:
      true
    case .setTimer, .cancelTimer, .store, .erase, .log: false
    }
  }
}
