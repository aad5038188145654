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
