public import ClientInterface
internal import Trace
public import Tree

/// One thing that a client let its application see.
public struct Observation: Hashable, Sendable {
  /// The client whose application saw it.
  public var client: ClientIndex
  /// The name of the listener or call that it is about.
  public var label: String
  /// What the application saw: an event, or the end of its listener.
  public var content: Content
  /// The position in the trace.
  public var sequence: Int
  /// Virtual time from the start of the run.
  public var time: Interval

  /// What an application can see of a listener.
  public enum Content: Hashable, Sendable {
    case event(Event)
    /// The server ended the listener.
    case cancelled(ErrorCode)
  }

  /// Something that a client showed under a label; `sequence` is its position in the trace.
  public init(
    client: ClientIndex, label: String, _ content: Content, sequence: Int = 0,
    time: Interval = .zero
  ) {
    self.client = client
    self.label = label
    self.content = content
    self.sequence = sequence
    self.time = time
  }
}

/// What a call has come to.
public struct Outcome: Hashable, Sendable {
  /// How it ended; `nil` as long as it has not.
  public var end: End?
  /// What a push was answered with.
  public var key: JSON?
  /// What a transaction's function was called with so far.
  public var inputs: [JSON] = []
  /// The position in the trace of the last thing that is reported here.
  public var sequence = 0
  /// Virtual time, from the start of the run, of the last thing that is stated here.
  public var time = Interval.zero

  /// How a call ended: by its completion, by throwing, or with the answer of an inspection.
  public enum End: Hashable, Sendable {
    case completed(Completion)
    case threw(ErrorCode)
    /// An inspection was answered, in plain JSON.
    case answered(JSON)
  }
}

extension Outcome {
  /// Takes what a client says of the call. `ending` is how the application learns that it is done.
  ///
  /// - Returns: Whether it ends the call. A push is answered with its key and goes on; an inspection
  ///   ends with its answer.
  @discardableResult
  mutating func take(_ output: ClientOutput, _ ending: Operation.Ending?) -> Bool {
    switch output {
    case let .completed(_, completion): end = .completed(completion)
    case let .threw(_, error): end = .threw(error)
    case let .answered(_, value) where ending == .answer: end = .answered(value)
    case let .answered(_, value):
      key = value
      return false
    case let .updateRan(_, input):
      inputs.append(input)
      return false
    default: return false
    }
    return true
  }

  /// Whether the function of a transaction was given so many inputs, one after the other, of which
  /// each is as it must be. It may have run more often on what it had been given: nothing comes of that.
  func wasGiven(_ count: Int, matches: (_ index: Int, _ input: JSON) -> Bool) -> Bool {
    var index = 0
    for (position, input) in inputs.enumerated() {
      if index < count, matches(index, input) {
        index += 1
      } else if position == 0 || inputs[position - 1] != input {
        return false
      }
    }
    return index == count
  }

  /// Whether this is what a call without a name must come to.
  var isSuccess: Bool {
    switch end {
    case nil, .answered?: true
    case let .completed(completion)?: completion.error == nil && completion.committed != false
    case .threw?: false
    }
  }
}
