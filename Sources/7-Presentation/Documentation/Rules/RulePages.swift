internal import Document
public import Scenario

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
    for own in rules.grouped(by: \.id.family) {
      text += "\n## \(own[0].id.family)\n\n"
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

/// The page about profiles: what each is, and every rule that is not the same in all of them.
struct ProfilesPage {
  private let rules: [Rule]

  init(_ rules: [Rule]) { self.rules = rules }

  var text: String {
    var text = """
      # Profiles

      <!-- Written by `kennel docs` from the rules. Do not edit. -->

      A profile is the set of rules of one family and generation of clients. A scenario runs in the
      profiles that it names, or in all; a client is judged by the rules of one profile at a time. Choose
      the profile by the wire protocol and the documents that your client follows.


      """
    text += Markdown.table(
      ["profile", "clients", "documents", "recordings", "wire protocol"],
      Self.origins.map {
        ["[\($0.name)](#\($0.name))", $0.clients, $0.documents, $0.recordings, $0.wire]
      })
    text += "\nThe documents are listed in [sources.md](sources.md), and what was recorded in "
    text += "[accidents.md](accidents.md).\n\n"
    text += Markdown.table(
      ["profile"] + Rule.Level.allCases.map(\.rawValue) + ["rules that do not hold"],
      Rule.profileNames.map { counts(in: $0) })
    text += """

      A rule that does not hold for a profile is one of these:

      * **different**: the profile does something else, which the table names;
      * **unspecified**: no document of the profile states it, so a client may do either;
      * **not recorded**: documents do not state it, and no client of the profile was recorded doing it.

      """
    for origin in Self.origins { text += section(origin) }
    return text
  }

  /// What a profile is made from.
  private struct Origin {
    let name: String
    let clients: String
    let documents: String
    let recordings: String
    let wire: String
  }

  private static let origins = [
    Origin(
      name: "wilddog-1", clients: "Wilddog Sync SDK 1.x for iOS",
      documents: "000 (complete API), 001 and 002 (guides)", recordings: "none",
      wire: "Wilddog: engine.io over WebSockets"),
    Origin(
      name: "wilddog-2", clients: "Wilddog Sync SDK 2.x",
      documents: "003 (API of the reference), 004 (guide)",
      recordings: "Wilddog Sync for JavaScript 2.0.0",
      wire: "Wilddog: engine.io over WebSockets"),
    Origin(
      name: "firebase", clients: "Firebase Realtime Database SDKs",
      documents: "public facts about the Firebase Realtime Database",
      recordings: "Firebase for JavaScript 12.18", wire: "Firebase, version 5"),
  ]

  private func counts(in profile: String) -> [String] {
    let held = rules.filter { $0.holds(for: profile) }
    return [profile]
      + Rule.Level.allCases.map { level in "\(held.count { $0.level(in: profile) == level })" }
      + ["\(rules.count - held.count)"]
  }

  private func section(_ origin: Origin) -> String {
    let absent = rules.filter { !$0.holds(for: origin.name) }
    let varied = rules.filter {
      $0.holds(for: origin.name) && $0.difference(in: origin.name) != nil
    }
    var text = "\n## \(origin.name)\n\n"
    text += "Rules that do not hold for \(origin.name):\n\n"
    text += Markdown.table(
      ["rule", "title", "why", "what holds instead"], absent.map { row($0, in: origin.name) })
    if !varied.isEmpty {
      text += "\nRules that hold with a difference:\n\n"
      text += Markdown.table(
        ["rule", "title", "difference"],
        varied.map { [$0.link, $0.title.cell, ($0.difference(in: origin.name) ?? "").cell] })
    }
    let advised = rules.filter { $0.level(in: origin.name) != $0.level }
    if !advised.isEmpty {
      text += "\nRules that are advice here and MUST elsewhere, because only clients of other "
      text += "profiles were recorded:\n\n"
      text += Markdown.table(["rule", "title"], advised.map { [$0.link, $0.title.cell] })
    }
    return text
  }

  private func row(_ rule: Rule, in profile: String) -> [String] {
    let difference = rule.difference(in: profile) ?? ""
    for reason in ["unspecified", "not recorded"] where difference.hasPrefix(reason) {
      let rest = difference.dropFirst(reason.count).drop { $0 == ";" || $0 == " " }
      return [rule.link, rule.title.cell, reason, String(rest).cell]
    }
    return [rule.link, rule.title.cell, "different", difference.cell]
  }
}

extension Rule {
  /// The id as a link to the rule, from `Specs`.
  var link: String {
    let page = file.hasPrefix("Specs/") ? String(file.dropFirst(6)) : file
    let words = "\(id) \(title)".lowercased().filter {
      $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
    }
    return "[\(id)](\(page)#\(words.replacing(" ", with: "-")))"
  }
}

extension String {
  /// As a cell of a table.
  var cell: String { replacing("|", with: "\\|") }
}
