import Hunting

/// One thing that a worker does.
package enum HuntJob: Hashable {
  case run(ClosedRange<UInt64>)
  /// The same, printing each seed before it is run.
  case watch(ClosedRange<UInt64>)
  /// Prints the hash of a seed, to be compared with that of another process.
  case hash(UInt64)
  /// Writes the scenario of a seed that fails, made small.
  case save(Evidence)
  /// Writes it as it was drawn, without running it.
  case draw(Evidence)

  /// A failure, and the file that is to show it.
  package struct Evidence: Hashable {
    package var seed: UInt64
    package var signature: String
    package var file: String

    package init(seed: UInt64, signature: String, file: String) {
      self.seed = seed
      self.signature = signature
      self.file = file
    }
  }

  /// As a worker reads it.
  package var line: String {
    switch self {
    case let .run(seeds): "run \(SeedRanges.text(of: seeds))"
    case let .watch(seeds): "watch \(SeedRanges.text(of: seeds))"
    case let .hash(seed): "hash \(seed)"
    case let .save(evidence): "save \(evidence.words)"
    case let .draw(evidence): "draw \(evidence.words)"
    }
  }

  /// Reads a line; nil for one that is no job.
  package init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2, let seeds = SeedRanges.range(from: words[1]) else { return nil }
    switch words[0] {
    case "run": self = .run(seeds)
    case "watch": self = .watch(seeds)
    case "hash": self = .hash(seeds.lowerBound)
    case "save", "draw":
      let parts = words.last?.split(separator: "\t", maxSplits: 1).map(String.init) ?? []
      guard words.count == 3, parts.count == 2 else { return nil }
      let evidence = Evidence(seed: seeds.lowerBound, signature: parts[0], file: parts[1])
      self = words[0] == "save" ? .save(evidence) : .draw(evidence)
    default: return nil
    }
  }
}

extension HuntJob.Evidence {
  fileprivate var words: String { "\(seed) \(signature)\t\(file)" }
}
