internal import ClientInterface
internal import Faults
import Scenario

extension YAML {
  static func steps(_ steps: [Step]) -> YAML { .list(steps.map { .step($0) }, .block) }

  private static func step(_ step: Step) -> YAML {
    var entries: [Entry] = []
    if var entry = entry(of: step.action, step.trigger) {
      // A plain word cannot have an expectation behind it.
      if entry.value == nil {
        guard step.expectation != nil else { return .word(entry.key) }
        entry.value = .mapping([])
      }
      entries.append(entry)
    }
    if let expectation = step.expectation {
      let key = expectation.timing == .settled ? "expect" : "expect-now"
      entries.append(Entry(key, .expectation(expectation)))
    }
    return .mapping(entries, .block)
  }

  /// What a step does; `nil` for a step that only expects. One line for each kind of step.
  private static func entry(of action: Action, _ trigger: Step.Trigger?) -> Entry? {
    switch action {
    case let .call(call): entry(of: call)
    case let .fault(fault): entry(of: fault).entry(trigger, of: fault.client)
    case let .wait(interval): Entry("wait", .duration(interval))
    case .settle: Entry("settle", nil)
    case .disarm: Entry("disarm", nil)
    case let .together(steps): Entry("together", .steps(steps))
    case .expect: nil
    }
  }
}
