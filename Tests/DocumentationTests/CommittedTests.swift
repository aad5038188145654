import Documentation
import Foundation
import Scenario
import TestKit
import Testing

/// The pages that are kept with the sources.
@Suite struct CommittedTests {
  private let folder = DocumentationBook.folder

  private func scenarioPages() throws -> [String] {
    try SourceTree.files(below: folder, ending: ["md"]).filter {
      $0.split(separator: "/").count > 3
    }
  }

  @Test func `there are at least sixty pages, each with a complete search`() throws {
    let pages = try scenarioPages()

    #expect(pages.count >= 60)
    for page in pages {
      let text = try SourceTree.text(of: page)
      #expect(text.contains("explored; the search was complete."), "\(page)")
      #expect(!text.contains("the search was stopped"), "\(page)")
    }
  }

  @Test func `every rule of events, observers, queries and limits is reachable`() throws {
    let names = ["events", "observers", "queries", "limits"]
    let book = RuleBook(
      files: try names.map {
        ("Specs/rules/\($0).md", try SourceTree.text(of: "Specs/rules/\($0).md"))
      })
    let index = try SourceTree.text(of: "\(folder)/by-rule.md")
    let sections = index.components(separatedBy: "\n<a id=\"")

    #expect(try SourceTree.text(of: "\(folder)/README.md").contains("(by-rule.md)"))
    for rule in book.rules where ["EVT", "OBS", "QRY", "LIM"].contains(rule.id.family) {
      let section = sections.first { $0.hasPrefix("\(rule.id)\"") } ?? ""
      #expect(section.contains("\n* [") || section.contains("Not tested"), "\(rule.id)")
    }
  }

  @Test func `the contents name every document once, in groups that the README has sections for`()
    throws
  {
    let documents = try SourceTree.files(below: "Specs", ending: ["md", "svg"]).map {
      Site.Document(path: String($0.dropFirst(6)), text: try SourceTree.text(of: $0))
    }
    let book = DocumentationBook([], scenarios: [], rules: RuleBook(files: []))
    let site = Site(documents, readme: try SourceTree.text(of: "README.md"), book)
    let front = try #require(site.files.first { $0.path == "index.html" }?.text)
    let titles = { (text: String) in
      text.matches(of: #/<section><h2 [^>]*>([^<]+)</#).map { String($0.1) }
    }

    #expect(!front.contains("<summary>More</summary>"), "link the documents in Specs/README.md")
    #expect(
      titles(front) == [
        "Check your client", "Hunt a race", "Write an application", "Document what clients do",
      ])
    #expect(front.contains("<pre tabindex=\"0\"><code>FAIL"))
    #expect(front.contains("<img src=\"pictures/refill.svg\""))
  }

  @Test func `the pages that are made from the rules are what the rules make of them`() throws {
    let rules = try SourceTree.files(below: "Specs/rules", ending: ["md"]).map {
      ($0, try SourceTree.text(of: $0))
    }

    for page in RulePages(RuleBook(files: rules)).pages {
      #expect(
        try SourceTree.text(of: page.file) == page.text, "write it again with 'kennel docs --rules'"
      )
    }
  }

  @Test func `every link of every page leads to a file`() throws {
    for page in try SourceTree.files(below: folder, ending: ["md"]) {
      let parents = page.split(separator: "/").dropLast()
      for link in try SourceTree.text(of: page).components(separatedBy: "](").dropFirst() {
        let address = link.prefix { $0 != ")" && $0 != "#" }
        guard !address.isEmpty, !address.contains(" ") else { continue }
        var way = Array(parents)
        for part in address.split(separator: "/") {
          if part == ".." { _ = way.popLast() } else { way.append(part) }
        }
        let file = way.joined(separator: "/")
        #expect(SourceTree.exists(file), "\(page) links to \(file)")
      }
    }
  }
}
