import AdapterProtocol
import ClientInterface
import TestKit
import Testing

/// What adapters can know of the protocol.
@Suite struct ChangeTests {
  private func hello(_ revision: Int, _ capabilities: Set<String> = []) -> AdapterHello {
    var hello = AdapterHello(name: "n", version: "1", capabilities: capabilities)
    hello.revision = revision
    return hello
  }

  @Test func `changes come in the order of their revisions and days`() {
    let order = ProtocolChange.all.map { [String($0.revision), $0.date] }

    #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(Set(ProtocolChange.all.map(\.revision)) == Set(1...ProtocolChange.revision))
  }

  @Test func `an adapter is told what is newer than it and what it does not show to know`() {
    let all = ProtocolChange.all.map(\.text)
    let newest = ProtocolChange.all.filter { $0.revision == ProtocolChange.revision }.map(\.text)

    #expect(ProtocolChange.news(for: hello(0)).map(\.text) == all)
    #expect(ProtocolChange.news(for: hello(ProtocolChange.revision - 1)).map(\.text) == newest)
    #expect(ProtocolChange.news(for: hello(ProtocolChange.revision)).isEmpty)
    let known = ProtocolChange.news(for: hello(0, ["get", "purge"])).map(\.text)
    #expect(all.filter { !known.contains($0) }.count == 2)
  }

  @Test func `the adapters to begin with state the newest revision`() throws {
    let endings = ["c", "cs", "dart", "go", "h", "java", "js", "py", "rb", "rs"]
    let stated = try SourceTree.files(below: "tools/adapters", ending: endings).flatMap { file in
      try SourceTree.text(of: file).matches(of: /revision\W+(\d+)[^\w ]/).map {
        "\(file) \($0.output.1)"
      }
    }

    #expect(stated.count == 10)
    #expect(stated.filter { !$0.hasSuffix(" \(ProtocolChange.revision)") } == [])
  }

  @Test(arguments: [AdapterPage.file, AdapterPage.changelogFile])
  func `the tables of pages are made from values`(file: String) throws {
    let page = try SourceTree.text(of: file)

    #expect(AdapterPage.updated(page) == page, "write it again: kennel docs")
    #expect(page.contains("`no_snapshot`"))
    #expect(page.contains(": written by `kennel docs`. -->"))
  }

  @Test func `every call but those of listeners belongs to one capability`() {
    for kind in Operation.Kind.allCases {
      let names = Capability.table.filter { $0.operations.contains(kind) }.map(\.name)
      #expect(names == (kind.capability.map { [$0] } ?? names), "\(kind)")
      #expect(!names.isEmpty, "\(kind)")
    }
    #expect(Capability.easiestFirst.map(\.name).sorted() == Capability.inOrder.sorted())
  }
}
