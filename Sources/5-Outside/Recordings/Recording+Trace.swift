public import ClientInterface
public import Trace
internal import Tree
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
    for event in events(of: client, in: trace) {
      switch event.kind {
      case let .input(_, input): lines.append(event.line("in", input.json(in: profile.dialect)))
      case let .output(_, output): lines.append(event.line("out", output.json(in: profile.dialect)))
      default: continue
      }
    }
    return lines.map { $0.text + "\n" }.joined()
  }

  /// The events of a run that the recording of a client has, a line each below the header.
  package static func events(of client: ClientIndex, in trace: Trace) -> [TraceEvent] {
    trace.events.filter { event in
      switch event.kind {
      // A client that replays it makes the calls of its callbacks by itself.
      case .input(client, let input): input.isRecorded && !event.isNestedCall
      case .output(client, let output): output.isRecorded
      default: false
      }
    }
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
  /// Timers and the ends of processes are not seen.
  fileprivate var isRecorded: Bool {
    switch self {
    case .call, .opened, .refused, .frame, .closed: true
    case .open, .timer, .close: false
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
