internal import Markup
public import Rules

/// The pages that are made from the rules alone.
public struct RulePages: Sendable {
  /// A page with its path from the folder of the repository.
  public struct Page: Sendable {
    /// The path of the file, `Specs/profiles.md`.
    public let file: String
    /// The whole text in Markdown, with a line feed at the end.
    public let text: String
  }

  /// The pages in the order in which they are written.
  public let pages: [Page]

  /// Makes the pages about `rules`.
  public init(_ rules: RuleBook) {
    pages = [
      Page(file: "Specs/profiles.md", text: ProfilesPage(rules.rules).text),
      Page(file: "Specs/requirements.md", text: RequirementsPage(rules.rules).text),
    ]
  }
}

/// The page about the sources: where each rule is known from, and so how binding it is.
struct RequirementsPage {
  private let rules: [Rule]

  init(_ rules: [Rule]) { self.rules = rules }

  var text: String {
    var text = """
      # Requirements and preferences

      <!-- Written by `kennel docs` from the rules. Do not edit. -->

      This page gives the source of every rule, so that an implementer can distinguish what clients must
      do from what this project prefers:

      * **document**: one of the five original documents, by number and heading; see [sources.md](sources.md);
      * **recording**: what a shipped client did, as recorded;
      * **public fact**: what users of the shipped clients can observe or read in public documentation;
      * **vectors**: values computed by another implementation;
      * **decision**: our own choice where the other sources are silent or contradict each other, with the
        reason in [decisions.md](decisions.md).

      A MUST rule with a document, a recording or a public fact is a requirement of the family. A rule whose
      only source is a decision is a preference of this project.


      """
    text += Markdown.table(
      ["level"] + Source.allCases.map(\.rawValue) + ["decision alone"],
      Rule.Level.allCases.map(counts))
    for family in families {
      let own = rules.filter { $0.id.family == family }
      text += "\n## \(family)\n\n"
      text += Markdown.table(
        ["rule", "level", "title", "profiles", "kind", "source"], own.map(row))
    }
    return text
  }

  /// The kinds of sources.
  private enum Source: String, CaseIterable {
    case document
    case recording
    case publicFact = "public fact"
    case vectors
    case decision

    func occurs(in text: String) -> Bool {
      switch self {
      case .document: text.split(separator: ";").contains { $0.drop { $0 == " " }.hasPrefix("00") }
      case .recording: text.contains("recordings")
      case .publicFact, .vectors, .decision: text.contains(rawValue)
      }
    }
  }

  private var families: [String] {
    var families: [String] = []
    for rule in rules where !families.contains(rule.id.family) { families.append(rule.id.family) }
    return families
  }

  private static func sources(of rule: Rule) -> [Source] {
    Source.allCases.filter { $0.occurs(in: rule.source) }
  }

  private func counts(_ level: Rule.Level) -> [String] {
    let own = rules.filter { $0.level == level }.map(Self.sources)
    return [level.rawValue]
      + Source.allCases.map { source in "\(own.filter { $0.contains(source) }.count)" }
      + ["\(own.filter { $0 == [.decision] }.count)"]
  }

  private func row(_ rule: Rule) -> [String] {
    let sources = Self.sources(of: rule)
    let kind =
      sources == [.decision] ? "preference" : rule.level == .must ? "requirement" : "advice"
    return [
      rule.link, rule.level.rawValue, rule.title.cell,
      rule.profiles.isEmpty ? "all" : rule.profiles.joined(separator: ", "), kind,
      rule.source.cell,
    ]
  }
}
