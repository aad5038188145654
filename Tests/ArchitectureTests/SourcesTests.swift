import Scenario
import TestKit
import Testing

@Suite struct SourcesTests {
  fileprivate static let documents = ["000", "001", "002", "003", "004"]

  @Test func `every heading of the documents has rules or a reason why not`() throws {
    let tables = try Table.all(in: "Specs/sources.md")

    #expect(tables.map { String($0.heading.prefix(3)) } == Self.documents)
    #expect(tables.reduce(0) { $0 + $1.rows.count } == 220)
    for row in tables.flatMap(\.rows) {
      #expect(row.count == 3, "\(row)")
      #expect(!row.contains(""), "\(row)")
      guard let last = row.last, !last.hasPrefix("excluded: ") else { continue }
      #expect(last.split(separator: ", ").allSatisfy { RuleID(String($0)) != nil }, "\(row)")
    }
  }

  @Test func `every open question is settled by a rule or left open by name`() throws {
    let tables = try Table.all(in: "Specs/decisions.md")
    let rows = tables.flatMap(\.rows)
    let questions: [String] = [("C", 44), ("A", 62), ("R", 29)].flatMap { letter, count in
      (1...count).map { "\(letter)-\($0 < 10 ? "0" : "")\($0)" }
    }

    #expect(rows.compactMap(\.first) == questions)
    for row in rows {
      #expect(row.count == 4, "\(row)")
      let open = row.last?.contains("unspecified: the kit does not assert it in ") == true
      #expect(open || !Self.ids(in: row.last ?? "").isEmpty, "\(row)")
    }
  }

  @Test func `every rule that only recordings know is reviewed`() throws {
    let table = try #require(
      Table.all(in: "Specs/decisions.md").first { $0.heading == "Rules from recordings" })
    let reviewed = table.rows.flatMap { Self.ids(in: $0.last ?? "") }

    let rules = try Self.book().rules.filter { $0.source == "recordings" }
    #expect(rules.count > 30)
    #expect(rules.map(\.id).filter { !reviewed.contains($0) } == [])
    #expect(Set(reviewed).count == reviewed.count)
  }

  /// None of its clients was recorded.
  @Test func `a rule binds the first edition by a source of its own`() throws {
    let rules = try Self.book().rules.filter {
      $0.level == .must && $0.binds == .client && $0.holds(for: "wilddog-1")
    }
    let foreign = rules.filter { rule in
      rule.source.split(separator: ";").allSatisfy { $0.drop { $0 == " " } == "recordings" }
    }

    #expect(foreign.count > 20)
    #expect(rules.filter { $0.advisedIn.contains("wilddog-1") }.map(\.id) == foreign.map(\.id))
  }

  @Test func `a decision alone is MUST only with a reason`() throws {
    let text = try SourceTree.text(of: "Specs/decisions.md")
    let section = try #require(
      text.split(separator: "\n## ").first { $0.hasPrefix("Decisions that are MUST") })
    let listed = section.split(separator: "\n").filter { $0.hasPrefix("* ") }
      .compactMap { RuleID(String($0.dropFirst(2).prefix { $0 != ":" })) }

    let rules = try Self.book().rules.filter { rule in
      let sources = rule.source.split(separator: ";").map { $0.drop { $0 == " " } }
      return rule.level == .must && rule.binds == .client
        && sources.allSatisfy { $0.hasPrefix("decision") }
    }
    #expect(Set(rules.map(\.id)) == Set(listed))
  }

  @Test func `the rules that sources and decisions name exist`() throws {
    let known = Set(try Self.book().rules.map(\.id))

    for file in ["Specs/sources.md", "Specs/decisions.md"] {
      for row in try Table.all(in: file).flatMap(\.rows) {
        #expect(Self.ids(in: row.last ?? "").filter { !known.contains($0) } == [], "\(row)")
      }
    }
  }

  @Test func `a rule is listed under every heading that it cites`() throws {
    let headings = try Heading.all()

    for rule in try Self.book().rules {
      for citation in Citation.all(in: rule.source) {
        #expect(citation.mistakes(of: rule.id, in: headings) == [], "\(rule.id): \(rule.source)")
      }
    }
  }

  @Test(arguments: [
    (#"000, 003 "setValue:""#, []),
    (#"000 WQuery "ref"; recordings"#, ["000 WQuery, ref, does not list VAL-5"]),
    (#"002, 003 "setValue:"; decision"#, ["002 has no heading setValue:"]),
    (#"000 WConfig "setValue:""#, ["000 WConfig has no heading setValue:"]),
    (#"recordings; 004 "总结""#, ["004, 总结, does not list VAL-5"]),
    ("000 completion blocks", ["000 completion blocks: no heading is cited"]),
    (#"000 "setValue:" (times)"#, ["000 (times) has no heading setValue:"]),
    ("recordings; decision: 003 differs", []),
  ])
  func `a wrong citation is found`(source: String, mistakes: [String]) throws {
    let rule = try #require(RuleID("VAL-5"))

    let headings = try Heading.all()
    #expect(
      Citation.all(in: source).flatMap { $0.mistakes(of: rule, in: headings) } == mistakes)
  }

  private static func book() throws -> RuleBook {
    let names = try SourceTree.entries(of: "Specs/rules").filter { $0.hasSuffix(".md") }
    return RuleBook(
      files: try names.map { ("Specs/rules/" + $0, try SourceTree.text(of: "Specs/rules/" + $0)) })
  }

  fileprivate static func ids(in cell: String) -> [RuleID] {
    cell.split { " ,;()".contains($0) }.compactMap { RuleID(String($0)) }
  }
}

/// A heading of a document, and the rules that its row in `Specs/sources.md` lists.
private struct Heading {
  var document: String
  /// The class under whose title it is, such as `WQuery`; empty where there is none.
  var section: String
  var text: String
  var rules: [RuleID]

  static func all() throws -> [Heading] {
    try Table.all(in: "Specs/sources.md").flatMap { table in
      var section = ""
      return table.rows.map { row in
        let name = text(of: row[0])
        if row[0].hasSuffix(" (*Methods*)") { section = name }
        return Heading(
          document: String(table.heading.prefix(3)), section: section, text: name,
          rules: SourcesTests.ids(in: row.last ?? ""))
      }
    }
  }

  /// Without the sign of a method before it and our English after it.
  private static func text(of cell: String) -> String {
    let name = cell.split(separator: " (").first.map(String.init) ?? cell
    return ["– ", "- ", "+ "].contains { name.hasPrefix($0) } ? String(name.dropFirst(2)) : name
  }
}

/// A part of a rule's source that cites documents, such as `002, 004 "移除监听"` or `000 WQuery "ref"`.
private struct Citation {
  var documents: [String]
  /// What stands beside the headings: nothing, or the class whose headings they are.
  var section: String
  var headings: [String]

  static func all(in source: String) -> [Citation] {
    source.split(separator: ";").map(Citation.init).filter { !$0.documents.isEmpty }
  }

  private init(_ part: Substring) {
    let pieces = part.split(separator: "\"", omittingEmptySubsequences: false)
    headings = stride(from: 1, to: pieces.count, by: 2).map { String(pieces[$0]) }
    let words = stride(from: 0, to: pieces.count, by: 2)
      .flatMap { pieces[$0].split { " ,".contains($0) } }.map(String.init)
    documents = Array(words.prefix { SourcesTests.documents.contains($0) })
    section = words.dropFirst(documents.count).joined(separator: " ")
  }

  /// A sentence for each heading that does not exist or does not list the rule.
  func mistakes(of rule: RuleID, in known: [Heading]) -> [String] {
    documents.flatMap { document -> [String] in
      let place = section.isEmpty ? document : "\(document) \(section)"
      let rows = known.filter {
        $0.document == document && (section.isEmpty || $0.section == section)
      }
      if headings.isEmpty { return ["\(place): no heading is cited"] }
      return headings.compactMap { heading in
        let cited = rows.filter { $0.text == heading }
        if cited.isEmpty { return "\(place) has no heading \(heading)" }
        return cited.contains { $0.rules.contains(rule) }
          ? nil : "\(place), \(heading), does not list \(rule)"
      }
    }
  }
}

/// A table of a Markdown file with the heading above it; rows without the two of its head.
private struct Table {
  var heading: String
  var rows: [[String]] = []

  static func all(in file: String) throws -> [Table] {
    var tables: [Table] = []
    for line in try SourceTree.text(of: file).split(separator: "\n") {
      if line.hasPrefix("## ") {
        tables.append(Table(heading: String(line.dropFirst(3))))
      } else if line.hasPrefix("| "), line.hasSuffix(" |"), !tables.isEmpty {
        tables[tables.count - 1].rows.append(cells(of: line))
      }
    }
    return tables.map { Table(heading: $0.heading, rows: Array($0.rows.dropFirst())) }
  }

  private static func cells(of line: Substring) -> [String] {
    line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false)
      .map(String.init)
  }
}
