package import ClientInterface

/// What made a client do what it did in one turn: its input, or a call from inside a callback.
package struct OutputCauses {
  private var input: Int
  /// The callback that was called last.
  private var callback: Int
  /// Of the calls that have not returned yet.
  private var outer: [(input: Int, callback: Int)] = []

  /// Begins a turn with the event of its input.
  package init(input: Int) {
    self.input = input
    callback = input
  }

  /// The event that made the client do this.
  package func cause(of output: ClientOutput) -> Int {
    if case .calling = output { callback } else { input }
  }

  /// Takes what the client did, which is the event `sequence`.
  ///
  /// - Returns: Whether a call begins, whose event is to be handed to ``begin(_:)``.
  package mutating func take(_ output: ClientOutput, as sequence: Int) -> Bool {
    switch output.topic {
    case .listener, .call(_, .completed), .call(_, .updateRan): callback = sequence
    case .nesting(_, .begins): return true
    case .nesting(_, .ends): if let last = outer.popLast() { (input, callback) = last }
    case .connect, .send, .disconnect, .timer, .storage, .call, .uncaught, .remark: break
    }
    return false
  }

  /// A call from inside a callback has begun in the event `sequence`.
  package mutating func begin(_ sequence: Int) {
    outer.append((input, callback))
    input = sequence
  }
}

extension TraceEvent {
  /// Whether it is a call that was made from inside a callback. Other calls have no cause.
  public var isNestedCall: Bool {
    if case .input(_, .call) = kind { cause != nil } else { false }
  }
}
