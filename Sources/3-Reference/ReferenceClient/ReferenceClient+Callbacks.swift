package import ClientInterface

// What is called from inside callbacks.

extension ReferenceClient {
  /// Calls the application back, one callback after the other, and makes the calls that it makes
  /// there (CBK-1).
  ///
  /// The input has been handled to its end by then, so that a call from inside a callback is handled
  /// like any other. What it causes waits behind what is due already (CBK-3).
  mutating func deliver(
    _ caused: [ClientOutput], at now: Instant, into outputs: inout [ClientOutput]
  ) {
    var due = caused
    var next = 0
    while next < due.count {
      let output = due[next]
      next += 1
      if case let .event(event) = output { updateSnapshot(with: event) }
      outputs.append(output)
      for call in reactions.calls(in: output) {
        var nested = NestedCall(callback: output, call: call, due: Array(due[next...]))
        make(&nested, at: now, into: &outputs)
        due = nested.due + nested.caused
        next = 0
      }
    }
  }

  private mutating func make(
    _ nested: inout NestedCall, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    let call = nested.call
    outputs.append(.calling(call.id))
    nestedCallRewriter?(&nested, .before)
    if nested.isMade {
      respond(to: .call(call.id, call.operation), at: now, into: &nested.caused)
      outputs += nested.caused.filter(\.isReturned)
      nested.caused.removeAll(where: \.isReturned)
      nested.withdrawn = nested.due.filter { isWithdrawn($0, by: call.operation) }
      nested.due.removeAll { isWithdrawn($0, by: call.operation) }
      nestedCallRewriter?(&nested, .after)
    }
    outputs.append(.returned(call.id))
  }

  /// Whether an output calls a listener that an operation has removed (CBK-6).
  private func isWithdrawn(_ output: ClientOutput, by operation: Operation) -> Bool {
    guard var change = operation.listenerChange, let listener = output.calledListener,
      let received = snapshots[listener], received.isRemovable
    else { return false }
    if case let .removesAll(gone) = change { change = .removesAll(gone.reaching(profile.ranges)) }
    return change.removes(listener, at: received.target)
  }
}

/// Changes a call from inside a callback, or what comes of it.
package typealias NestedCallRewriter = @Sendable (inout NestedCall, NestedCall.Phase) -> Void

/// One call from inside a callback.
package struct NestedCall: Sendable {
  /// The callback from which it is made.
  package let callback: ClientOutput
  package let call: Reaction.Call
  /// What is due already, in order.
  package var due: [ClientOutput]
  /// What was due to listeners that the call has removed.
  package var withdrawn: [ClientOutput] = []
  /// What the call causes, apart from what it returns.
  package var caused: [ClientOutput] = []
  /// Whether the client does anything.
  package var isMade = true

  package enum Phase: Hashable, Sendable {
    case before
    case after
  }

  init(callback: ClientOutput, call: Reaction.Call, due: [ClientOutput]) {
    self.callback = callback
    self.call = call
    self.due = due
  }
}

extension ClientOutput {
  /// Whether it is what a call returns, or that it was refused at once.
  fileprivate var isReturned: Bool {
    switch self {
    case .answered, .threw: true
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .event, .cancelled,
      .completed, .updateRan, .calling, .returned, .store, .erase, .uncaught,
      .log:
      false
    }
  }

  /// The listener that is called with it.
  fileprivate var calledListener: ListenerID? {
    switch self {
    case let .event(event): event.listener
    case let .cancelled(listener, _): listener
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .completed, .answered,
      .threw, .updateRan, .calling, .returned, .store, .erase, .uncaught, .log:
      nil
    }
  }
}
