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

/// How often each kind of fault was asked for, happened and changed something, in one run or in
/// many.
public struct FaultCounts: Hashable, Sendable {
  private var counts: [String: Count] = [:]

  /// What became of the faults of one kind.
  public struct Count: Hashable, Sendable {
    /// How many faults of the kind were asked for.
    public var asked = 0
    /// One that waits for something happens only when that comes.
    public var happened = 0
    /// How often something was lost, waited, was refused or was seen otherwise because of it.
    public var mattered = 0

    /// Counts of one kind, where `happened` is at most `asked`; zeros unless stated.
    public init(asked: Int = 0, happened: Int = 0, mattered: Int = 0) {
      self.asked = asked
      self.happened = happened
      self.mattered = mattered
    }

    static func + (a: Count, b: Count) -> Count {
      let (happened, mattered) = (a.happened + b.happened, a.mattered + b.mattered)
      return Count(asked: a.asked + b.asked, happened: happened, mattered: mattered)
    }
  }

  /// Counts of a run without faults.
  public init() {}

  /// Counts what became of the faults of one run.
  package init(_ marks: [FaultMark]) {
    for mark in marks {
      let (happened, mattered) = (mark.hasFired ? 1 : 0, mark.hasTakenEffect ? 1 : 0)
      let count = Count(asked: 1, happened: happened, mattered: mattered)
      counts.merge(CollectionOfOne((mark.name, count)), uniquingKeysWith: +)
    }
  }

  /// Of the faults with this name; nothing but zeros where there were none.
  public subscript(name: String) -> Count {
    get { counts[name] ?? Count() }
    set { counts[name] = newValue == Count() ? nil : newValue }
  }

  /// Adds the counts of `b` to those of `a`, each kind to its own; O(*n*) in the kinds in `b`.
  public static func += (a: inout FaultCounts, b: FaultCounts) {
    a.counts.merge(b.counts, uniquingKeysWith: +)
  }

  /// The kinds of fault that there are.
  public static var names: [String] { FaultKind.names }
}
