internal import Conformance
internal import Document
internal import Faults
public import Scenario
import ScenarioFiles

/// The file of a scenario that shows a failure, with what a campaign knows of it above.
///
/// Comments carry it, so that the file is a scenario like any other and can be moved and merged by
/// itself.
public struct FoundFile: Sendable {
  /// What the campaign knows of the failure, written as comments above the scenario.
  public var head: Head
  /// The scenario that shows the failure, as drawn or made small, as `head.extent` says.
  public var scenario: Scenario

  /// What is above the scenario.
  public struct Head: Hashable, Sendable {
    /// What the seed failed with.
    public var signature: String
    /// The seed of the campaign that drew the original scenario.
    public var seed: UInt64
    /// The name of the file.
    public var name: String
    /// What `kennel run` needs besides the file to show the failure.
    public var options: String
    /// Whether the scenario is as it was drawn, or how far it was made small.
    public var extent: Extent
    /// What happens in the scenario, by kinds: `listen limited, update, cut`. Files of one signature
    /// that differ in it may show different defects.
    public var shape = ""
    /// What a second process made of the file; `untried` until one has run it.
    public var confirmation = Confirmation.untried
    /// The program as commands name it, for a shell.
    public var program = programName
  }

  /// How much of the scenario that was drawn there is.
  public enum Extent: Hashable, Sendable {
    case asDrawn
    case shrunk(from: Int, to: Int, runs: Int, isMinimal: Bool)
  }

  /// Whether a second process saw the failure too.
  public enum Confirmation: Hashable, Sendable {
    case untried
    case confirmed
    /// With what became of it, as a clause.
    case unconfirmed(String)
  }

  /// Takes a scenario and what is written above it; no file is written.
  public init(head: Head, scenario: Scenario) {
    self.head = head
    self.scenario = scenario
    self.head.shape = scenario.shape
  }

  /// The whole file.
  public var text: String { scenario.yaml(comment: head.lines.joined(separator: "\n")) }
}

extension Scenario {
  /// What happens, by kinds, each once and in the order of the letters.
  fileprivate var shape: String {
    let kinds = steps.flatMap { $0.action.kinds }
    return Set(kinds).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ", ")
  }
}

extension Action {
  fileprivate var kinds: [String] {
    let own = [call?.operation.circumstances.joined(separator: " "), fault?.kind.name]
    return own.compactMap(\.self) + (members ?? []).flatMap { $0.action.kinds }
  }
}

extension FoundFile.Extent {
  /// `34 -> 3 steps after 120 runs; nothing can be left out by itself`.
  public var sentence: String {
    switch self {
    case .asDrawn: "as it was drawn"
    case let .shrunk(before, after, runs, isMinimal):
      "\(before) -> \(counted(after, "step")) after \(counted(runs, "run")); "
        + (isMinimal ? "nothing can be left out by itself" : "not proven to be minimal")
    }
  }

  /// How long the scenario is: what was not made small is longer than anything that was.
  public var steps: Int {
    switch self {
    case .asDrawn: .max
    case let .shrunk(_, after, _, _): after
    }
  }

  fileprivate init?(sentence: String) {
    self = .asDrawn
    if sentence == self.sentence { return }
    let numbers = sentence.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    self = .shrunk(from: numbers[0], to: numbers[1], runs: numbers[2], isMinimal: true)
    if sentence == self.sentence { return }
    self = .shrunk(from: numbers[0], to: numbers[1], runs: numbers[2], isMinimal: false)
    if sentence != self.sentence { return nil }
  }
}

extension FoundFile.Confirmation {
  /// `a second process confirms it`.
  public var sentence: String {
    switch self {
    case .untried: "not run again in a second process"
    case .confirmed: "a second process confirms it"
    case let .unconfirmed(clause): "a second process does not confirm it: \(clause)"
    }
  }

  fileprivate init?(sentence: String) {
    let found = [Self.untried, .confirmed].first { $0.sentence == sentence }
    let start = Self.unconfirmed("").sentence
    if let found {
      self = found
    } else if sentence.hasPrefix(start) {
      self = .unconfirmed(String(sentence.dropFirst(start.count)))
    } else {
      return nil
    }
  }
}

extension FoundFile.Head {
  private static let origin = ", found by kennel hunt with seed "
  private static let seedOption = "--seed "
  private static let command = " run "
  private static let content = "with: "

  /// `found by kennel hunt with seed 58, run with seed 16`: the seed that drew it, and the one that its
  /// run uses where that is another.
  public var seeds: String {
    let run = options.wrapped(at: Self.seedOption)?.1.prefix { $0.isNumber }
    let clause = run.flatMap { UInt64($0) == seed ? nil : ", run with seed \($0)" }
    return "\(Self.origin.dropFirst(2))\(seed)\(clause ?? "")"
  }

  var lines: [String] {
    [
      "\(signature), \(seeds)", extent.sentence, confirmation.sentence,
      Self.content + shape, "\(program)\(Self.command)\(name) \(options)",
    ]
  }

  /// Reads what stands above a scenario; `nil` where that was not written by a hunt.
  public init?(text: String) {
    let lines = text.split(separator: "\n", maxSplits: 5).prefix(5)
      .compactMap { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : nil }
    guard lines.count == 5, let (program, words) = lines[4].wrapped(at: Self.command),
      lines[3].hasPrefix(Self.content),
      let (signature, numbers) = lines[0].wrapped(at: Self.origin),
      let seed = UInt64(numbers.prefix { $0.isNumber }),
      let (name, options) = words.wrapped(at: " "),
      let extent = FoundFile.Extent(sentence: lines[1]),
      let confirmation = FoundFile.Confirmation(sentence: lines[2])
    else { return nil }
    self.init(signature: signature, seed: seed, name: name, options: options, extent: extent)
    self.confirmation = confirmation
    self.program = program
    shape = String(lines[3].dropFirst(Self.content.count))
  }
}

extension String {
  /// What comes before and behind the first occurrence of some characters.
  fileprivate func wrapped(at separator: String) -> (String, String)? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(separator) {
        return (String(self[..<start]), String(self[start...].dropFirst(separator.count)))
      }
      start = index(after: start)
    }
    return nil
  }
}
