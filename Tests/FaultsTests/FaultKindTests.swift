import ClientInterface
import Faults
import Foundation
import TestKit
import Testing
import Trace

@Suite struct FaultKindTests {
  @Test func `every kind has a row of its own in the table`() {
    #expect(Set(FaultKind.allCases.map(\.name)).count == FaultKind.allCases.count)
    for kind in FaultKind.allCases { #expect(!kind.family.isEmpty) }
  }

  @Test func `a fault is what its kind and its fields say`() throws {
    for kind in FaultKind.allCases {
      var fields = FaultFields<String>(client: "alice")
      fields.interval = .seconds(3)
      fields.count = 2
      let fault = try #require(NamedFault(kind, fields))
      let (found, own) = fault.parts

      #expect(found == kind)
      #expect(NamedFault(kind, own) == fault)
    }
  }

  @Test func `a fault of a client needs one`() {
    #expect(NamedFault(.cut, FaultFields()) == nil)
    #expect(NamedFault(.restart, FaultFields()) == .restart(down: .zero, .done))
  }

  @Test func `what the server sends to everyone it sends to each`() {
    let index = { (name: String) in name == "alice" ? ClientIndex(0) : nil }

    #expect(
      NamedFault.shutdown(nil).resolved(for: 0..<2, index)
        == [.shutdown(ClientIndex(0)), .shutdown(ClientIndex(1))])
    #expect(NamedFault.cut("alice").resolved(for: 0..<2, index) == [.cut(ClientIndex(0))])
    #expect(NamedFault.cut("bob").resolved(for: 0..<2, index) == [])
    #expect(
      NamedFault.latency(.standard, nil).resolved(for: 0..<2, index) == [.latency(.standard, nil)])
  }

  @Test func `every step of the network and the server is in the list of its group, once`() {
    for group in [FaultKind.Group.network, .server] {
      let own = FaultKind.allCases.filter { $0.group == group && $0 != .write }

      #expect(Set(FaultKind.steps(of: group)) == Set(own))
      #expect(FaultKind.steps(of: group).count == own.count)
    }
  }

  @Test func `what hunts draw has a weight, and what has a button is on the page`() {
    #expect(Set(FaultKind.drawn) == Set(FaultKind.allCases.filter { $0.lot != nil }))
    #expect(
      Set(FaultKind.buttons.flatMap { $0 }) == Set(FaultKind.allCases.filter { $0.button != nil }))
  }

  @Test func `the specification has the name of every kind`() throws {
    let text = try Self.specification()

    for kind in FaultKind.allCases where kind != .write {
      #expect(text.contains(kind.name), "\(kind)")
    }
  }

  @Test func `the specification lists the kinds that have several spellings, and those`() throws {
    let rows = try Self.spellings()
    let listed = rows.flatMap(\.kinds)

    for kind in FaultKind.allCases where kind != .write {
      let isPlain = kind.verb == kind.name && (kind.lot?.name ?? kind.name) == kind.name
      #expect(isPlain || listed.contains(kind), "\(kind.name) has no row")
    }
    for row in rows {
      #expect(!row.kinds.isEmpty, "\(row.names) names no kind")
      for kind in row.kinds {
        #expect(row.step.contains("`\(kind.step)"), "\(kind.name) has the step \(row.step)")
        guard let lot = kind.lot else { continue }
        #expect(row.hunt.components(separatedBy: ", ").contains(lot.name), "\(kind.name)")
      }
    }
  }

  private struct Spelling {
    var names: String
    var step: String
    var hunt: String
    var kinds: [FaultKind] {
      names.components(separatedBy: ", ").flatMap { name in
        FaultKind.allCases.filter { $0.name == name }
      }
    }
  }

  /// The rows of the table of spellings but for that of roll-back, which is no kind of its own.
  private static func spellings() throws -> [Spelling] {
    let section = try #require(specification().components(separatedBy: "## Spellings").last)
    let table = try #require(section.components(separatedBy: "\n## ").first)
    return table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap {
      let cells = $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, !cells[0].hasPrefix("roll-back") else { return nil }
      return Spelling(names: cells[0], step: cells[1], hunt: cells[2])
    }
  }

  private static func specification() throws -> String {
    try SourceTree.text(of: "Specs/faults.md")
  }
}
