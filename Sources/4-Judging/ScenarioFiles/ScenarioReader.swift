public import Document
public import Scenario
import Tree

/// Reads scenario files and checks them.
///
/// A file is read to its end whatever is wrong with it, so that all mistakes are reported at once.
/// With any problem there are no scenarios: half a scenario would judge clients by half of what was
/// meant.
public struct ScenarioReader {
  /// What one file holds.
  public struct Result: Sendable {
    /// One scenario, one for each combination of the matrix, or none: for a fragment, and where
    /// there are problems.
    public var scenarios: [Scenario]
    /// In the order of the files, the fragments last, and of the locations in them.
    public var problems: [SourceError]
  }

  /// What a file is read for.
  public enum Purpose: Hashable, Sendable {
    /// To be run and judged.
    case run
    /// To have its expectations recorded: that no expectation lists how a call ended is no mistake,
    /// and none is added at its end.
    case recording
    /// As what a live server begins with, which needs no part of it.
    case setting
  }

  private var collected: [SourceError] = []
  private let rules: RuleBook?
  private let purpose: Purpose

  /// Reads one file.
  ///
  /// - Parameters:
  ///   - file: The path as problems shall show it; what follows `Scenarios/` in it becomes the id.
  ///     One that ends in `.json` is read as JSON, any other as YAML. One whose last part begins
  ///     with `_` is a fragment: it is checked and gives no scenario.
  ///   - bytes: The content of the file.
  ///   - load: The content of another file, by its path, for `include`; `nil` when there is none. What
  ///     it throws is a problem of the file that names it.
  ///   - rules: The rules that there are; without them ids are checked for their form only, and
  ///     every rule counts as one that clients must obey.
  ///   - purpose: What it is read for.
  /// - Returns: the scenarios, or everything that is wrong.
  public static func read(
    file: String, bytes: [UInt8], load: @escaping (String) throws -> [UInt8]?,
    rules: RuleBook? = nil, for purpose: Purpose = .run
  ) -> Result {
    var reader = ScenarioReader(rules: rules, purpose)
    let scenarios = reader.scenarios(in: file, bytes, load)
    let problems = sorted(reader.collected, main: file)
    return Result(scenarios: problems.isEmpty ? scenarios : [], problems: problems)
  }

  /// Reads the value of `choices` where it is by itself, as in a trace.
  ///
  /// - Parameters:
  ///   - node: The value.
  ///   - clients: The names of the clients that choices can be about.
  ///   - file: What the problems name as their file.
  /// - Returns: the choices that could be read, and everything that is wrong.
  public static func choices(
    in node: DocumentNode, clients: [String], file: String
  ) -> (choices: [Scenario.Choice], problems: [SourceError]) {
    var reading = Reading(file: file, rules: nil)
    reading.clients = clients
    let choices = reading.readChoices(node)
    return (choices, reading.problems)
  }

  private init(rules: RuleBook?, _ purpose: Purpose) {
    (self.rules, self.purpose) = (rules, purpose)
  }

  private mutating func scenarios(
    in file: String, _ bytes: [UInt8], _ load: @escaping (String) throws -> [UInt8]?
  ) -> [Scenario] {
    var inclusion = Inclusion(load: load)
    let sources = inclusion.sources(of: file, bytes)
    collected += inclusion.problems
    guard let main = sources.last, main.file == file else { return [] }
    var matrix = Matrix(main)
    var scenarios: [Scenario] = []
    for parameters in matrix.combinations {
      let settled = sources.map { matrix.substituting(parameters, in: $0) }
      var reading = Reading(file: file, rules: rules, for: purpose)
      let scenario = reading.scenario(from: settled, parameters: parameters)
      collected += reading.problems
      if let scenario { scenarios.append(scenario) }
    }
    collected += matrix.finish()
    return scenarios
  }

  /// Without repetitions: every combination of a matrix finds the same mistakes.
  private static func sorted(_ problems: [SourceError], main: String) -> [SourceError] {
    problems.unique().sorted {
      if $0.file != $1.file { return $1.file != main && ($0.file == main || $0.file < $1.file) }
      return ($0.position, $0.message) < ($1.position, $1.message)
    }
  }
}

extension Scenario {
  /// Reads a text that includes nothing; `nil` where it has mistakes, such as a key that occurs
  /// twice.
  package init?(text: String, file: String = "") {
    let result = ScenarioReader.read(file: file, bytes: Array(text.utf8), load: { _ in nil })
    guard let scenario = result.scenarios.first else { return nil }
    self = scenario
  }
}

/// One file that a scenario is made of.
struct Source {
  var file: String
  var root: DocumentNode

  var isFragment: Bool { Self.isFragment(file) }

  static func isFragment(_ file: String) -> Bool {
    file.split(separator: "/").last?.hasPrefix("_") ?? false
  }
}
