internal import ClientInterface
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
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

  static func monitor(_ profile: Profile) -> WireMonitor {
    WireMonitor(profile.dialect, seenBy: .client, reportsAdvice: false)
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
  var context: TurnContext { judged.pointee.application.listeners.turn }
  var touched: [Int] { judged.pointee.application.listeners.touched }
  var positions: [ListenerID: Int] { judged.pointee.application.listeners.positions }
  var lastUndoing: Int { judged.pointee.application.listeners.lastUndoing }
  var persists: Bool { judged.pointee.application.persists }
  var client: ClientIndex { turn.pointee.client }
  var profile: Profile { judged.pointee.application.profile }
}

/// An event at a listener, which the model has not taken yet.
struct EventOccasion {
  let turn: TurnOccasion
  /// The position of the listener.
  let index: Int
  let event: Event
  /// The event of the trace.
  let sequence: Int
  /// What the server has had; `nil` where that is not certain.
  let server: UnsafePointer<ServerModel>?

  var listener: Listener { _read { yield turn.listeners[index] } }
  var context: TurnContext { turn.context }

  func violated(
    _ invariant: Invariant, _ sentence: String, at evidence: Int? = nil
  ) -> Judgement {
    .violated(
      invariant, .listener(turn.client, listener.id, listener.target), at: evidence ?? sequence,
      sentence)
  }
}
