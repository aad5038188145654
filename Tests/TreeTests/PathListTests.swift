import Testing
import Tree

@Suite struct PathListTests {
  private static let relations: [PathRelation] = [.at, .atOrAbove, .atOrBelow, .related]

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a list finds what a search from its beginning finds`(seed: UInt64) {
    var dice = Dice(seed)
    var list = PathList<(name: Int, path: Path)>()
    var plain: [(name: Int, path: Path)] = []
    for name in 0..<150 {
      let path = path(&dice)
      switch dice.roll(8) {
      case 0 where !plain.isEmpty:
        let position = dice.roll(plain.count)
        #expect(list.remove(at: position).name == plain.remove(at: position).name)
      case 1 where dice.roll(10) == 0:
        let rest = dice.roll(3)
        list.removeAll { $0.name % 3 == rest }
        plain.removeAll { $0.name % 3 == rest }
      default:
        list.append((name, path), at: path)
        plain.append((name, path))
      }
      for relation in Self.relations {
        let expected = plain.indices.filter { relation.holds(of: plain[$0].path, to: path) }
        #expect(Array(list.positions(relation, path)) == expected, "seed \(seed), \(relation)")
        #expect(list.allPositions(relation, path) == expected, "seed \(seed), \(relation)")
        #expect(list.has(relation, path) == !expected.isEmpty, "seed \(seed), \(relation)")
        let odd = list.first(relation, path) { !$0.isMultiple(of: 2) }
        #expect(odd == expected.first { !$0.isMultiple(of: 2) }, "seed \(seed), \(relation)")
        var passed: [Int] = []
        list.forEach(relation, path) { passed.append($0) }
        #expect(passed == expected, "seed \(seed), \(relation)")
        var changed = list
        changed.update(relation, path) { $0.name = -1 }
        let unchanged = plain.indices.filter { !expected.contains($0) }.map { plain[$0].name }
        #expect(changed.map(\.name).filter { $0 >= 0 } == unchanged, "seed \(seed), \(relation)")
      }
      #expect(list.map(\.name) == plain.map(\.name), "seed \(seed)")
    }
    #expect(plain.count > PathList<Int>.indexedCount)
  }

  private func path(_ dice: inout Dice) -> Path {
    Path((0..<dice.roll(4)).map { _ in dice.pick(["a", "b", "c", "d"]) })
  }

  @Test func `a list in a copy goes its own way`() {
    var list = PathList<Int>()
    for number in 0..<100 { list.append(number, at: Path([Key("\(number % 10)")])) }
    var copy = list
    copy.removeAll { $0 >= 10 }
    list[3] = 1000

    #expect(Array(copy.positions(.atOrBelow, .root)) == Array(0..<10))
    #expect(
      Array(list.positions(.at, "3")).map { list[$0] } == [1000] + stride(from: 13, to: 100, by: 10)
    )
    copy.removeAll()
    #expect(copy.isEmpty && Array(copy.positions(.related, .root)).isEmpty)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a table finds what a list finds, whatever was taken out of it`(seed: UInt64) {
    var dice = Dice(seed)
    var table = PathTable<Int>()
    var list = PathList<Int>()
    for number in 0..<200 {
      let path = path(&dice)
      switch dice.roll(5) {
      case 0, 1:
        guard let position = table.positions(.at, path).first(where: { _ in true }) else { break }
        let number = table[position]
        table.remove(at: position)
        list.removeAll { $0 == number }
      case 2 where dice.roll(20) == 0:
        table.removeAll { $0.isMultiple(of: 3) }
        list.removeAll { $0.isMultiple(of: 3) }
      default:
        table.append(number, at: path)
        list.append(number, at: path)
      }
      for relation in Self.relations {
        let expected = list.positions(relation, path).map { list[$0] }
        #expect(table.positions(relation, path).map { table[$0] } == expected, "seed \(seed)")
        #expect(table.has(relation, path) == !expected.isEmpty, "seed \(seed)")
        let odd = table.first(relation, path) { !table[$0].isMultiple(of: 2) }
        #expect(
          odd.map { table[$0] } == expected.first { !$0.isMultiple(of: 2) }, "seed \(seed)")
        var passed: [Int] = []
        table.forEach(relation, path) { passed.append(table[$0]) }
        #expect(passed == expected, "seed \(seed)")
        var changed = table
        changed.update(relation, path) { $0 = $0.map { -1 - $0 } }
        #expect(changed.elements.filter { $0 < 0 }.map { -1 - $0 } == expected, "seed \(seed)")
        if let first = table.first(relation, path, where: { _ in true }) { changed[first] = 1000 }
        #expect(changed.elements.contains(1000) == !expected.isEmpty, "seed \(seed)")
      }
      #expect(table.elements == Array(list) && table.count == list.count, "seed \(seed)")
    }
  }
}
