internal import ClientInterface
internal import RunModel
internal import Trace
internal import Tree
internal import Wire
internal import WireMonitor

/// What is known of one client of a run: from its application, and from its messages.
struct JudgedClient {
  var application: ApplicationModel
  /// Judges the messages of the present process, and knows its requests and listens.
  var monitor: WireMonitor

  init(_ profile: Profile) {
    application = ApplicationModel(profile)
    monitor = Self.monitor(profile)
  }

  var profile: Profile { application.profile }

  static func monitor(_ profile: Profile) -> WireMonitor {
    WireMonitor(profile.dialect, seenBy: .client, reportsAdvice: false)
  }

  /// Takes the input of a turn.
  ///
  /// - Returns: What is wrong with the message that it is.
  mutating func followWire(_ input: ClientInput, at now: Instant) -> [WireFinding] {
    switch input {
    case .open:
      monitor = Self.monitor(profile)
      return []
    case .opened:
      monitor.opened()
      return []
    case let .frame(message): return monitor.received(message, at: now)
    case .closed, .refused, .close: return monitor.ended(at: now)
    case .call, .timer:
      monitor.interrupted()
      return []
    }
  }

  /// Takes an output.
  ///
  /// - Returns: What is wrong with the message that it is.
  mutating func followWire(_ output: ClientOutput, at now: Instant) -> [WireFinding] {
    switch output {
    case .connect, .connectTo: return monitor.connecting()
    case .disconnect: return monitor.ended(at: now)
    case let .send(message): return monitor.sent(message, at: now)
    case .setTimer, .cancelTimer, .event, .cancelled, .completed, .answered, .threw, .updateRan,
      .calling, .returned, .store, .erase, .uncaught, .log:
      return []
    }
  }
}

/// A turn of a client that is judged, where the model of it is: nothing of a run is copied to judge
/// it.
struct TurnOccasion {
  // The pointers are valid while the occasion is.
  let judged: UnsafePointer<JudgedClient>
  let turn: UnsafePointer<ClientStep>

  // Each yields the part itself: a part of what is yielded would be copied.
  var calls: Calls { _read { yield judged.pointee.application.calls } }
  var listeners: PathList<Listener> { _read { yield judged.pointee.application.listeners.all } }
  var listens: Listens { _read { yield judged.pointee.monitor.wire.listens } }
  var link: Link { _read { yield judged.pointee.application.link } }
  var step: ClientStep { _read { yield turn.pointee } }
  var context: TurnContext { judged.pointee.application.turn }
  var touched: [Int] { judged.pointee.application.listeners.touched }
  var positions: [ListenerID: Int] { judged.pointee.application.listeners.positions }
  var lastUndoing: Int { judged.pointee.application.listeners.lastUndoing }
  var persists: Bool { judged.pointee.application.persists }
  var missedReaction: (call: Reaction.Call, sequence: Int)? {
    judged.pointee.application.reactions.missed
  }
  var client: ClientIndex { turn.pointee.client }
  var profile: Profile { judged.pointee.application.profile }
}

/// What reaches a listener, which the model has not taken yet.
struct ReceiptOccasion {
  let turn: TurnOccasion
  /// The position of the listener.
  let index: Int
  /// The event; `nil` where the server ends the listener.
  let event: Event?
  /// The event of the trace.
  let sequence: Int

  var listener: Listener { _read { yield turn.listeners[index] } }

  func violated(_ sentence: String, at evidence: Int? = nil) -> Judgement {
    .violated(
      .listener(turn.client, listener.id, listener.target), at: evidence ?? sequence, sentence)
  }
}

/// An event at a listener, which the model has not taken yet.
struct EventOccasion {
  let receipt: ReceiptOccasion
  let event: Event
  /// What the server has had; `nil` where that is not certain.
  let server: UnsafePointer<ServerModel>?

  var turn: TurnOccasion { receipt.turn }
  var listener: Listener { _read { yield receipt.turn.listeners[receipt.index] } }
  var context: TurnContext { turn.context }

  func violated(_ sentence: String, at evidence: Int? = nil) -> Judgement {
    receipt.violated(sentence, at: evidence)
  }
}
