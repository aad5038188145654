import Foundation
import TestKit
import Testing

@Suite struct GlossaryTests {
  private static let example = Glossary(
    """
    | Term | Meaning | Not used for it |
    |---|---|---|
    | receive | What a listener does. | hear, hears (receives) |
    | settle | To run until nothing is left. | comes to rest (settles) |
    | window | The children. | |
    """)

  @Test(arguments: [
    ("/// What a listener hears.\n", "a.md:1: \"hears\" is not used; write \"receives\""),
    ("a\nvar toHear = 1\n", "a.md:2: \"Hear\" is not used; write \"receive\""),
    ("\"it comes to rest\"", "a.md:1: \"comes to rest\" is not used; write \"settles\""),
  ])
  func `a word that is not used is reported with the one to write`(text: String, complaint: String)
  {
    #expect(Self.example.complaints(file: "a.md", text: text) == [complaint])
  }

  @Test(arguments: [
    "shear, heart, rehears", "`hears-after-removal`", "case \"hears\": 1", "it comes\nto rest",
  ])
  func `parts of words, ids and names of members are no words`(text: String) {
    #expect(Self.example.complaints(file: "a.md", text: text) == [])
  }

  @Test func `words that the glossary does not use occur nowhere`() throws {
    let glossary = Glossary(try SourceTree.text(of: "Specs/glossary.md"))
    #expect(glossary.instead.count > 10)

    for file in try Self.files() {
      let text = try Self.text(of: file)
      #expect(glossary.complaints(file: file, text: text) == [])
    }
  }

  /// The code, the specifications and the scenarios. The glossary itself names the words, and the
  /// pages about event order are made of scenarios and rules.
  private static func files() throws -> [String] {
    var files = ["README.md"]
    for (folder, suffixes) in [
      ("Sources", [".swift"]), ("Specs", [".md"]), ("Scenarios", [".yaml"]),
    ] {
      let names = try FileManager.default.subpathsOfDirectory(
        atPath: SourceTree.root.appending(path: folder).path)
      files += names.sorted().filter { name in suffixes.contains(where: name.hasSuffix) }.map {
        folder + "/" + $0
      }
    }
    return files.filter { $0 != "Specs/glossary.md" && !$0.hasPrefix("Specs/event-order/") }
  }

  /// Of a scenario the title and the comments; the rest is data.
  private static func text(of file: String) throws -> String {
    let text = try SourceTree.text(of: file)
    guard file.hasSuffix(".yaml") else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      line.hasPrefix("title:") || line.drop { $0 == " " }.hasPrefix("#") ? line : ""
    }.joined(separator: "\n")
  }
}
