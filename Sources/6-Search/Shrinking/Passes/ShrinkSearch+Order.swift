internal import ClientInterface
internal import Faults
internal import Scenario

// In which order things are done.

extension ShrinkSearch {
  /// Brings neighbours into the usual order where that does not matter: who listens comes first,
  /// then the clients in their order.
  mutating func reorder() {
    var isChanged = true
    while isChanged, !isExhausted {
      isChanged = false
      for index in current.steps.indices.dropFirst() where index < current.steps.count {
        let (first, second) = (current.steps[index - 1], current.steps[index])
        guard let a = rank(first), let b = rank(second), b.lexicographicallyPrecedes(a) else {
          continue
        }
        if attempt({ $0.steps.swapAt(index - 1, index) }) { isChanged = true }
      }
    }
  }

  /// `nil` for what nothing is moved across.
  private func rank(_ step: Step) -> [Int]? {
    guard step.expectation == nil else { return nil }
    if step.action.fault?.kind.group == .server { return [1, current.clients.count] }
    guard let call = step.action.call else { return nil }
    let client = current.clients.firstIndex(of: call.client) ?? current.clients.count
    return [call.operation.registration != nil ? 0 : 1, client]
  }
}
