public import ClientInterface
public import Document
public import Faults

/// One step of a scenario: something is done, then something may be expected.
///
/// Steps are numbered from 1 in the order of `Scenario.steps`.
public struct Step: Sendable {
  /// The scenario's file, or the fragment that the step was included from.
  public var file: String
  /// Where the step begins in `file`.
  public var position: Position
  /// The step on one line as the file has it, without the expectation: for reports.
  public var text: String
  /// What the step does before anything is expected.
  public var action: Action
  /// When the action happens; `nil` for at once. Only faults wait for
  /// something.
  public var trigger: Trigger?
  /// Checked after the action; one that waits for something has been prepared by then.
  public var expectation: Expectation?

  /// Creates a step that acts at once and expects nothing, unless stated otherwise.
  public init(
    file: String, position: Position, text: String, action: Action, trigger: Trigger? = nil,
    expectation: Expectation? = nil
  ) {
    self.file = file
    self.position = position
    self.text = text
    self.action = action
    self.trigger = trigger
    self.expectation = expectation
  }
}

/// What a step does.
public enum Action: Sendable {
  /// A client is called.
  case call(Call)
  /// Something affects a client, the network or the server.
  case fault(NamedFault)
  /// Time passes.
  case wait(Interval)
  /// Time passes until nothing is left to do.
  case settle
  /// Whatever waits for something and has not happened so far never does.
  case disarm
  /// The steps happen at one instant, in any order. None of them lets time pass or has an
  /// expectation.
  case together([Step])
  /// Nothing: the step is only its expectation.
  case expect

  /// One call of a client.
  public struct Call: Sendable {
    /// The name of the client that is called, as in `Scenario.clients`.
    public var client: String
    /// The label, for a listen or once the listener's name too; `#1`, `#2`, … for other calls
    /// without a label, counted for each client.
    public var id: CallID
    /// Whether the file names the call. An unnamed call must succeed, and its success is not
    /// listed; the outcome of a named one must be.
    public var isNamed: Bool
    /// What the client is asked to do, with all arguments.
    public var operation: ClientInterface.Operation

    /// Creates a call; that the client exists and the id is unique is not checked here.
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
