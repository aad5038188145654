public import Document
public import Scenario
import YAML

/// Faults between real clients and the server, as a file or a request says them: in the words of
/// scenarios.
public struct ReadFaultRules: Sendable {
  /// One fault.
  public struct Rule: Sendable {
    /// What happens, and what it waits for.
    public var step: Step
    /// How often it does; again only where it waits for something.
    public var times = 1
    /// Whether it is one for each client, those that are not known yet included.
    public var isForEach: Bool
  }

  /// The name that means every client.
  public static let everyone = "any"

  /// The names of the clients that the file names, in its order.
  public var clients: [String]
  /// How long messages take; `nil` where the file does not state it.
  public var latency: Scenario.Latency?
  /// Empty where there are problems.
  public var rules: [Rule]
  /// Everything that is wrong, in the order of the text.
  public var problems: [SourceError]

  /// Reads the rules of a file: a list of them, or a mapping with `clients`, `network` and
  /// `faults`.
  ///
  /// - Parameters:
  ///   - file: What problems name as their file.
  ///   - bytes: The content.
  ///   - clients: The clients that are known already.
  ///   - isJSON: Whether it is JSON, and not YAML.
  public init(file: String, bytes: [UInt8], clients: [String] = [], isJSON: Bool) {
    let document = isJSON ? DocumentReader.readJSON(bytes) : DocumentReader.readYAML(bytes)
    var reading = Reading(file: file, rules: nil)
    reading.clients = clients
    (self.clients, latency, rules) = (clients, nil, [])
    if let root = document.root {
      latency = reading.faultRules(root, into: &rules)
      self.clients = reading.clients.filter { $0 != Self.everyone }
    }
    let found = document.problems.map { SourceError(file: file, $0) }
    problems = (found + reading.problems).inReadingOrder()
    if !problems.isEmpty { rules = [] }
  }
}
