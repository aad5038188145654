package import ClientInterface
internal import Tree
internal import Wire

/// One client, followed turn by turn: its application, and its connection. Nothing is judged.
///
/// A value: what was known before a turn can be kept beside what is known after it.
package struct ClientModel {
  package private(set) var application: ApplicationModel
  package private(set) var wire = WireModel()

  package init(_ profile: Profile) { application = ApplicationModel(profile) }

  /// Takes a turn, all of which has happened.
  package mutating func take(_ step: ClientStep) {
    application.begin(step)
    switch step.input {
    case .open: wire = WireModel()
    case .opened: wire.begin(.opened)
    case .closed, .refused, .close: wire.begin(.none)
    case let .frame(message): wire.receive(message)
    case .call, .timer: break
    }
    for done in step.outputs {
      take(done, at: Instant(nanoseconds: step.time.nanoseconds))
      application.link.take(done.output)
    }
    for index in application.listeners.touched { application.listeners.adoptMismatch(at: index) }
    application.end()
  }

  private mutating func take(_ done: ClientStep.Done, at now: Instant) {
    switch done.output.topic {
    case .connect: wire.begin(.asked)
    case .disconnect: wire.begin(.none)
    case let .send(.request(number, request)): wire.send(number, request, at: now)
    case let .listener(listener, receipt):
      guard let index = application.listeners.positions[listener] else { return }
      guard case let .event(event) = receipt else {
        return application.listeners.takeCancellation(at: index)
      }
      if event.type == .value { application.listeners.adoptMismatch(at: index) }
      _ = application.listeners.receive(event, at: index)
      application.listeners.take(event, at: index, done.sequence)
    case .send, .timer, .storage, .call, .nesting, .uncaught, .remark: break
    }
  }
}
