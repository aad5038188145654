internal import ClientInterface
internal import Trace
internal import Wire

/// Which events of a run a picture shows, in their order.
struct EventSelection {
  private(set) var events: [TraceEvent] = []
  /// How many that would be worth showing are not shown.
  private(set) var omitted = 0
  /// Whether only what led to the failure is shown.
  private(set) var isSlice = false
  /// The numbers of the events that led to the failure.
  private(set) var causes: Set<Int> = []

  /// More events than this make no picture: of a run that failed what led there is shown, and of
  /// another one the beginning.
  static let limit = 400

  init(of run: PicturedRun) {
    let worthwhile = Self.withoutRoutine(run.trace)
    if let event = run.failures.first?.event {
      causes = Set(run.trace.causes(of: event).map(\.sequence))
    }
    guard worthwhile.count > Self.limit else {
      events = worthwhile
      return
    }
    if causes.isEmpty {
      events = Array(worthwhile.prefix(Self.limit))
    } else {
      isSlice = true
      events = Self.slice(run.trace, causes)
    }
    omitted = worthwhile.count - events.count
  }

  /// What led there, with the steps in which it happened; of a very long way the end.
  private static func slice(_ trace: Trace, _ causes: Set<Int>) -> [TraceEvent] {
    let steps = Set(trace.events.filter { causes.contains($0.sequence) }.map(\.step))
    return trace.events.filter { event in
      if case .step = event.kind { return steps.contains(event.step) }
      return causes.contains(event.sequence)
    }.suffix(limit)
  }

  /// What is left without timers, storage, counters and other things that say nothing about order.
  private static func withoutRoutine(_ trace: Trace) -> [TraceEvent] {
    var counters: Set<Int> = []
    var opened: Set<ClientIndex> = []
    return trace.events.filter { event in
      switch event.kind {
      case let .input(client, .open): return !opened.insert(client).inserted
      case .input(_, .timer), .output(_, .setTimer), .output(_, .cancelTimer), .output(_, .store),
        .output(_, .erase), .output(_, .log), .output(_, .calling), .output(_, .returned):
        return false
      case .output(_, .send(.request(_, .stats))):
        counters.insert(event.sequence)
        return false
      case .serverReceived, .serverSent, .input(_, .frame), .lostToServer, .lostToClient:
        // The way of the counters to the server and of the answer back.
        guard let cause = event.cause, counters.contains(cause) else { return true }
        counters.insert(event.sequence)
        return false
      case .input, .output, .step, .serverOpened, .serverClosed, .fault, .serverWrite,
        .serverUpdate:
        return true
      }
    }
  }
}
