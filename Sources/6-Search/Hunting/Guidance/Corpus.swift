internal import ClientInterface
internal import Conformance
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
    var known: Set<Recipe> = []
    self.recipes = recipes.filter { known.insert($0).inserted }
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
  /// - Complexity: Runs every recipe once, with the reference client.
  public func minimised(most: Int? = nil) -> Corpus {
    let runs = recipes.map { CorpusRun(of: $0, self) }
    var left = Array(runs.indices)
    var gains = runs.map(\.states.count)
    var covered: Set<UInt32> = []
    var chosen: [Recipe] = []
    while !left.isEmpty, chosen.count < most ?? .max {
      guard let best = left.max(by: { runs[$0].value(gains[$0]) < runs[$1].value(gains[$1]) })
      else { break }
      // Gains only shrink: the best by an old gain is the best if its new one still is.
      let gain = runs[best].states.count { !covered.contains($0) }
      if gain == gains[best] {
        if gain > 0 {
          chosen.append(recipes[best])
          covered.formUnion(runs[best].states)
        }
        left.removeAll { $0 == best }
      }
      gains[best] = gain
    }
    return Corpus(chosen, HuntSettings(size: size, profile: profile))
  }
}

/// What the run of a recipe reaches with the reference client.
struct CorpusRun {
  private(set) var states: [UInt32] = []
  private(set) var events = 0

  init(of recipe: Recipe, _ corpus: Corpus) {
    let settings = HuntSettings(size: corpus.size, profile: corpus.profile)
    let profile = settings.profile(of: recipe.plan)
    let scenario = Generator(profile: profile, size: settings.size).scenario(recipe).scenario
    let runner = ScenarioRunner(seed: recipe.run) { ReferenceClient(profile: $1) }
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
