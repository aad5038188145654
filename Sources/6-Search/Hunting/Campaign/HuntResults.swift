public import Faults
package import Invariants
internal import Tree

/// What a campaign has shown, put together from the records of its chunks in any order.
///
/// Seeds that occur in several records count once, so that the results of several machines can be
/// merged however their ranges overlap.
public struct HuntResults: Sendable {
  /// All seeds of the records that were added, each once.
  public private(set) var seeds = SeedRanges()
  /// How many trace events the runs had in all; a record counts in full if any of its seeds is new,
  /// otherwise not at all.
  public private(set) var events = 0
  /// How many runs had no verdict.
  public private(set) var skipped = 0
  /// Why they had none, and how often.
  public private(set) var reasons: [String: Int] = [:]
  /// The kinds of step that occur in the scenarios of any record.
  public private(set) var marks = StepKindSet()
  /// What became of the faults, of the same records that count for `events`.
  public private(set) var faults = FaultCounts()
  /// How often invariants could not be judged, and why, likewise.
  package private(set) var doubts = Doubts()
  /// The states of the model that were reached.
  public var states = StateTable()
  private var finds: [String: Finding] = [:]
  /// The hash of each chunk, to notice that another machine came to another one.
  private var hashes: [ClosedRange<UInt64>: UInt64] = [:]

  /// A kind of failure with all the seeds that show it.
  public struct Finding: Hashable, Sendable {
    /// The text of the signature that the failures have in common, or `HuntResults.mismatch`; behind
    /// `HuntResults.known` the name of the cause that they have in common.
    public var signature: String
    /// The seeds of all records that show it, each once.
    public var seeds: Set<UInt64>
    /// The smallest seed that shows it.
    public var first: UInt64
    /// What went wrong with the first seed.
    public var sentence: String
    /// The one in whose run the least happens until it fails.
    public var shortest: ChunkRecord.Run
    /// The cause of the first seed's failure where it is not the signature.
    public var cause: String?
    /// The circumstances of the first seed's failure, where they are known.
    public var circumstances: String?
  }

  /// The signature of runs that went two ways.
  public static let mismatch = "determinism mismatch"

  /// What the signature of a run begins with that broke no rule but such as clients only should obey.
  public static let advice = "advice "

  /// What stands before the name of a cause that is listed as known, in place of a signature.
  public static let known = "known "

  /// Begins a campaign of which no record has been added.
  public init() {}

  /// Every kind of failure that is news, the most frequent first.
  public var findings: [Finding] {
    sorted { !$0.signature.hasPrefix(Self.advice) && !$0.signature.hasPrefix(Self.known) }
  }

  /// Every cause that is known and was shown, likewise.
  public var known: [Finding] { sorted { $0.signature.hasPrefix(Self.known) } }

  /// Every kind of advice, which is no failure, likewise.
  public var advice: [Finding] { sorted { $0.signature.hasPrefix(Self.advice) } }

  private func sorted(_ isWanted: (Finding) -> Bool) -> [Finding] {
    finds.values.filter(isWanted).sorted {
      ($1.seeds.count, $0.first, $0.signature) < ($0.seeds.count, $1.first, $1.signature)
    }
  }

  /// The failure with a signature, if there was one.
  public subscript(signature: String) -> Finding? { finds[signature] }

  /// How many of the seeds failed with what is news.
  public var failed: Int { Self.count(findings) }

  /// How many of the seeds failed with what is known, and with nothing else.
  public var failedAsKnown: Int { Self.count(findings + known) - failed }

  private static func count(_ findings: [Finding]) -> Int {
    findings.reduce(into: Set<UInt64>()) { $0.formUnion($1.seeds) }.count
  }

  /// What never happened.
  public var missing: [StepKind] { StepKindSet.all.subtracting(marks).ingredients }

  /// The kinds of fault that never changed anything.
  public var ineffective: [String] { FaultCounts.names.filter { faults[$0].mattered == 0 } }

  /// Adds a record.
  ///
  /// - Returns: The signatures that had not occurred before, or in no run as short.
  @discardableResult
  public mutating func add(_ record: ChunkRecord) -> [String] {
    let isNew = !seeds.missing(in: record.seeds).isEmpty
    seeds.insert(record.seeds)
    if isNew {
      events += record.events
      skipped += record.skipped
      reasons.merge(record.reasons, uniquingKeysWith: +)
      faults += record.faults
      doubts += record.doubts
    }
    marks.formUnion(record.marks)
    var found: [String] = []
    for find in record.finds where add(find) { found.append(find.signature) }
    if let other = hashes.updateValue(record.hash.bits, forKey: record.seeds),
      other != record.hash.bits, record.events > 0
    {
      let text = SeedRanges.text(of: record.seeds)
      let first = record.seeds.lowerBound
      let find = ChunkRecord.Find(
        signature: Self.mismatch, seeds: [first],
        sentence: "the seeds \(text) differed between two processes or machines",
        shortest: .init(seed: first, events: 0))
      if add(find) { found.append(find.signature) }
    }
    return found
  }

  /// Records a failure.
  ///
  /// - Returns: Whether there was none with that signature, or in no run as short.
  private mutating func add(_ find: ChunkRecord.Find) -> Bool {
    guard let first = find.seeds.first else { return false }
    guard var known = finds[find.signature] else {
      finds[find.signature] = Finding(
        signature: find.signature, seeds: Set(find.seeds), first: first, sentence: find.sentence,
        shortest: find.shortest, cause: find.cause, circumstances: find.circumstances)
      return true
    }
    known.seeds.formUnion(find.seeds)
    if first < known.first {
      known.first = first
      known.sentence = find.sentence
      known.cause = find.cause
      known.circumstances = find.circumstances
    }
    let isShorter = find.shortest < known.shortest
    known.shortest = min(known.shortest, find.shortest)
    finds[find.signature] = known
    return isShorter
  }
}
