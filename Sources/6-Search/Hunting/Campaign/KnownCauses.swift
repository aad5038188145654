internal import ClientInterface
public import Document
public import Scenario
public import Search
internal import Tree
internal import YAML

/// The causes of failures that are known already, as a file lists them.
public struct KnownCauses: Sendable {
  /// In the order of the file: a failure belongs to the first cause that it shows.
  public private(set) var causes: [KnownCause] = []
  /// Of the text of the file; the same wherever it is read.
  public private(set) var hash = ""

  /// No cause is known.
  public init() {}

  /// The cause that a failure belongs to; `nil` where it is news.
  public func cause(of circumstances: Circumstances) -> KnownCause? {
    causes.first { $0.shows.contains { $0.matches(circumstances) } }
  }
}

/// A cause of failures: a defect of a client that was looked at.
public struct KnownCause: Hashable, Sendable {
  /// Small letters, digits and hyphens; no two causes of a list have the same.
  public var name: String
  /// The rule that the client breaks; `nil` where the file does not say.
  public var rule: String?
  /// What the client does wrong, in a sentence.
  public var note: String
  /// The smallest scenario that fails for it, beside the list.
  public var proof: String
  /// How it shows: each of these is enough.
  public var shows: [CircumstancePattern]
  /// Where it is listed.
  public var position: Position
}

// Reading

extension KnownCauses {
  /// What a list may name.
  public struct Context {
    /// The ids of all rules; empty when they are not known.
    public var rules: [String]
    /// Whether there is a proof.
    public var hasProof: (String) -> Bool

    /// Without ids of rules, the rules of causes are not checked; nor are proofs, unless it is said
    /// which there are.
    public init(rules: [String] = [], hasProof: @escaping (String) -> Bool = { _ in true }) {
      self.rules = rules
      self.hasProof = hasProof
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: Its path as problems shall show it.
  ///   - bytes: Its content, in YAML.
  ///   - context: What there is to be named.
  /// - Returns: the list, or everything that is wrong, in the order of the file.
  public static func read(
    file: String, bytes: [UInt8], _ context: Context = Context()
  ) -> (list: KnownCauses, problems: [SourceError]) {
    var source = VersionedFile(file: file, bytes: bytes, keys: ["causes"])
    var list = KnownCauses()
    list.hash = Fingerprint(of: String(decoding: bytes, as: UTF8.self)).description
    if let node = source.fields["causes"] {
      list.causes = causes(in: node, context) { source.report($0, $1) }
    }
    let problems = source.problems
    return (problems.isEmpty ? list : KnownCauses(), problems)
  }

  private static func causes(
    in list: DocumentNode, _ context: Context, _ report: (Position, String) -> Void
  ) -> [KnownCause] {
    guard case let .list(nodes) = list.content else {
      report(list.position, "causes is \(list.json.text); expected a list of causes, or []")
      return []
    }
    var causes: [KnownCause] = []
    for node in nodes {
      guard let cause = KnownCause(node, context, report) else { continue }
      if let other = causes.first(where: { $0.name == cause.name }) {
        report(
          cause.position,
          "\(cause.name) is already listed at \(other.position); expected each name once")
      }
      causes.append(cause)
    }
    return causes
  }
}

extension KnownCause {
  fileprivate init?(
    _ node: DocumentNode, _ context: KnownCauses.Context, _ report: (Position, String) -> Void
  ) {
    let keys = ["name", "rule", "note", "proof", "shows"]
    guard let fields = node.fields("a cause", keys: keys, optional: ["rule"], report: report)
    else { return nil }
    func text(_ key: String) -> String? {
      guard let node = fields[key] else { return nil }
      if case let .string(text) = node.content, !text.isEmpty { return text }
      report(node.position, "\(key) is \(node.json.text); expected a text")
      return nil
    }
    let shows = fields["shows"].map { CircumstancePattern.all(in: $0, report) } ?? []
    let rule = text("rule")
    guard let name = text("name"), let note = text("note"), let proof = text("proof")
    else { return nil }
    func check(_ key: String, _ isRight: Bool, _ message: @autoclosure () -> String) {
      if !isRight { report(fields[key]?.position ?? node.position, message()) }
    }
    check(
      "name", name.utf8.allSatisfy { $0.isLowercaseOrDigit || $0 == UInt8(ascii: "-") },
      "name is \"\(name)\"; expected small letters, digits and hyphens, such as left-listen")
    check(
      "rule", rule.map { context.rules.isEmpty || context.rules.contains($0) } ?? true,
      "there is no rule \"\(rule ?? "")\"" + didYouMean(rule ?? "", context.rules))
    check(
      "proof", context.hasProof(proof),
      "there is no \(proof) beside the list; expected a scenario that fails for this cause")
    self.init(
      name: name, rule: rule, note: note, proof: proof, shows: shows, position: node.position)
  }
}

/// A condition on the circumstances of failures; what is not stated does not matter.
public struct CircumstancePattern: Hashable, Sendable {
  /// One of these matches what is broken; empty for any, here and below. Stars stand for any letters.
  public var breach: [Glob] = []
  /// What is missing or too much.
  public var act: [Glob] = []
  /// What it is about.
  public var subject: [Glob] = []
  /// What the client had just been given.
  public var trigger: [Glob] = []
  /// Each of these matches something in place.
  public var with: [Glob] = []
  /// None of these does.
  public var without: [Glob] = []

  /// Matches everything.
  public init() {}

  /// Whether the condition is met.
  public func matches(_ circumstances: Circumstances) -> Bool {
    Self.isAny(breach, circumstances.breach) && Self.isAny(act, circumstances.act)
      && Self.isAny(subject, circumstances.subject) && Self.isAny(trigger, circumstances.trigger)
      && with.allSatisfy { circumstances.surroundings.contains(where: $0.matches) }
      && !without.contains { circumstances.surroundings.contains(where: $0.matches) }
  }

  private static func isAny(_ patterns: [Glob], _ word: String) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(word) }
  }
}

extension CircumstancePattern {
  private static var parts: [(key: String, part: WritableKeyPath<Self, [Glob]>)] {
    [
      ("breach", \.breach), ("act", \.act), ("subject", \.subject), ("on", \.trigger),
      ("with", \.with), ("without", \.without),
    ]
  }

  /// A list of conditions, each of which states something.
  fileprivate static func all(
    in node: DocumentNode, _ report: (Position, String) -> Void
  ) -> [CircumstancePattern] {
    guard case let .list(nodes) = node.content, !nodes.isEmpty else {
      report(
        node.position,
        "shows is \(node.json.text); expected a list of conditions such as {breach: inv-38}")
      return []
    }
    return nodes.compactMap { CircumstancePattern($0, report) }
  }

  /// Why a word means nothing, where it is clear what else is meant: other words are not looked at.
  private static func objection(to text: String, as key: String) -> String? {
    if Glob.isPattern(text) { return nil }
    let near: [String]
    switch key {
    case "breach" where text.hasPrefix("inv-"): near = Invariant.all.map { $0.id.lowercased() }
    case "act": near = EventType.allCases.map(\.rawValue)
    default: return nil
    }
    let hint = didYouMean(slips(for: text, in: near))
    if near.contains(text) || key == "act" && hint.isEmpty { return nil }
    return "unknown \(key == "act" ? "event" : "invariant") \(text)\(hint)"
  }

  private init?(_ node: DocumentNode, _ report: (Position, String) -> Void) {
    let keys = Self.parts.map(\.key)
    guard
      let fields = node.fields(
        "a condition", keys: keys, optional: Array(keys.dropFirst()), report: report)
    else { return nil }
    self.init()
    for (key, part) in Self.parts {
      guard let field = fields[key] else { continue }
      var nodes = [field]
      if case let .list(elements) = field.content { nodes = elements }
      for node in nodes {
        if case let .string(text) = node.content {
          Self.objection(to: text, as: key).map { report(node.position, $0) }
          self[keyPath: part].append(Glob(text))
        } else {
          report(node.position, "\(key) is \(node.json.text); expected a text or a list of texts")
        }
      }
    }
  }
}
