internal import ClientInterface
internal import Trace
internal import Tree
internal import Wire
internal import WireMonitor

/// All that was observed between two expectations.
struct ObservationWindow {
  /// When the expectation before it was checked, or the first step began.
  var start: Interval
  /// Calls of listeners, in order.
  var observations: [Observation] = []
  /// Ends and answers of calls, in order, each with all that was known by then.
  var outcomes: [Ending] = []
  /// Requests sent, in order.
  var frames: [(client: ClientIndex, action: Request.Action, sequence: Int)] = []
  var breaches: [Breach] = []
  /// What the clients were given, in order: candidates for the cause of something that is missing.
  var arrivals: [Arrival] = []
  /// What changed the server's tree, or was to change it, in order.
  var serverWrites: [(path: Path, sequence: Int)] = []

  struct Ending {
    var name: Registry.Name
    var outcome: Outcome
    /// Whether the call had ended before.
    var isRepeated: Bool
    /// Whether the process in which the call was made had been killed.
    var isLate: Bool
  }

  struct Breach {
    var client: ClientIndex
    var kind: Kind
    var sequence: Int

    enum Kind {
      case wire(WireFinding)
      case unknownLabel(String)
      case uncaught(UncaughtException)
    }
  }

  struct Arrival {
    var client: ClientIndex
    var sequence: Int
    /// The location that it is about, if any.
    var path: Path?
  }

  init(start: Interval) {
    self.start = start
  }

  mutating func takeBreaches() -> [Breach] {
    defer { breaches = [] }
    return breaches
  }

  /// The latest thing given to a client that can have concerned a location; failing that, the
  /// latest thing given to it at all.
  func lastArrival(at client: ClientIndex, about path: Path) -> Int? {
    let own = arrivals.filter { $0.client == client }
    let related = own.last { $0.path?.isRelated(to: path) ?? false }
    return (related ?? own.last)?.sequence
  }

  /// The latest change of the server's tree that can have concerned a location.
  func lastWrite(about path: Path) -> Int? {
    serverWrites.last { $0.path.isRelated(to: path) }?.sequence
  }

  /// The latest thing given to a client.
  func lastArrival(at client: ClientIndex) -> Int? {
    arrivals.last { $0.client == client }?.sequence
  }
}
