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
}
