/// The faults of a run: what became of each, and which wait for their triggers.
package struct FaultRegister: Sendable {
  /// What became of each fault, in the order in which they were injected or armed.
  package private(set) var marks: [FaultMark] = []
  /// The faults that wait, in the order in which they were armed.
  package private(set) var armed: [ArmedFault] = []
  /// The faults that were withdrawn before they happened.
  package private(set) var withdrawn: Set<Int> = []
  /// How often faults happen again, by their marks.
  private var repeats: [Int: Int] = [:]

  package init() {}

  /// Adds a fault.
  ///
  /// - Returns: The position of its mark.
  package mutating func add(_ fault: IndexedFault, trigger: Trigger?) -> Int {
    marks.append(FaultMark(fault, trigger: trigger))
    return marks.count - 1
  }

  /// Lets a fault wait.
  package mutating func arm(_ element: ArmedFault) { armed.append(element) }

  /// Lets a fault happen so many times more, each time when its trigger matches again.
  package mutating func setRepeats(_ count: Int, of mark: Int) { repeats[mark] = count }

  /// How often a fault that has just happened is to happen again.
  package func repeats(of mark: Int) -> Int { repeats[mark] ?? 0 }

  /// Records that a fault has changed what happened.
  package mutating func takeEffect(_ mark: Int?, if isSo: Bool = true) {
    if let mark, isSo { marks[mark].hasTakenEffect = true }
  }

  /// Records that a fault happens.
  package mutating func fire(_ mark: Int) { marks[mark].hasFired = true }

  /// Takes out a fault that waits; `nil` when it does not wait any more.
  package mutating func take(_ mark: Int) -> ArmedFault? {
    armed.firstIndex { $0.mark == mark }.map { armed.remove(at: $0) }
  }

  /// Takes out the faults that a message which passes sets off, in the order of their arming.
  package mutating func take(
    at messageDelivery: MessageDelivery, _ edge: Trigger.Edge
  ) -> [ArmedFault] {
    armed.take(at: messageDelivery, edge)
  }

  /// Takes back a fault that waits.
  ///
  /// - Returns: Whether it did.
  package mutating func withdraw(_ mark: Int) -> Bool {
    guard take(mark) != nil else { return false }
    withdrawn.insert(mark)
    return true
  }

  /// Takes back every fault that waits for its trigger.
  package mutating func withdrawAll() {
    for element in armed { withdrawn.insert(element.mark) }
    armed = []
  }
}
