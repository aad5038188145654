internal import ClientInterface
internal import Conformance
internal import Document
internal import ReferenceClient
internal import Scenario
internal import Trace
public import Tree

/// Recipes that reach much, which guided campaigns begin with.
///
/// A text with a recipe in each line, so that a corpus can be shared, merged and committed.
public struct Corpus: Hashable, Sendable {
  /// In the order in which campaigns run them.
  public private(set) var recipes: [Recipe]
  /// The size of the scenarios of the recipes.
  public let size: Int
  /// The profile of all recipes; `nil` for those that their plans name.
  public let profile: String?

  /// Takes recipes as campaigns with these settings made them; each is kept once.
  public init(_ recipes: [Recipe], _ settings: HuntSettings) {
    self.recipes = recipes.unique()
    size = settings.size
    profile = settings.profile
  }

  /// What campaigns record of a corpus: another one has another hash.
  public var hash: Fingerprint { Fingerprint(of: text) }

  /// The file.
  public var text: String { ([head] + recipes.map(\.text)).map { $0 + "\n" }.joined() }

  private var head: String {
    "# kennel-corpus 1, generator \(Generator.version), size \(size), profile \(profile ?? "all")"
  }

  /// A corpus that cannot be used.
  public struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of the file, from 1.
    public var line: Int
    /// What was found, what was expected, and how to correct it.
    public var description: String
  }

  /// Reads a file.
  ///
  /// - Throws: `Mistake` for recipes of another generator or other settings, and for the first line
  ///   that is no recipe.
  public init(text: String, _ settings: HuntSettings) throws(Mistake) {
    self.init([], settings)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first == head else {
      throw Mistake(
        line: 1,
        description: "found \"\(lines.first ?? "")\"; expected \"\(head)\": its recipes mean other "
          + "scenarios; begin a new corpus with this kennel and these settings")
    }
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      guard let recipe = Recipe(text: String(line)) else {
        throw Mistake(
          line: index + 1,
          description: "found \"\(line)\"; expected a recipe as 'kennel hunt' writes it; "
            + "leave the line out")
      }
      recipes.append(recipe)
    }
  }

  /// Fewer recipes that reach the same states, those that reach most first; of as many states the
  /// recipe with fewer events.
  ///
  /// - Parameter most: How many recipes at most; `nil` for as many as it takes.
  /// - Returns: A corpus of some of these recipes.
  /// - Complexity: Runs every recipe once, with the reference client; to look at one of *n* again
  ///   takes O(log *n*).
  public func minimised(most: Int? = nil) -> Corpus {
    let runs = recipes.map { CorpusRun(of: $0, self) }
    var gains = runs.map(\.states.count)
    var left = Candidates(runs.indices.map { runs[$0].value(gains[$0]) })
    var covered: Set<UInt32> = []
    var chosen: [Recipe] = []
    while let best = left.first, chosen.count < most ?? .max {
      // Gains only shrink: the best by an old gain is the best if its new one still is.
      let gain = runs[best].states.count { !covered.contains($0) }
      if gain != gains[best] {
        gains[best] = gain
        left.lowerFirst(to: runs[best].value(gain))
        continue
      }
      if gain > 0 {
        chosen.append(recipes[best])
        covered.formUnion(runs[best].states)
      }
      left.removeFirst()
    }
    return Corpus(chosen, HuntSettings(size: size, profile: profile))
  }
}

/// What may still be chosen, by number: the best first, and of equal ones that with the lowest number.
private struct Candidates {
  /// Each precedes those at twice its position and one or two more.
  private var heap: [(value: Int, number: Int)]

  init(_ values: [Int]) {
    heap = values.enumerated().map { ($0.element, $0.offset) }
    heap.sort(by: Self.precedes)
  }

  var first: Int? { heap.first?.number }

  mutating func lowerFirst(to value: Int) {
    heap[0].value = value
    settle()
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    settle()
  }

  /// Moves the first one to where it belongs.
  private mutating func settle() {
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && Self.precedes(heap[child], heap[best]) { best = child }
      if best == parent { return }
      heap.swapAt(parent, best)
      parent = best
    }
  }

  private static func precedes(
    _ a: (value: Int, number: Int), _ b: (value: Int, number: Int)
  ) -> Bool {
    a.value != b.value ? a.value > b.value : a.number < b.number
  }
}

/// What the run of a recipe reaches with the reference client. It is not judged, which changes nothing
/// of that.
struct CorpusRun {
  private(set) var states: [UInt32] = []
  private(set) var events = 0

  init(of recipe: Recipe, _ corpus: Corpus) {
    let settings = HuntSettings(size: corpus.size, profile: corpus.profile)
    let profile = settings.profile(of: recipe.plan)
    let scenario = Generator(profile: profile, size: settings.size).scenario(recipe).scenario
    var runner = ScenarioRunner(seed: recipe.run) { ReferenceClient(profile: $1) }
    runner.invariants = .ignored
    let trace = runner.run(scenario, in: profile).trace
    var found: Set<UInt32> = []
    trace.readStates(clients: scenario.clients.count) { found.insert($0) }
    states = found.sorted()
    events = trace.count
  }

  /// How good it is to choose a run that reaches so many new states: the more for each event.
  func value(_ gain: Int) -> Int { gain * 1_000_000 / (200 + events) }
}

extension Guidance {
  /// What recipes reach with the reference client, run one after the other.
  init(reaching corpus: Corpus) {
    self.init(seed: 0)
    for (number, recipe) in corpus.recipes.enumerated() {
      for code in CorpusRun(of: recipe, corpus).states {
        record(code, run: UInt64.max - 1 - UInt64(number))
      }
      // Whether or not it reached something new.
      if learn(Choice(recipe: recipe), recipe) == 0 { append(recipe) }
    }
  }
}
