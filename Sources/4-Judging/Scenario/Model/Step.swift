public import Document

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
