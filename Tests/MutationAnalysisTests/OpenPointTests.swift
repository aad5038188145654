import Foundation
import Mutants
import TestKit
import Testing

/// What `Specs/decisions.md` declares open has a conforming variant, or a reason why not.
@Suite struct OpenPointTests {
  private struct Section {
    var heading: String
    var lines: [String]
  }

  private func sections() throws -> [Section] {
    try SourceTree.text(of: "Specs/decisions.md").components(separatedBy: "\n## ").map { part in
      let lines = part.components(separatedBy: "\n")
      return Section(heading: lines[0], lines: Array(lines.dropFirst()))
    }
  }

  @Test func `every open point has a variant, or a reason why not`() throws {
    let sections = try sections()
    let open = sections.flatMap(\.lines)
      .filter { $0.contains("unspecified: the kit does not assert it") }
      .compactMap { $0.components(separatedBy: " | ").first?.dropFirst(2) }.map(String.init)
    let excused = try #require(sections.first { $0.heading == "Open points without a variant" })
      .lines.filter { $0.hasPrefix("* ") }
      .compactMap { $0.dropFirst(2).components(separatedBy: ":").first }
      .flatMap { $0.components(separatedBy: ", ") }
    let decided = Set(Mutant.benign.flatMap(\.origin))

    #expect(open.count == 23)
    #expect(Set(excused) == Set(open.filter { !decided.contains($0) }))
  }

  @Test func `a variant that decides an open point says what it decides`() {
    #expect(Mutant.benign.count { !$0.origin.isEmpty } > 30)
  }
}
