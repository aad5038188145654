internal import ClientInterface
public import Document
internal import Scenario
internal import Tree
internal import YAML

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
    /// Whether an entry may list a scenario that there is not: one that has been renamed, or is no more,
    /// must not keep the others from being gated.
    public var allowsNoScenario: Bool

    /// States what entries may name; without ids of rules, the rules of entries are not checked.
    public init(
      scenarios: [Subject], rules: [String], allowsFlaky: Bool = false,
      allowsNoScenario: Bool = false
    ) {
      self.scenarios = scenarios
      self.rules = rules
      self.allowsFlaky = allowsFlaky
      self.allowsNoScenario = allowsNoScenario
    }
  }

  private var source: VersionedFile
  let context: Context

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
    let source = VersionedFile(file: file, bytes: bytes, keys: ["known"])
    var reader = KnownFailuresReader(source: source, context: context)
    let entries = source.fields["known"].map { reader.entries(of: $0) } ?? []
    reader.checkOverlaps(entries)
    let problems = reader.source.problems
    return (KnownFailures(problems.isEmpty ? entries : []), problems)
  }

  private init(source: VersionedFile, context: Context) {
    self.source = source
    self.context = context
  }

  mutating func report(_ position: Position, _ message: String) {
    source.report(position, message)
  }

  private mutating func entries(of list: DocumentNode) -> [KnownFailure] {
    guard case let .list(nodes) = list.content else {
      report(
        list.position,
        "known is \(list.json.kind); expected a list of known failures, with \"- \" before each, or []; "
          + "'kennel known --update FILE' writes one")
      return []
    }
    return nodes.compactMap { entry(of: $0) }
  }

  private mutating func entry(of node: DocumentNode) -> KnownFailure? {
    let optional = ["max", "profiles", "rule", "issue", "until", "note"]
    guard
      let fields = node.fields(
        "a known failure", keys: Self.keys, optional: optional,
        examples: [
          "scenario": "its id",
          "signature": "WORDS (\(KnownFailure.signatureMeaning); a run with --known prints them)",
          "kind": context.allowsFlaky ? "bug, wontfix or flaky" : "bug or wontfix",
        ], report: { report($0, $1) })
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
    if fields["issue"] == nil, fields["note"] == nil {
      report(
        node.position,
        "a known failure has no issue and no note; expected one that says why it is listed")
    }
    guard let scenario, let signature, let kind else { return nil }
    var entry = KnownFailure(
      scenario: scenario, most: most, profiles: profiles, rule: rule, signature: signature,
      kind: kind, issue: issue, until: until, note: note, file: source.file, position: node.position
    )
    if context.allowsNoScenario { entry.mismatch = mismatch(of: scenario) }
    return entry
  }

  static func hint(_ text: String, _ known: [String]) -> String {
    didYouMean(closestMatches(to: text, in: known))
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

  mutating func text(_ node: DocumentNode, _ what: String) -> String? {
    if case let .string(text) = node.content, !text.isEmpty { return text }
    report(node.position, "\(what) is \(node.json.text); expected a text")
    return nil
  }

  /// The scenarios, of which there must be one unless it may have been renamed.
  mutating func pattern(_ node: DocumentNode, most: DocumentNode?) -> Glob? {
    guard let text = text(node, "scenario") else { return nil }
    let glob = Glob(text)
    let count = context.scenarios.count { glob.matches($0.id) }
    if !context.allowsNoScenario, let mismatch = mismatch(of: glob) {
      report(node.position, mismatch)
    }
    if let most = most?.json.integer {
      if most > 0, count > most {
        report(node.position, "\"\(text)\" matches \(count) scenarios; max allows \(most)")
      }
    } else if most == nil, glob.isPattern, count > KnownFailures.matchesWithoutMax {
      report(
        node.position,
        "\"\(text)\" matches \(count) scenarios; a pattern that matches more than "
          + "\(KnownFailures.matchesWithoutMax) says how many it may match: max: \(count)")
    }
    return glob
  }

  /// Why a pattern names nothing; nil where it does.
  private func mismatch(of glob: Glob) -> String? {
    if context.scenarios.contains(where: { glob.matches($0.id) }) { return nil }
    return glob.isPattern
      ? "no scenario matches \"\(glob)\""
      : "there is no scenario \"\(glob)\"" + Self.hint("\(glob)", context.scenarios.map(\.id))
  }

  mutating func count(_ node: DocumentNode) -> Int? {
    if let count = node.json.integer, count > 0 { return count }
    report(node.position, "max is \(node.json.text); expected a whole number from 1 up")
    return nil
  }

  mutating func profiles(_ node: DocumentNode) -> [String] {
    guard case let .list(nodes) = node.content, !nodes.isEmpty else {
      report(node.position, "profiles is \(node.json.text); expected a list such as [firebase]")
      return []
    }
    let names = Profile.all.map(\.name)
    var profiles: [String] = []
    for node in nodes {
      guard let name = text(node, "a profile") else { continue }
      if !names.contains(name) {
        report(
          node.position,
          "unknown profile \"\(name)\"\(Self.hint(name, names)); expected one of "
            + names.joined(separator: ", "))
      } else if profiles.contains(name) {
        report(node.position, "\(name) occurs twice; expected it once")
      } else {
        profiles.append(name)
      }
    }
    return profiles
  }

  mutating func rule(_ node: DocumentNode) -> String? {
    guard let id = text(node, "rule") else { return nil }
    if context.rules.isEmpty || context.rules.contains(id) { return id }
    report(node.position, "there is no rule \"\(id)\"" + Self.hint(id, context.rules))
    return nil
  }

  /// Words of small letters, digits, `-` and `_`, with one blank between them.
  mutating func signature(_ node: DocumentNode) -> String? {
    guard let text = text(node, "signature") else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let isRight = words.allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy { $0.isLowercaseOrDigit || "-_".utf8.contains($0) }
    }
    if isRight { return text }
    report(
      node.position,
      "signature is \(JSON.string(text).text); expected words such as "
        + "\"missing-event child_added listener\": \(KnownFailure.signatureMeaning); a run with --known prints them"
    )
    return nil
  }

  mutating func kind(_ node: DocumentNode) -> KnownFailure.Kind? {
    guard let text = text(node, "kind") else { return nil }
    let kind = KnownFailure.Kind(rawValue: text)
    if let kind, kind != .flaky || context.allowsFlaky { return kind }
    if kind == .flaky {
      report(
        node.position,
        "flaky is for runs by a real clock; here the same seed gives the same run every time; "
          + "expected bug or wontfix")
    } else {
      let kinds = KnownFailure.Kind.allCases.filter { $0 != .flaky || context.allowsFlaky }
        .map(\.rawValue)
      report(
        node.position,
        "unknown kind \"\(text)\"\(Self.hint(text, kinds)); expected "
          + alternatives(kinds))
    }
    return nil
  }

  mutating func link(_ node: DocumentNode) -> String? {
    guard let text = text(node, "issue") else { return nil }
    if KnownFailure.isLink(text) { return text }
    report(
      node.position, "issue is \(JSON.string(text).text); expected \(KnownFailure.linkNoun)")
    return nil
  }

  mutating func date(_ node: DocumentNode) -> CalendarDate? {
    if case let .string(text) = node.content, let date = CalendarDate(text) { return date }
    let isOfForm = node.json.string.flatMap { CalendarDate.numbers(of: $0) } != nil
    let found = node.json.text + (isOfForm ? ", a day that no calendar has" : "")
    report(node.position, "until is \(found); expected a day such as 2026-12-31")
    return nil
  }
}

extension KnownFailure {
  /// What a signature is, for messages.
  static let signatureMeaning =
    "what went wrong in a few words, the same for failures that are alike"

  /// What an issue is, for messages.
  package static let linkNoun = "a link such as https://example.org/issues/7"

  /// Whether a text can be the link to an issue.
  package static func isLink(_ text: String) -> Bool {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    return isPlain
      && ["https://", "http://"].contains { text.hasPrefix($0) && text.count > $0.count }
  }
}
