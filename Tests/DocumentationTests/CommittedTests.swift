import Documentation
import Foundation
import Rules
import Testing

/// The pages that are kept with the sources.
@Suite struct CommittedTests {
  private let folder = DocumentationBook.folder

  private func scenarioPages() throws -> [String] {
    try Kit.files(below: folder).filter { $0.split(separator: "/").count > 3 }
  }

  @Test func `there are at least sixty pages, each with a complete search`() throws {
    let pages = try scenarioPages()

    #expect(pages.count >= 60)
    for page in pages {
      let text = try Kit.text(of: page)
      #expect(text.contains("explored; the search was complete."), "\(page)")
      #expect(!text.contains("the search was stopped"), "\(page)")
    }
  }

  @Test func `every rule of events, observers, queries and limits is reachable`() throws {
    let names = ["events", "observers", "queries", "limits"]
    let book = RuleBook(
      files: try names.map { ("Specs/rules/\($0).md", try Kit.text(of: "Specs/rules/\($0).md")) })
    let index = try Kit.text(of: "\(folder)/by-rule.md")
    let sections = index.components(separatedBy: "\n<a id=\"")

    #expect(try Kit.text(of: "\(folder)/README.md").contains("(by-rule.md)"))
    for rule in book.rules where ["EVT", "OBS", "QRY", "LIM"].contains(rule.id.family) {
      let section = sections.first { $0.hasPrefix("\(rule.id)\"") } ?? ""
      #expect(section.contains("\n* [") || section.contains("Not tested"), "\(rule.id)")
    }
  }

  @Test func `the pages that are made from the rules are what the rules make of them`() throws {
    let rules = try Kit.files(below: "Specs/rules").map { ($0, try Kit.text(of: $0)) }

    for page in RulePages(RuleBook(files: rules)).pages {
      #expect(try Kit.text(of: page.file) == page.text, "write it again with 'kennel docs --rules'")
    }
  }

  @Test func `every link of every page leads to a file`() throws {
    for page in try Kit.files(below: folder) {
      let parents = page.split(separator: "/").dropLast()
      for link in try Kit.text(of: page).components(separatedBy: "](").dropFirst() {
        let address = link.prefix { $0 != ")" && $0 != "#" }
        guard !address.isEmpty, !address.contains(" ") else { continue }
        var way = Array(parents)
        for part in address.split(separator: "/") {
          if part == ".." { _ = way.popLast() } else { way.append(part) }
        }
        let file = way.joined(separator: "/")
        #expect(Self.exists(file), "\(page) links to \(file)")
      }
    }
  }

  private static func exists(_ file: String) -> Bool {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    return FileManager.default.fileExists(atPath: root.appending(path: file).path)
  }
}
