package import ClientInterface
package import Trace

/// Sorts the events of a trace into turns: an input of a client with all that the client did because
/// of it.
package struct TurnReader {
  private var step: ClientStep?
  /// The client of the turn, which need not be copied to be compared.
  private var acting: ClientIndex?
  /// The list of a turn that is over, to be used again.
  private var space: [ClientStep.Done] = []

  package init() {}

  /// Takes the next event. `wrongTimes` has the times that clients were given where they were wrong, by
  /// the event.
  ///
  /// - Returns: The turn that is over now, before the event counts; `nil` for none.
  package mutating func take(
    _ event: UnsafePointer<TraceEvent>, of trace: Trace, wrongTimes: [Int: Instant]
  ) -> ClientStep? {
    switch event.pointee.kind {
    case let .input(client, input):
      var outer: ClientStep?
      if event.pointee.isNestedCall, step != nil {
        step?.complete(from: trace)
        outer = step
      }
      let ended = finish()
      let sequence = event.pointee.sequence
      var next = ClientStep(
        client, input, sequence: sequence, time: event.pointee.time,
        wrongClock: wrongTimes.isEmpty ? nil : wrongTimes[sequence], space: space)
      space = []
      if let outer { next.resume(outer) }
      step = consume next
      acting = client
      return ended
    case let .output(client, output):
      if client == acting { step?.add(output, sequence: event.pointee.sequence) }
      return nil
    case .serverReceived, .serverSent, .serverOpened, .serverClosed, .serverWrite, .serverUpdate:
      return finish()
    case .step, .lostToServer, .lostToClient, .fault: return nil
    }
  }

  /// Begins a turn for an output of which it is not known what caused it.
  ///
  /// - Returns: The turn that is over now.
  package mutating func begin(_ step: ClientStep) -> ClientStep? {
    let ended = finish()
    acting = step.client
    self.step = step
    return ended
  }

  /// Ends the present turn: all that belongs to it has been taken.
  package mutating func finish() -> ClientStep? {
    acting = nil
    return step.take()
  }

  /// Takes the list of a turn that is needed no more, so that the next one need not make one.
  package mutating func reuse(_ step: consuming ClientStep) { space = step.takeSpace() }
}
