internal import Conformance
internal import Document
public import Faults
package import Invariants
internal import ReferenceClient
internal import Scenario
internal import Search
internal import Trace
public import Tree

/// What running some seeds in a row has shown: one line of a campaign's results.
public struct ChunkRecord: Hashable, Sendable {
  /// The seeds that were run, with both ends.
  public var seeds: ClosedRange<UInt64>
  /// How many events there were in all.
  public var events = 0
  /// How many runs had no verdict, because the client lacks what they need.
  public var skipped = 0
  /// Why they had none, and how often.
  public var reasons: [String: Int] = [:]
  /// Of all traces: the same wherever the chunk is run.
  public var hash = Fingerprint()
  /// What happened.
  public var marks = StepKindSet()
  /// What became of the faults.
  public var faults = FaultCounts()
  /// How often invariants could not be judged, and why.
  package var doubts = Doubts()
  /// What was found, in the order of the first seeds.
  public var finds: [Find] = []
  /// The hashes of some runs, to be compared with those of another process.
  public var samples: [Sample] = []

  /// Begins a record in which no run has been counted yet.
  public init(seeds: ClosedRange<UInt64>) {
    self.seeds = seeds
  }

  /// A kind of failure, and the seeds that show it.
  public struct Find: Hashable, Sendable {
    /// The text of the signature that the failures have in common.
    public var signature: String
    /// Ascending.
    public var seeds: [UInt64]
    /// What went wrong with the first of them, in a sentence.
    public var sentence: String
    /// The one in whose run the least happens until it fails.
    public var shortest: Run
    /// The cause of the failure of the first of them where it is not the signature.
    public var cause: String?
    /// The circumstances of that failure, where they are known.
    public var circumstances: String?
  }

  /// The run of a seed that fails; the shorter one comes first.
  public struct Run: Hashable, Comparable, Sendable {
    /// The seed that draws the scenario of the run.
    public var seed: UInt64
    /// How much happens until it fails; 0 where that is not known.
    public var events: Int
    /// What was run for the seed; `nil` for what it draws.
    public var recipe: Recipe?

    public static func < (a: Run, b: Run) -> Bool { (a.events, a.seed) < (b.events, b.seed) }
  }

  /// The hash of one run, which another process should come to as well.
  public struct Sample: Hashable, Sendable {
    /// The seed that was run, a multiple of `Hunter.sampling` in the records of a hunter.
    public var seed: UInt64
    /// The hash of the trace of its run.
    public var hash: Fingerprint
    /// What was run for the seed; `nil` for what it draws.
    public var recipe: Recipe?
  }

  /// Adds a failure of a seed that is larger than those before.
  public mutating func add(
    _ signature: String, _ seed: UInt64, _ sentence: String, events: Int = 0,
    recipe: Recipe? = nil, cause: @autoclosure () -> String? = nil,
    circumstances: @autoclosure () -> String? = nil
  ) {
    let run = Run(seed: seed, events: events, recipe: recipe)
    if let index = finds.firstIndex(where: { $0.signature == signature }) {
      finds[index].seeds.append(seed)
      finds[index].shortest = min(finds[index].shortest, run)
    } else {
      finds.append(
        Find(
          signature: signature, seeds: [seed], sentence: sentence, shortest: run,
          cause: cause(), circumstances: circumstances()))
    }
  }
}

extension ChunkRecord {
  /// Adds what the run of a seed came to, which is larger than those before.
  mutating func add(
    _ result: ScenarioResult, _ seed: UInt64, _ recipe: Recipe?, _ marks: StepKindSet,
    _ known: KnownCauses
  ) {
    events += result.trace.count
    hash.combine(result.hash.bits)
    self.marks.formUnion(marks)
    faults += result.faults
    doubts += result.doubts
    if result.verdict.count == .skipped {
      skipped += 1
      reasons[result.reason ?? "", default: 0] += 1
    }
    if let signature = result.signature {
      var text = (result.verdict == .advice ? HuntResults.advice : "") + signature.text
      hash.combine(text)
      let circumstances = result.verdict == .advice ? nil : result.circumstances
      let listed = circumstances.flatMap { known.cause(of: $0) }
      if let listed { text = HuntResults.known + listed.name }
      add(
        text, seed, result.sentence, events: result.trace.count, recipe: recipe,
        cause: listed != nil
          ? nil
          : result.cause { [profile = result.profile] in
            ReferenceClient(profile: profile)
          }?.text, circumstances: circumstances?.description)
    }
    if seed.isMultiple(of: Hunter.sampling) {
      samples.append(.init(seed: seed, hash: result.hash, recipe: recipe))
    }
  }
}

extension ChunkRecord {
  /// One line of a file, without its line feed. Seeds are texts: JSON numbers have 53 bits.
  public var line: String { json.text }

  private var json: JSON {
    var members: [JSON.Member] = [
      .init("seeds", .string(SeedRanges.text(of: seeds))), .init("events", .number(Double(events))),
      .init("hash", .string(hash.description)),
      .init("marks", .array(marks.ingredients.map { .string($0.rawValue) })),
    ]
    if skipped > 0 { members.append(.init("skipped", .number(Double(skipped)))) }
    if !reasons.isEmpty {
      let counts = reasons.sorted { $0.key < $1.key }
      members.append(
        .init("reasons", .object(counts.map { .init($0.key, .number(Double($0.value))) })))
    }
    if faults != FaultCounts() { members.append(.init("faults", faults.json)) }
    if doubts != Doubts() { members.append(.init("doubts", doubts.json)) }
    if !samples.isEmpty {
      let texts = samples.map { sample in
        let recipe = sample.recipe.map { " " + $0.text } ?? ""
        return JSON.Member(String(sample.seed), .string(sample.hash.description + recipe))
      }
      members.append(.init("samples", .object(texts)))
    }
    if !finds.isEmpty { members.append(.init("finds", .array(finds.map(\.json)))) }
    return .object(members)
  }

  /// Reads a line; `nil` when it is none, or not all of one.
  public init?(line: String) {
    guard let json = try? JSON(parsing: line),
      let seeds = json["seeds"]?.string.flatMap({ SeedRanges.range(from: $0) }),
      let events = json["events"]?.integer,
      let hash = json["hash"]?.string.flatMap({ Fingerprint(hexadecimal: $0) })
    else { return nil }
    self.init(seeds: seeds)
    self.events = events
    self.hash = hash
    skipped = json["skipped"]?.integer ?? 0
    for reason in json["reasons"]?.members ?? [] { reasons[reason.name] = reason.value.integer }
    let words = json["marks"]?.elements?.compactMap(\.string) ?? []
    marks = StepKindSet(words.compactMap { StepKind(rawValue: $0).map { StepKindSet($0) } })
    faults = json["faults"].map { FaultCounts(json: $0) } ?? FaultCounts()
    doubts = json["doubts"].map { Doubts(json: $0) } ?? Doubts()
    finds = json["finds"]?.elements?.compactMap { Find(json: $0) } ?? []
    samples = (json["samples"]?.members ?? []).compactMap { member in
      let words = member.value.string?.split(separator: " ").map(String.init) ?? []
      guard let seed = UInt64(member.name),
        let hash = words.first.flatMap({ Fingerprint(hexadecimal: $0) })
      else { return nil }
      let recipe = words.count > 1 ? Recipe(text: words[1]) : nil
      return Sample(seed: seed, hash: hash, recipe: recipe)
    }
  }
}

extension ChunkRecord.Find {
  fileprivate var json: JSON {
    let texts = [("cause", cause), ("shows", circumstances)].compactMap { name, text in
      text.map { JSON.Member(name, .string($0)) }
    }
    return .object(
      [
        .init("signature", .string(signature)),
        .init("seeds", .array(seeds.map { .string(String($0)) })),
        .init("sentence", .string(sentence)),
        .init(
          "shortest",
          .array(
            [.string(String(shortest.seed)), .number(Double(shortest.events))]
              + (shortest.recipe.map { [.string($0.text)] } ?? []))),
      ] + texts)
  }

  fileprivate init?(json: JSON) {
    guard let signature = json["signature"]?.string, let seeds = json["seeds"]?.elements,
      let shortest = json["shortest"]?.elements, (2...3).contains(shortest.count),
      let seed = shortest[0].string.flatMap({ UInt64($0) }), let events = shortest[1].integer
    else { return nil }
    self.init(
      signature: signature, seeds: seeds.compactMap { $0.string.flatMap { UInt64($0) } },
      sentence: json["sentence"]?.string ?? "",
      shortest: .init(
        seed: seed, events: events,
        recipe: shortest.count > 2 ? shortest[2].string.flatMap { Recipe(text: $0) } : nil),
      cause: json["cause"]?.string, circumstances: json["shows"]?.string)
  }
}

extension FaultCounts {
  /// For each name how often it was asked for, happened and mattered.
  fileprivate var json: JSON {
    .object(
      Self.names.filter { self[$0] != Count() }.map { name in
        let count = self[name]
        let numbers = [count.asked, count.happened, count.mattered]
        return .init(name, .array(numbers.map { .number(Double($0)) }))
      })
  }

  fileprivate init(json: JSON) {
    self.init()
    for member in json.members ?? [] {
      let numbers = (member.value.elements ?? []).compactMap(\.integer)
      guard numbers.count == 3 else { continue }
      self[member.name] = Count(asked: numbers[0], happened: numbers[1], mattered: numbers[2])
    }
  }
}

extension Doubts {
  /// For each invariant how often it could not be judged, by reason.
  fileprivate var json: JSON {
    .object(
      byInvariant.map { row in
        .init(
          row.invariant.id,
          .object(row.reasons.map { .init($0.doubt.name, .number(Double($0.count))) }))
      })
  }

  fileprivate init(json: JSON) {
    self.init()
    let invariants = Dictionary(Invariant.all.map { ($0.id, $0) }) { first, _ in first }
    for row in json.members ?? [] {
      guard let invariant = invariants[row.name] else { continue }
      for reason in row.value.members ?? [] {
        guard let doubt = Doubt(name: reason.name), let count = reason.value.integer else {
          continue
        }
        add(doubt, of: invariant, times: count)
      }
    }
  }
}

extension Fingerprint {
  init?(hexadecimal text: String) {
    guard text.utf8.count == 16, let bits = UInt64(text, radix: 16) else { return nil }
    self.init(bits: bits)
  }
}
