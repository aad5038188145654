import ClientEngine
import Testing
import Tree

@Suite struct CodingTests {
  struct Dinosaur: Codable, Equatable {
    enum Diet: String, Codable { case plants, meat }
    var height: Double
    var legs: Int
    var names: [String]
    var diet: Diet?
    var isExtinct = true
    var sizes: [String: Float] = [:]
    var nested: [[UInt8]] = []
  }

  private static let stegosaurus = Dinosaur(
    height: 4, legs: 4, names: ["roof lizard"], diet: .plants, sizes: ["plate": 0.5],
    nested: [[1, 2], []])

  @Test func `a value becomes what the database has, and comes back`() throws {
    let json = try JSON(encoding: Self.stegosaurus)

    #expect(
      json == [
        "height": 4, "legs": 4, "names": ["roof lizard"], "diet": "plants", "isExtinct": true,
        "sizes": ["plate": 0.5], "nested": [[1, 2], []],
      ])
    #expect(try json.decoded(as: Dinosaur.self) == Self.stegosaurus)
    #expect(try JSON.number(3).decoded(as: Int.self) == 3)
    #expect(try JSON(encoding: ["a", "b"]) == ["a", "b"])
  }

  @Test func `what does not fit is named with its path`() {
    let problem = #expect(throws: DecodingError.self) {
      try JSON.object([.init("height", "tall")]).decoded(as: Dinosaur.self)
    }
    guard case let .typeMismatch(_, context)? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }

    #expect(context.codingPath.map(\.stringValue) == ["height"])
    #expect(context.debugDescription == "found a string instead of Double")
    #expect(throws: DecodingError.self) { try JSON.number(3.5).decoded(as: Int.self) }
    #expect(throws: DecodingError.self) { try JSON.number(300).decoded(as: UInt8.self) }
  }
}
