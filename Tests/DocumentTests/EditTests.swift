import Document
import Testing
import YAML

@Suite struct EditTests {
  private static func edited(_ text: String, _ edits: [DocumentEdit]) -> String {
    switch DocumentLayout.yaml(Array(text.utf8), edits) {
    case let .text(text): text
    case let .problems(problems): "\(problems)"
    case .refused: "refused"
    }
  }

  @Test(arguments: [
    // Nothing there, and an empty mapping.
    ("a:\n", "a: {x: 1, y: [2]}\n"),
    ("a: {}  # why\n", "a: {x: 1, y: [2]}  # why\n"),
    ("a: {x: 1, z: 3}\nb: 4\n", "a: {x: 1, y: [2]}\nb: 4\n"),
    // What means the same stays as it is written, and comments stay.
    (
      "a:\n  # the first\n  x: 1.0  # one\n  # the third\n  z: 3  # gone\nb: 4\n",
      "a:\n  # the first\n  x: 1.0  # one\n  y: [2]\n  # the third\n  # gone\nb: 4\n"
    ),
    (
      "a:\n  y:\n    - 3  # three\n    - 4\n  x: 1\n",
      "a:\n  # three\n  y: [2]\n  x: 1\n"
    ),
    ("- a:\n    z: 3\n  b: 4\n", "- a: {x: 1, y: [2]}\n  b: 4\n"),
    ("a:\n  z: 3\n  y: [2]\n", "a:\n  x: 1\n  y: [2]\n"),
    ("a:\n  z: 3\n  y: 2\n", "a:\n  x: 1\n  y: [2]\n"),
  ])
  func `a mapping gets its members, and the rest stays`(text: String, expected: String) {
    let position = Position(line: 1, column: text.hasPrefix("-") ? 3 : 1)
    let edit = DocumentEdit.mapping(
      keyAt: position, members: [(key: "x", value: "1"), (key: "y", value: "[2]")])

    #expect(Self.edited(text, [edit]) == expected)
    #expect(Self.edited(expected, [edit]) == expected)
  }

  @Test(arguments: [
    ("a:\n  - 1  # one\n# end\nb: 2\n", "a:\n  - 1  # one\n  - x: 3\n# end\nb: 2\n"),
    ("a: [{b: 1}]\n", "a: [{b: 1}, {x: 3}]\n"),
    ("b: [1]\n", "refused"),
  ])
  func `a list gets one more element`(text: String, expected: String) {
    #expect(Self.edited(text, [.element(ofList: "a", "x: 3")]) == expected)
  }

  @Test func `what is not there is refused`() {
    let edit = DocumentEdit.mapping(keyAt: Position(line: 7, column: 1), members: [])

    #expect(Self.edited("a: 1\n", [edit]) == "refused")
    #expect(Self.edited("a: [\n", [edit]).hasPrefix("["))
  }
}
