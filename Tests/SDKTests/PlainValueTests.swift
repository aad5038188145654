import ClientEngine
import Testing
import Tree

@Suite struct PlainValueTests {
  @Test func `values of Swift are values of the database`() {
    let value: [String: Any] = [
      "b": 1, "a": [true, nil, 2.5] as [Any?], "c": ["d": "text"], "e": UInt8(7),
      "f": Float(0.5), "g": Optional<Int>.none as Any, "h": Optional(3) as Any,
    ]

    #expect(
      JSON(plain: value) == [
        "a": [true, .null, 2.5], "b": 1, "c": ["d": "text"], "e": 7, "f": 0.5, "g": .null, "h": 3,
      ])
    #expect(JSON(plain: nil) == .null)
    #expect(JSON(plain: ["x": 1] as [AnyHashable: Any]) == ["x": 1])
  }

  @Test func `what the database does not know is none`() {
    #expect(JSON(plain: Self.self) == nil)
    #expect(JSON(plain: [1: "a"] as [AnyHashable: Any]) == nil)
    #expect(JSON(plain: ["a": [PlainValueTests()]]) == nil)
  }

  /// A list in a list, or a mapping in a mapping, and so on.
  @Test(arguments: [false, true])
  func `a value has an end, however deep it is`(isMapping: Bool) {
    var deep = (0..<100_000).reduce(1 as Any) { value, _ in
      isMapping ? ["a": value] as [String: Any] as Any : [value] as Any
    }
    #expect(JSON(plain: deep) == nil)

    // Swift would give it back level by level on its own stack.
    while let inner = (deep as? [Any])?.first ?? (deep as? [String: Any])?["a"] { deep = inner }
  }

  @Test func `every value comes back as it was`() {
    let json: JSON = ["a": [1, .null, ["b": false]], "c": "text", "d": 2.5]

    #expect(JSON(plain: json.plain) == json)
    #expect((json.plain as? [String: Any])?["d"] as? Double == 2.5)
    #expect(JSON.array(["x", "y"]).plain as? [String] == ["x", "y"])
  }

  @Test func `what is read has no optional but where a list has a gap`() throws {
    let value = JSON.object([.init("a", 1), .init("b", true), .init("c", .null)]).plain
    let members = try #require(value as? [String: AnyHashable])

    #expect(members == ["a": 1.0, "b": true])
    #expect("\(JSON.array([1, ["k": 2]]).plain ?? "")" == #"[1.0, ["k": 2.0]]"#)
    #expect("\(JSON.array([1, .null]).plain ?? "")" == "[Optional(1.0), nil]")
    #expect((JSON.array([1, .null]).plain as? [Any?])?.count == 2)
    #expect((JSON.array([1, 2]).plain as? [Any?])?.count == 2)
  }
}
