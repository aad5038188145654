package import Hunting
import Workers

/// One thing that a worker does.
package enum HuntJob: Hashable {
  case run(ClosedRange<UInt64>)
  /// The same, printing each seed before it is run.
  case watch(ClosedRange<UInt64>)
  /// Prints the hash of a seed, to be compared with that of another process.
  case hash(UInt64, Recipe?)
  /// Writes the scenario of a seed that fails, made small.
  case save(Evidence)
  /// Writes it as it was drawn, without running it.
  case draw(Evidence)

  /// A failure, and the file that is to show it.
  package struct Evidence: Hashable {
    package var seed: UInt64
    package var signature: String
    package var file: String
    /// What was run for the seed; nil for what it draws.
    package var recipe: Recipe?

    package init(seed: UInt64, signature: String, file: String, recipe: Recipe? = nil) {
      self.seed = seed
      self.recipe = recipe
      self.signature = signature
      self.file = file
    }
  }

  /// What is run for its one seed; nil for what that draws.
  var recipe: Recipe? { if case let .hash(_, recipe) = self { recipe } else { nil } }

  /// As a worker reads it.
  package var line: String {
    switch self {
    case let .run(seeds): "run \(SeedRanges.text(of: seeds))"
    case let .watch(seeds): "watch \(SeedRanges.text(of: seeds))"
    case let .hash(seed, recipe): "hash \(Self.word(seed, recipe))"
    case let .save(evidence): "save \(evidence.words)"
    case let .draw(evidence): "draw \(evidence.words)"
    }
  }

  /// A seed with what is run for it: `17`, or `17@` and a recipe.
  static func word(_ seed: UInt64, _ recipe: Recipe?) -> String {
    "\(seed)" + (recipe.map { "@" + $0.text } ?? "")
  }

  /// Reads a line; nil for one that is no job.
  package init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2 else { return nil }
    let parts = words[1].split(separator: "@", maxSplits: 1).map(String.init)
    guard let first = parts.first, let seeds = SeedRanges.range(from: first) else { return nil }
    let recipe = parts.count > 1 ? Recipe(text: parts[1]) : nil
    if parts.count > 1, recipe == nil { return nil }
    switch words[0] {
    case "run": self = .run(seeds)
    case "watch": self = .watch(seeds)
    case "hash": self = .hash(seeds.lowerBound, recipe)
    case "save", "draw":
      let parts = words.last?.split(separator: "\t", maxSplits: 1).map(String.init) ?? []
      guard words.count == 3, parts.count == 2 else { return nil }
      let evidence = Evidence(
        seed: seeds.lowerBound, signature: parts[0], file: parts[1], recipe: recipe)
      self = words[0] == "save" ? .save(evidence) : .draw(evidence)
    default: return nil
    }
  }
}

extension HuntJob.Evidence {
  fileprivate var words: String { "\(HuntJob.word(seed, recipe)) \(signature)\t\(file)" }
}

extension HuntJob {
  /// What a worker writes before it has done its job.
  enum Progress: Hashable {
    /// The worker works.
    case alive
    /// The seed that it begins, with what is run for it.
    case seed(UInt64, Recipe?)
    /// What is new about states.
    case states([StateTable.Entry])
    /// The recipes that reached a state first.
    case recipes([String])

    /// Reads a line; nil for any other one.
    init?(line: String) {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "alive": self = .alive
      case "seed":
        let parts = (words.last ?? "").split(separator: "@", maxSplits: 1).map(String.init)
        guard let seed = parts.first.flatMap({ UInt64($0) }) else { return nil }
        self = .seed(seed, parts.count > 1 ? Recipe(text: parts[1]) : nil)
      case "states": self = .states(words.dropFirst().compactMap { StateTable.Entry(text: $0) })
      case "recipes": self = .recipes(Array(words.dropFirst()))
      default: return nil
      }
    }
  }
}

extension Worker<HuntJob> {
  /// Why it ended, in words; waits for its end.
  var reason: String {
    let (ending, errorOutput) = awaitEnd()
    if isHung { return "the client did not answer an input" }
    let lines = String(errorOutput.suffix(2000)).split(separator: "\n")
    let fatal = lines.first { $0.contains("Fatal error") || $0.hasPrefix("kennel:") }
    return "the process ended with \(ending)" + (fatal.map { ": \($0)" } ?? "")
  }
}
