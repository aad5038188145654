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

extension Step {
  /// What a fault waits for. It then happens once.
  public enum Trigger: Hashable, Sendable {
    /// Until this much time has passed since its step.
    case after(Interval)
    /// Until a certain message is delivered.
    case frame(Frame)
    /// Until so many messages were delivered since its step, to or from one client.
    case messages(Int, FaultDirection, client: String)

    /// A message that is delivered after the step.
    public struct Frame: Hashable, Sendable {
      /// One of `FrameExpectation.kinds`, which clients send, or of `serverKinds`.
      public var kind: String
      /// The client that sends or gets it; `nil` means any.
      public var client: String?
      /// Which of the messages that fit, from 1.
      public var count: Int
      /// Whether the fault happens before or after the message is delivered.
      public var edge: Edge

      /// Creates a trigger for the first message that fits, unless `count` names a later one.
      public init(kind: String, client: String?, count: Int = 1, edge: Edge) {
        self.kind = kind
        self.client = client
        self.count = count
        self.edge = edge
      }

      /// What the server sends, by the names that scenarios give it.
      public static let serverKinds = [
        "hello", "data", "answer", "acknowledgement", "revoke", "revoke-auth", "redirect",
        "shutdown",
      ]

      /// Whether the server sends messages of this kind and the client receives them; false for
      /// unknown kinds.
      public var isFromServer: Bool { Self.serverKinds.contains(kind) }
    }

    /// The client for whose messages it waits; `nil` where it waits for a time or any client's.
    public var client: String? {
      switch self {
      case .after: nil
      case let .messages(_, _, client): client
      case let .frame(frame): frame.client
      }
    }

    /// On which side of the delivery the action happens.
    public enum Edge: String, CaseIterable, Hashable, Sendable {
      /// The message has not arrived yet; where its connection breaks, it never does.
      case before = "before-delivery"
      /// The message has arrived, and all that it causes at once has happened.
      case after = "after-delivery"
    }
  }
}
