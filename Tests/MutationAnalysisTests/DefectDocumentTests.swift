import Foundation
import Mutants
import TestKit
import Testing

/// `Specs/defects.md` and the mutants agree.
@Suite struct DefectDocumentTests {
  private struct Row {
    var id: String
    var mutants: [String]
  }

  private func rows() throws -> [Row] {
    let text = try SourceTree.text(of: "Specs/defects.md")
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[0] != "id", !cells[0].hasPrefix("-") else { return nil }
      let parts = cells[2].hasPrefix("–") ? [] : cells[2].split(separator: ", ")
      return Row(id: cells[0], mutants: parts.map { String($0.dropFirst().dropLast()) })
    }
  }

  @Test func `every defect names exactly the mutants that stand for it`() throws {
    for row in try rows() {
      let knownStatus = Mutant.all.filter { $0.origin.contains(row.id) }.map(\.name)
      #expect(row.mutants == knownStatus, "\(row.id)")
    }
  }

  @Test func `every mutant stands for a defect that is listed`() throws {
    let known = Set(try rows().map(\.id))
    #expect(known.count == 186)
    for mutant in Mutant.all {
      #expect(known.isSuperset(of: mutant.origin), "\(mutant.name)")
    }
  }
}
