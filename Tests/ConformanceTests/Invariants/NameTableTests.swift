import ClientInterface
import RunModel
import Testing

@Suite struct NameTableTests {
  @Test func `many names are found as few are`() {
    var table = NameTable<CallID>()
    let names = (0..<60).map { CallID("call\($0)") }
    for (position, name) in names.enumerated() {
      #expect(table[name] == nil)
      table.append(name)
      #expect(names.prefix(position + 1).map { table[$0] } == Array(0...position))
    }

    table.removeAll()

    #expect(names.allSatisfy { table[$0] == nil })
    table.append(names[7])
    #expect(table[names[7]] == 0)
  }
}
