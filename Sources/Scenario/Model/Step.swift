public import ClientInterface
public import Document
public import Tree
public import Wire

/// One step of a scenario: something is done, then something may be expected.
///
/// Steps are numbered from 1 in the order of `Scenario.steps`.
public struct Step: Sendable {
  /// The scenario's file, or the fragment that the step was included from.
  public var file: String
  public var position: Position
  /// The step on one line as the file has it, without the expectation: for reports.
  public var text: String
  public var action: Action
  /// Checked after the action.
  public var expectation: Expectation?

  public init(
    file: String, position: Position, text: String, action: Action, expectation: Expectation? = nil
  ) {
    self.file = file
    self.position = position
    self.text = text
    self.action = action
    self.expectation = expectation
  }
}

/// What a step does.
public enum Action: Sendable {
  /// A client is called.
  case call(Call)
  case process(ProcessAction)
  case network(NetworkAction)
  case server(ServerAction)
  /// Time passes.
  case wait(Interval)
  /// Time passes until nothing is left to do.
  case settle
  /// The steps happen at one instant, in any order. They are calls and writes at the server, none
  /// with an expectation.
  case together([Step])
  /// Nothing: the step is only its expectation.
  case expect

  /// One call of a client.
  public struct Call: Sendable {
    public var client: String
    /// The label, for a listen or once the listener's name too; `#1`, `#2`, … for other calls
    /// without a label, counted for each client.
    public var id: CallID
    /// Whether the file names the call. An unnamed call must succeed, and its success is not
    /// listed; the outcome of a named one must be.
    public var isNamed: Bool
    public var operation: ClientInterface.Operation

    public init(
      client: String, id: CallID, isNamed: Bool, operation: ClientInterface.Operation
    ) {
      self.client = client
      self.id = id
      self.isNamed = isNamed
      self.operation = operation
    }
  }
}

/// Something that befalls the process of a client.
public enum ProcessAction: Hashable, Sendable {
  /// It vanishes; only what it has stored stays.
  case kill(client: String)
  /// A new one begins.
  case start(client: String, storage: Storage)

  /// What a new process finds of what the one before it has stored.
  public enum Storage: String, CaseIterable, Hashable, Sendable {
    case kept
    case lost
    /// As it was at the last expectation or settling before the end of the old process.
    case rolledBack = "rolled-back"
  }
}

/// Something that befalls the network.
public enum NetworkAction: Hashable, Sendable {
  /// The client's connection breaks, what is in flight is lost, and new connections are refused.
  case cut(client: String)
  /// New connections work again.
  case heal(client: String)
  /// New connections are refused; the one that is open stays.
  case refuse(client: String)
  /// Messages sent from now on take this long; `nil` means every client.
  case latency(ClosedRange<Interval>, client: String?)
}

/// Something that happens at the server without any client.
public enum ServerAction: Hashable, Sendable {
  case set(Path, Node)
  case update(Path, [Assignment])
  case remove(Path)
  /// Access is refused from now on.
  case reject(Scenario.Restriction)
  /// The listens at a place and below end.
  case revoke(Path)
  /// The token with which a client has signed in is worth nothing any more.
  case revokeCredential(client: String)
}
