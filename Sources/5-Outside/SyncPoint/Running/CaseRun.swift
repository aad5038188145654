public import Tree

/// What became of one case at one location.
public struct CaseRun: Sendable {
  /// The case that was run.
  public var subject: Case
  /// Below which location of the tree the case was run.
  public var path: Path
  /// The first step that went wrong; `nil` when none did.
  public var failure: Failure?

  /// A step that went wrong; no later step was made.
  public struct Failure: Sendable {
    /// From 0.
    public var step: Int
    /// How what the step raised differs from what it must raise.
    public var mismatch: CaseMismatch
  }

  /// Where every case is run: a case says the same of the root and of a location far below it.
  public static let paths: [Path] = [.root, "foo/bar/baz"]

  /// Runs a case with a new reference client, up to the first step that goes wrong.
  public init(of subject: Case, at path: Path) {
    self.subject = subject
    self.path = path
    var driver = CaseDriver(at: path)
    for (index, step) in subject.steps.enumerated() {
      let outcome = driver.perform(step.action)
      let expected = step.events.map { $0.moved(below: path) }
      if let mismatch = CaseMismatch(outcome, expected, of: step.action) {
        failure = Failure(step: index, mismatch: mismatch)
        return
      }
    }
  }

  /// Whether every step raised exactly what it must.
  public var passed: Bool { failure == nil }
}

extension CaseStep.Event {
  fileprivate func moved(below base: Path) -> CaseStep.Event {
    var event = self
    event.path = base.appending(path)
    return event
  }
}
