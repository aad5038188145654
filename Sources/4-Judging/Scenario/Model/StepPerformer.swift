package import ClientInterface

/// Does what the steps of a scenario say: the one interpreter of steps.
///
/// Each kind of run says how it does each kind of thing. A new action becomes a new requirement, so
/// that no kind of run can forget it.
package protocol StepPerformer {
  associatedtype StepError: Error = Never

  mutating func make(_ call: Action.Call, of step: Step, number: Int) throws(StepError)
  /// Lets the fault of a step happen, or prepares it where it waits for something.
  mutating func inject(_ step: Step) throws(StepError)
  mutating func wait(for interval: Interval, in step: Step) throws(StepError)
  mutating func settle(in step: Step) throws(StepError)
  mutating func disarm() throws(StepError)
  /// Does nothing, unless who performs the steps keeps an account of them.
  mutating func expectOnly(in step: Step) throws(StepError)
}

extension StepPerformer {
  /// Does what a step says; what it expects is left to the caller.
  ///
  /// - Parameters:
  ///   - step: The step; those of `together` are done in their order.
  ///   - number: Its number in the scenario, from 1.
  /// - Throws: What the performer throws.
  package mutating func perform(_ step: Step, number: Int) throws(StepError) {
    switch step.action {
    case let .call(call): try make(call, of: step, number: number)
    case .fault: try inject(step)
    case let .wait(interval): try wait(for: interval, in: step)
    case .settle: try settle(in: step)
    case .disarm: try disarm()
    case let .together(steps): for step in steps { try perform(step, number: number) }
    case .expect: try expectOnly(in: step)
    }
  }

  package mutating func expectOnly(in step: Step) throws(StepError) {}
}
