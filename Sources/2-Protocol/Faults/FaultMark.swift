/// What became of a fault that was injected or armed.
public struct FaultMark: Hashable, Sendable {
  /// The fault that was injected or armed, its client given by index.
  public let fault: IndexedFault
  /// What it waited for; `nil` when it was injected at once.
  public let trigger: Trigger?
  /// Whether it happened. An armed fault does when its trigger matches.
  public package(set) var hasFired = false
  /// Whether it changed what happened: something was lost, waited, was refused, or was seen with
  /// another time than without the fault.
  public package(set) var hasTakenEffect = false

  /// Of a fault that was injected, or armed with a trigger, and has not happened yet.
  package init(_ fault: IndexedFault, trigger: Trigger?) {
    self.fault = fault
    self.trigger = trigger
  }

  /// The kind of the fault: `half-open`.
  public var name: String { fault.kind.name }
}
