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

  /// A value with another one of its kind inside, and so on.
  struct Nested: Encodable {
    enum Form: CaseIterable { case lists, members, single, emptyLists, emptyMembers, superclasses }
    let form: Form
    let levels: Int

    private enum Name: CodingKey { case a }

    func encode(to encoder: any Encoder) throws {
      let inner = Nested(form: form, levels: levels - 1)
      switch form {
      case .lists:
        var list = encoder.unkeyedContainer()
        if levels > 0 { try list.encode(inner) }
      case .members:
        var members = encoder.container(keyedBy: Name.self)
        if levels > 0 { try members.encode(inner, forKey: .a) }
      case .single:
        var only = encoder.singleValueContainer()
        if levels > 0 { try only.encode(inner) }
      case .emptyLists:
        var list = encoder.unkeyedContainer()
        for _ in 0..<levels { list = list.nestedUnkeyedContainer() }
      case .emptyMembers:
        var members = encoder.container(keyedBy: Name.self)
        for _ in 0..<levels { members = members.nestedContainer(keyedBy: Name.self, forKey: .a) }
      case .superclasses:
        var encoder = encoder
        for _ in 0..<levels {
          var list = encoder.unkeyedContainer()
          encoder = list.superEncoder()
        }
      }
    }
  }

  @Test(arguments: Nested.Form.allCases)
  func `values have an end, however deep they are`(form: Nested.Form) throws {
    for levels in [300, 100_000] {
      let problem = #expect(throws: EncodingError.self) {
        try JSON(encoding: Nested(form: form, levels: levels))
      }
      guard case let .invalidValue(_, context)? = problem else { continue }
      #expect(context.debugDescription == "the value is nested deeper than 256 levels")
    }
    _ = try JSON(encoding: Nested(form: form, levels: 200))
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
