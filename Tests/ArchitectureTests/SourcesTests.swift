import Scenario
import TestKit
import Testing

@Suite struct SourcesTests {
  private static let documents = ["000", "001", "002", "003", "004"]

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
    let questions: [String] = [("C", 44), ("A", 56), ("R", 27)].flatMap { letter, count in
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

  @Test func `recordings of others bind the first edition by a promise alone`() throws {
    let table = try #require(
      Table.all(in: "Specs/decisions.md").first { $0.heading == "Rules from recordings" })
    let book = try Self.book()

    for row in table.rows {
      let isPromised = row[2].contains("promise") || row[2].contains("ollows")
      for id in Self.ids(in: row[3]) {
        let rule = try #require(book[id])
        guard rule.source == "recordings", rule.level == .must, rule.holds(for: "wilddog-1") else {
          continue
        }
        #expect((rule.level(in: "wilddog-1") == .must) == isPromised, "\(id)")
      }
    }
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

  @Test func `a rule that names a document is listed under that document`() throws {
    var listed: [String: Set<RuleID>] = [:]
    for table in try Table.all(in: "Specs/sources.md") {
      listed[String(table.heading.prefix(3))] = Set(
        table.rows.flatMap { Self.ids(in: $0.last ?? "") })
    }

    for rule in try Self.book().rules {
      for document in Self.documentsNamed(by: rule.source) {
        #expect(listed[document]?.contains(rule.id) == true, "\(rule.id): \(rule.source)")
      }
    }
  }

  private static func book() throws -> RuleBook {
    let names = try SourceTree.entries(of: "Specs/rules").filter { $0.hasSuffix(".md") }
    return RuleBook(
      files: try names.map { ("Specs/rules/" + $0, try SourceTree.text(of: "Specs/rules/" + $0)) })
  }

  private static func ids(in cell: String) -> [RuleID] {
    cell.split { " ,;()".contains($0) }.compactMap { RuleID(String($0)) }
  }

  /// The numbers at the beginning of each part of a source, such as `002, 004 "移除监听"`.
  private static func documentsNamed(by source: String) -> [String] {
    source.split(separator: ";").flatMap { part -> [String] in
      let words = part.split { " ,".contains($0) }.map(String.init)
      return Array(words.prefix { documents.contains($0) })
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
