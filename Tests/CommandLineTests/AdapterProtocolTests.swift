import Foundation
import TestKit
import Testing

/// Whether the description of the adapter protocol says what is so.
@Suite struct AdapterProtocolTests {
  @Test func `the conversation in the description is that of a run`() throws {
    let folder = try Folder()
    let blocks = try page.components(separatedBy: "```")
    let scenario = try #require(blocks.first { $0.hasPrefix("yaml\nkennel: 1\n") })
    let conversation = try #require(blocks.first { $0.hasPrefix("\n> {") })
    try folder.write(String(scenario.dropFirst(5)), to: "example.yaml")

    let outcome = try kennel.run([
      "run", folder.url.appending(path: "example.yaml").path, "--profile", "firebase",
      "--transcript", folder.url.appending(path: "lines").path, "--", kennel.path, "adapter",
    ])

    #expect(outcome.status == 0, "\(outcome)")
    #expect(try folder.text("lines") == conversation.dropFirst())
  }

  @Test func `every verb, operation and capability is described`() throws {
    let schema = try kennel.run(["adapter", "--schema"]).output
    let words = schema.matches(of: #/"([a-zA-Z.-]+)": \{/#).map { String($0.1) }
    let enumerated = schema.matches(of: #/"const":"([a-z.-]+)"|"enum":\[([^\]]*)\]/#)
      .flatMap { ($0.1 ?? $0.2 ?? "").split(separator: ",") }
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
    // What is no word of the protocol: keywords of the schema, and names within it.
    let structure: Set = [
      "$defs", "properties", "items", "additionalProperties", "answer", "function", "nested",
      "request",
    ]
    let page = try page

    let missing = Set(words + enumerated).subtracting(structure)
      .filter { !page.contains("`\($0)`") && !page.contains("\"\($0)\"") }

    #expect(words.count > 100)
    #expect(missing.sorted() == [])
  }

  private var page: String {
    get throws {
      try String(
        contentsOf: kennel.directory.appending(path: "Specs/adapter-protocol.md"), encoding: .utf8)
    }
  }

  private var kennel: Program {
    .project
  }
}
