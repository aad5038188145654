internal import ClientInterface
internal import Conformance
internal import Document
public import Hunting
public import Mutants
internal import ReferenceClient
internal import Trace
internal import Tree

/// How much guided hunts reach and find, beside blind ones of the same length.
public struct GuidedComparison {
  /// How many scenarios a hunt for a mutant has at most.
  public var limit: UInt64 = 2_000
  /// How many scenarios a hunt for a subtle mutant has at most.
  public var subtleLimit: UInt64 = 20_000
  /// Which mutants are hunted, in the order of the results.
  public var mutants = Mutant.all + Mutant.subtle
  /// How many scenarios the states are counted over.
  public var scenarios: UInt64 = 100_000
  /// What guided hunts begin with; `nil` for nothing.
  public var corpus: Corpus? {
    didSet { beginning = Hunter(HuntSettings(), corpus: corpus) { Detector.reference($0) } }
  }
  /// Knows what the corpus reaches, so that this is computed once.
  private var beginning = Hunter(HuntSettings()) { Detector.reference($0) }

  /// Compares hunts of the lengths that are stated unless others are set.
  public init() {}

  /// One way to hunt.
  public enum Way: CaseIterable, Hashable, Sendable { case blind, guided }

  /// After how many scenarios each way noticed a mutant, and how many events those had.
  public struct Detection: Hashable, Sendable {
    /// The mutant.
    public var name: String
    /// How many scenarios each hunt had at most.
    public var limit: Int
    /// After how many scenarios; the limit plus one for a mutant that was not noticed.
    public var scenarios: [Way: Int] = [:]
    /// How many events the traces of these scenarios had.
    public var events: [Way: Int] = [:]

    /// Whether one of the hunts noticed the mutant.
    public var isNoticed: Bool { scenarios.values.contains { $0 <= limit } }
  }

  /// How many states each way reaches with the reference client.
  ///
  /// - Complexity: O(*n*) in the scenarios; about half a millisecond each.
  public func states(_ way: Way) -> (states: Int, events: Int) {
    let hunter = hunter(way, for: nil)
    var events = 0
    Self.run(hunter, through: scenarios) { result in
      events += result.trace.count
      return true
    }
    return (hunter.states.count, events)
  }

  /// Hunts for a mutant in both ways.
  public func detection(of mutant: Mutant) -> Detection {
    let limit = Mutant.subtle.contains(mutant) ? max(limit, subtleLimit) : limit
    var detection = Detection(name: mutant.name, limit: Int(limit))
    for way in Way.allCases {
      var (count, events, isFound) = (0, 0, false)
      Self.run(hunter(way, for: mutant), through: limit) { result in
        count += 1
        events += result.trace.count
        isFound = result.verdict.count == .failed
        return !isFound
      }
      detection.scenarios[way] = isFound ? count : Int(limit) + 1
      detection.events[way] = events
    }
    return detection
  }

  /// Runs the seeds from 1 on, chunk by chunk, as long as `body` wants the next result.
  private static func run(
    _ hunter: Hunter, through last: UInt64, while body: (ScenarioResult) -> Bool
  ) {
    var (next, goesOn) = (UInt64(1), true)
    while next <= last, goesOn {
      let chunk = hunter.settings.chunk(from: next, through: last)
      hunter.run(chunk) { result in
        goesOn = body(result)
        return goesOn
      }
      next = chunk.upperBound + 1
    }
  }

  /// Hunts for a mutant; `nil` runs the reference client.
  private func hunter(_ way: Way, for mutant: Mutant?) -> Hunter {
    Hunter(settings(way, mutant), corpus: corpus) { seed in
      mutant.map { Detector.hunter(of: $0, seed: seed) } ?? Detector.reference(seed)
    }.beginning(like: beginning)
  }

  /// A mutant of one profile is hunted in that; the others in all by turns.
  private func settings(_ way: Way, _ mutant: Mutant?) -> HuntSettings {
    let only = mutant.flatMap { $0.profiles.count == 1 ? $0.profiles.first?.name : nil }
    var settings = HuntSettings(profile: corpus?.profile ?? only)
    settings.isGuided = way == .guided
    if settings.isGuided { settings.chunkLength = HuntSettings.guidedChunk }
    return settings
  }

  /// Compares everything, and hands out what it comes to, as lines for people.
  ///
  /// - Complexity: Runs `scenarios` twice, and up to `limit` scenarios twice for each mutant.
  public func run<Problem: Error>(
    _ output: (String) throws(Problem) -> Void
  ) throws(Problem) {
    let blind = states(.blind)
    let guided = states(.guided)
    try output(
      Self.line(
        "states", blind.states, guided.states, target: ("at least 1.5 times", { $0 >= 1.5 })))
    try output(Self.line("  events", blind.events, guided.events))
    var found: [Detection] = []
    for mutant in mutants {
      let detection = detection(of: mutant)
      guard detection.isNoticed else { continue }
      found.append(detection)
      try output(Self.line(of: detection))
    }
    let missed = Way.allCases.map { way in
      found.count { ($0.scenarios[way] ?? 0) > $0.limit }
    }
    try output(
      "\(counted(found.count, "mutant")) of \(mutants.count) that a hunt can notice; "
        + "blind ones missed \(missed[0]) of them, guided ones \(missed[1])\n")
    for text in Self.lines(of: found) { try output(text) }
  }

  private static func lines(of found: [Detection]) -> [String] {
    func lines(_ name: String, _ share: Double, _ words: String, _ most: Double) -> [String] {
      func value(_ key: KeyPath<Detection, [Way: Int]>, _ way: Way) -> Int {
        percentile(share, of: found.compactMap { $0[keyPath: key][way] })
      }
      return [
        line(
          name, value(\.scenarios, .blind), value(\.scenarios, .guided),
          target: (words, { $0 <= most })),
        line("  events", value(\.events, .blind), value(\.events, .guided)),
      ]
    }
    return lines("median", 0.5, "at most half", 0.5)
      + lines("95th percentile", 0.95, "at most a third", 1 / 3.0)
  }

  private static func line(of detection: Detection) -> String {
    let blind = detection.scenarios[.blind] ?? 0
    let guided = detection.scenarios[.guided] ?? 0
    return "  \(padded(detection.name, to: 40)) blind \(blind), guided \(guided)\n"
  }

  private static func percentile(_ share: Double, of values: [Int]) -> Int {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  private static func line(
    _ name: String, _ blind: Int, _ guided: Int,
    target: (words: String, isReached: (Double) -> Bool)? = nil
  ) -> String {
    let ratio = Double(guided) / Double(max(1, blind))
    let verdict = target.map { ($0.isReached(ratio) ? "reached: " : "missed: ") + $0.words } ?? ""
    return "\(padded(name, to: 17)) blind \(padded("\(blind)", to: 12)) "
      + "guided \(padded("\(guided)", to: 12)) \(Int((ratio * 100).rounded())) %   \(verdict)\n"
  }
}
