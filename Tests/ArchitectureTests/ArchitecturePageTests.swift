import Foundation
import TestKit
import Testing

/// Whether the page about the architecture shows the code as it is.
@Suite struct ArchitecturePageTests {
  /// A row of the table of hops.
  private struct Hop {
    var number: Int
    var file: String
    var function: String
    var conversion: String
  }

  private static let page = Result { try SourceTree.text(of: "Specs/architecture.md") }

  private static func hops() throws -> [Hop] {
    try page.get().split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
      guard cells.count == 7, let number = Int(cells[1]) else { return nil }
      return Hop(number: number, file: cells[2], function: cells[3], conversion: cells[5])
    }
  }

  @Test func `every hop is a function of its file`() throws {
    let hops = try Self.hops()
    let sources = try SourceTree.swiftFiles(below: "Sources")

    #expect(hops.map(\.number) == Array(1..<(hops.count + 1)))
    for hop in hops {
      let source = try #require(
        sources.first { $0.file == hop.file }, "hop \(hop.number): there is no \(hop.file)")
      let functions = Function.all(in: source.code).map(\.name)
      #expect(
        functions.contains(hop.function),
        "hop \(hop.number): \(hop.file) has no function \(hop.function)")
    }
  }

  @Test func `the way is as short as the page says, and no longer than it may be`() throws {
    let hops = try Self.hops()
    let stated = try Self.page.get().firstMatch(of: #/has (\d+) hops and (\d+) conversions/#)
    let conversions = hops.count { !$0.conversion.isEmpty }

    #expect(stated.map { [String($0.1), String($0.2)] } == ["\(hops.count)", "\(conversions)"])
    #expect(hops.count <= 28, "shorten the way before it gets another hop")
    #expect(conversions <= 6, "drop a conversion before there is another one")
  }

  @Test func `the paths and types that the page names exist`() throws {
    let spans = try Self.page.get().split(separator: "`", omittingEmptySubsequences: false)
      .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    let paths = spans.filter { $0.hasPrefix("Sources/") || $0.hasPrefix("Scenarios/") }
    let code = try SourceTree.swiftFiles(below: "Sources").map { $0.code.joined(separator: "\n") }
    let types = spans.filter { $0.first?.isUppercase == true && $0.allSatisfy(\.isLetter) }

    #expect(paths.count > 30 && types.count > 5)
    for path in paths { #expect(SourceTree.exists(path), "the page names \(path)") }
    for type in Set(types) {
      let isDeclared = code.contains { text in
        ["struct", "enum"].contains { text.contains("\($0) \(type)") }
      }
      #expect(isDeclared, "the page names \(type), which is no type")
    }
  }
}
