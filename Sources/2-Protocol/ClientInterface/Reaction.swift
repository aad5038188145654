/// What an application does in one of its callbacks: the calls that it makes before the callback
/// returns (CBK-1).
///
/// It is stated in advance, with ``Operation/on(_:)``, so that no answer is needed while the
/// callback runs.
public struct Reaction: Hashable, Sendable {
  /// In which callback the calls are made.
  public var callback: Callback
  /// In which of them, from 1, counted from the moment the reaction was stated. It happens once.
  public var nth: Int
  /// The calls, in the order in which they are made. None of them is an `on`.
  public var calls: [Call]

  /// A call that is made in a callback.
  public struct Call: Hashable, Sendable {
    /// The name by which the application knows the call.
    public var id: CallID
    /// What the client is asked to do, with all arguments.
    public var operation: Operation

    /// Pairs a call with its name.
    public init(_ id: CallID, _ operation: Operation) {
      self.id = id
      self.operation = operation
    }

    /// Whether a scenario gives the call a name: others have `#1`, `#2`, … and `L1`, `L2`, …
    public var isNamed: Bool {
      let digits = id.name.dropFirst()
      let isNumber = !digits.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) }
      return !(isNumber && (id.name.first == "#" || id.name.first == "L"))
    }
  }

  /// A function that the application has given to its client.
  public enum Callback: Hashable, Sendable {
    /// A listener receives an event of this type, or any event.
    case event(ListenerID, EventType?)
    /// A listener ends because of the server.
    case cancel(ListenerID)
    /// A call ends.
    case completion(CallID)
    /// The function of a transaction runs.
    case function(CallID)
  }

  /// States what happens in a callback; the first one that comes unless another is meant.
  public init(in callback: Callback, nth: Int = 1, _ calls: [Call]) {
    self.callback = callback
    self.nth = nth
    self.calls = calls
  }
}

extension Reaction.Callback {
  /// Whether an output is this callback.
  public func isCalled(by output: ClientOutput) -> Bool {
    switch (self, output) {
    case let (.event(listener, type), .event(event)):
      event.listener == listener && (type == nil || event.type == type)
    case let (.cancel(listener), .cancelled(cancelled, _)): cancelled == listener
    case let (.completion(call), .completed(completed, _)): completed == call
    case let (.function(call), .updateRan(run, _)): run == call
    default: false
    }
  }

  /// The listener or the call that has the callback, which share one space of names.
  public var name: String {
    switch self {
    case let .event(listener, _), let .cancel(listener): listener.name
    case let .completion(call), let .function(call): call.name
    }
  }

  /// The same callback of a listener or call with another name.
  public func renamed(_ name: String) -> Reaction.Callback {
    switch self {
    case let .event(_, type): .event(ListenerID(name), type)
    case .cancel: .cancel(ListenerID(name))
    case .completion: .completion(CallID(name))
    case .function: .function(CallID(name))
    }
  }
}

/// The reactions of one process that have not happened yet.
///
/// A client, or what runs it, asks it in each callback which calls to make there.
public struct Reactions: Hashable, Sendable {
  private var waiting: [Reaction] = []

  /// Without any reaction.
  public init() {}

  /// Whether no callback has anything to do.
  public var isEmpty: Bool { waiting.isEmpty }

  /// Records a reaction.
  public mutating func add(_ reaction: Reaction) { waiting.append(reaction) }

  /// The calls that are to be made in the callback that an output is; in most there are none.
  ///
  /// Several reactions to one callback happen in the order in which they were stated.
  ///
  /// - Complexity: O(*n*) in the number of reactions.
  public mutating func calls(in output: ClientOutput) -> [Reaction.Call] {
    if waiting.isEmpty { return [] }
    var calls: [Reaction.Call] = []
    for index in waiting.indices where waiting[index].callback.isCalled(by: output) {
      waiting[index].nth -= 1
      if waiting[index].nth == 0 { calls += waiting[index].calls }
    }
    waiting.removeAll { $0.nth <= 0 }
    return calls
  }
}
