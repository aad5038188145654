public import Document
internal import Text
internal import Tree

/// Reads lists of known failures.
///
/// A file is read to its end whatever is wrong with it, so that all mistakes are reported at once.
/// With any mistake there is no list: half a list would let failures pass, or fail what is known.
public struct KnownFailuresReader {
  /// What entries may name.
  public struct Context: Sendable {
    /// A scenario that there is, with its profiles.
    public struct Subject: Hashable, Sendable {
      public var id: String
      /// The names of the profiles in which the scenario runs.
      public var profiles: [String]

      /// Names a scenario by its id, with the names of its profiles.
      public init(_ id: String, in profiles: [String]) {
        self.id = id
        self.profiles = profiles
      }
    }

    /// The scenarios that entries may match.
    public var scenarios: [Subject]
    /// The ids of all rules; empty when they are not known.
    public var rules: [String]
    /// Whether the clients may have a clock of their own, so that failures may come and go.
    public var allowsFlaky: Bool

    /// States what entries may name; without ids of rules, the rules of entries are not checked.
    public init(scenarios: [Subject], rules: [String], allowsFlaky: Bool = false) {
      self.scenarios = scenarios
      self.rules = rules
      self.allowsFlaky = allowsFlaky
    }
  }

  let file: String
  let context: Context
  private(set) var problems: [SourceError] = []

  static let version = 1
  private static let keys = [
    "scenario", "max", "profiles", "rule", "signature", "kind", "issue", "until", "note",
  ]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: Its path as problems shall show it.
  ///   - bytes: Its content, in YAML.
  ///   - context: What there is to be named.
  /// - Returns: the list, or everything that is wrong, in the order of the file.
  public static func read(
    file: String, bytes: [UInt8], _ context: Context
  ) -> (list: KnownFailures, problems: [SourceError]) {
    let document = DocumentReader.readYAML(bytes)
    var reader = KnownFailuresReader(file: file, context: context)
    for problem in document.problems { reader.report(problem.position, problem.message) }
    let entries = document.root.map { reader.entries(of: $0) } ?? []
    reader.checkOverlaps(entries)
    let problems = reader.problems.inReadingOrder()
    return (KnownFailures(problems.isEmpty ? entries : []), problems)
  }

  private init(file: String, context: Context) {
    self.file = file
    self.context = context
  }

  mutating func report(_ position: Position, _ message: String) {
    problems.append(SourceError(file: file, position: position, message: message))
  }

  private mutating func entries(of root: DocumentNode) -> [KnownFailure] {
    guard
      let fields = root.fields(
        "the file", keys: ["kennel", "known"], report: { report($0, $1) })
    else { return [] }
    if let version = fields["kennel"], version.json.integer != Self.version {
      report(version.position, "kennel is \(version.json.text); expected \(Self.version)")
    }
    guard let list = fields["known"] else { return [] }
    guard case let .list(nodes) = list.content else {
      report(list.position, "known is no list; expected a list of known failures, or []")
      return []
    }
    return nodes.compactMap { entry(of: $0) }
  }

  private mutating func entry(of node: DocumentNode) -> KnownFailure? {
    let optional = ["max", "profiles", "rule", "note"]
    guard
      let fields = node.fields(
        "a known failure", keys: Self.keys, optional: optional, report: { report($0, $1) })
    else { return nil }
    let scenario = fields["scenario"].flatMap { pattern($0, most: fields["max"]) }
    let most = fields["max"].flatMap { count($0) }
    let profiles = fields["profiles"].map { self.profiles($0) } ?? []
    let rule = fields["rule"].flatMap { self.rule($0) }
    let signature = fields["signature"].flatMap { self.signature($0) }
    let kind = fields["kind"].flatMap { self.kind($0) }
    let issue = fields["issue"].flatMap { link($0) }
    let until = fields["until"].flatMap { date($0) }
    let note = fields["note"].flatMap { text($0, "note") }
    guard let scenario, let signature, let kind, let issue, let until else { return nil }
    return KnownFailure(
      scenario: scenario, most: most, profiles: profiles, rule: rule, signature: signature,
      kind: kind, issue: issue, until: until, note: note, file: file, position: node.position)
  }

  static func hint(_ text: String, _ known: [String]) -> String {
    let near = closestMatches(to: text, in: known)
    return near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
  }

  /// Two entries must not list the same run: which of them it should follow could not be known.
  private mutating func checkOverlaps(_ entries: [KnownFailure]) {
    // Which entry lists a scenario in a profile first.
    var owners: [[String]: Int] = [:]
    for (index, entry) in entries.enumerated() {
      var taken: (id: String, owner: Int)?
      for subject in context.scenarios {
        let runs = subject.profiles.filter { entry.lists(subject.id, in: $0) }
          .map { [subject.id, $0] }
        if taken == nil, let owner = runs.compactMap({ owners[$0] }).min() {
          taken = (subject.id, owner)
        }
        for run in runs where owners[run] == nil { owners[run] = index }
      }
      guard let taken else { continue }
      report(
        entry.position,
        "\(taken.id) is already listed at \(entries[taken.owner].position); expected each "
          + "scenario once in each profile")
    }
  }
}
