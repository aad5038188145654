import ClientInterface
import Faults
import Foundation
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

  @Test func `what the server tells everyone it tells each`() {
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

  @Test func `the specification has the name of every kind, and its step where that differs`()
    throws
  {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Specs/faults.md"), encoding: .utf8)

    for kind in FaultKind.allCases where kind != .write {
      #expect(text.contains(kind.name), "\(kind)")
      if kind.verb != kind.name { #expect(text.contains(".\(kind.verb)"), "\(kind)") }
    }
  }
}
