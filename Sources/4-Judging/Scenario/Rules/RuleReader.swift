internal import Document

/// Reads the files of the specification one after the other, collecting rules and problems.
///
/// A file is cut into sections at its `## ` headings; what stands above the first is an
/// introduction and not looked at. Ids are unique across all files, so one reader reads them all.
struct RuleReader {
  private(set) var rules: [Rule] = []
  private(set) var deleted: [RuleID] = []
  private(set) var problems: [SourceError] = []

  private var definitions: [RuleID: FileLocation] = [:]
  private var lastNumbers: [String: Int] = [:]

  mutating func read(_ text: String, named file: String) {
    let families = Self.families(ofFile: file)
    for section in Self.sections(of: text) {
      guard let id = heading(section, families, file) else { continue }
      define(id, section, file)
    }
  }

  /// One heading with everything below it, up to the next heading.
  private struct Section {
    var heading: String
    var line: Int
    var body: [String] = []
  }

  private static func sections(of text: String) -> [Section] {
    var sections: [Section] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("## ") {
        sections.append(Section(heading: line.dropFirst(3).trimmed, line: index + 1))
      } else if !sections.isEmpty {
        sections[sections.count - 1].body.append(String(line))
      }
    }
    return sections
  }

  private static func families(ofFile file: String) -> [String] {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return RuleBook.families.first { $0.file + ".md" == name }?.prefixes ?? []
  }

  /// The id of a section, or nil when the section is no rule.
  ///
  /// A file that holds no family (a glossary) may have headings of any kind, but no rules.
  private mutating func heading(
    _ section: Section, _ families: [String], _ file: String
  ) -> RuleID? {
    let first = section.heading.split(separator: " ").first.map(String.init) ?? ""
    guard let id = RuleID(first) else {
      if !families.isEmpty { report(.heading(section.heading), file, section.line) }
      return nil
    }
    guard families.contains(id.family) else {
      report(.foreignFamily(id, allowed: families), file, section.line)
      return nil
    }
    return id
  }

  private mutating func define(_ id: RuleID, _ section: Section, _ file: String) {
    if let earlier = definitions[id] {
      return report(.duplicate(id, first: earlier), file, section.line)
    }
    definitions[id] = FileLocation(file: file, line: section.line)
    let expected = lastNumbers[id.family, default: 0] + 1
    if id.number != expected { report(.gap(id, expected: expected), file, section.line) }
    lastNumbers[id.family] = id.number

    let title = section.heading.dropFirst(id.description.count).trimmed
    if title == "deleted" { return deleted.append(id) }
    if title.isEmpty { report(.missingTitle(id), file, section.line) }
    addRule(id, title, section, file)
  }

  private mutating func addRule(
    _ id: RuleID, _ title: String, _ section: Section, _ file: String
  ) {
    var body = RuleBody(section.body, firstLine: section.line + 1)
    let text = body.text
    if text.isEmpty { body.report(.missingText(id), section.line) }
    for name in ["level", "profiles", "source"] where body.values[name] == nil {
      body.report(.missingAttribute(id, name), section.line)
    }
    let level = body.level()
    let binds = body.choice("binds", else: Rule.Party.client)
    let profiles = body.profiles()
    let advisedIn = body.profiles("should")
    for name in body.unexplained(besides: profiles) {
      body.report(.missingDifference(id, name), section.line)
    }
    let tested = body.choice("tested", else: Rule.Proof.scenarios)
    for (line, mistake) in body.mistakes { report(mistake, file, line) }
    guard let level, let source = body.values["source"], !text.isEmpty else { return }
    rules.append(
      Rule(
        id: id, title: title, level: level, binds: binds, profiles: profiles,
        advisedIn: advisedIn, source: source.text, differs: body.differs, tested: tested,
        text: text, file: file, line: section.line))
  }

  private mutating func report(_ mistake: RuleMistake, _ file: String, _ line: Int) {
    problems.append(SourceError(FileLocation(file: file, line: line), mistake.message))
  }
}
