import Document
import TestKit
import Testing
import Tree

private let bomb =
  "aliases repeat more than 100000 values; expected fewer; write a smaller document"
private let deep =
  "this is nested deeper than 64 levels; expected at most 64 lists and mappings inside each "
  + "other; make it flatter"

@Suite struct YAMLProblemTests {
  @Test(arguments: try Mistake.files(of: "yaml"))
  func `every mistake is told, and one in the syntax ends the reading`(mistake: Mistake) throws {
    let read = yaml(try mistake.text)

    try mistake.check(read.texts)
    #expect((read.root != nil) == mistake.file.contains("/values/"))
  }

  @Test func `of two equal keys the first is kept`() {
    #expect(yaml("a: 1\na: 2\nb: 3").root?.json.text == #"{"a":1,"b":3}"#)
  }

  @Test(arguments: ["", "\n", "# nothing\n", "\u{FEFF}"])
  func `an empty text is told`(text: String) {
    #expect(
      yaml(text).texts == ["1:1: the text is empty; expected a YAML document; write one"])
  }

  @Test func `mistakes before one in the syntax are told too`() {
    #expect(yaml("a: 1\na: 2\nb: ]").texts.map { $0.prefix(4) } == ["2:1:", "3:4:"])
  }

  @Test func `an alias bomb is refused`() {
    var text = "- &x0 [1,1,1,1,1,1,1,1,1,1]\n"
    for level in 1...9 {
      let aliases = Array(repeating: "*x\(level - 1)", count: 10).joined(separator: ",")
      text += "- &x\(level) [\(aliases)]\n"
    }

    let read = yaml(text)

    #expect(read.texts.count == 1)
    #expect(read.texts.first?.hasSuffix(": \(bomb)") == true)
    #expect(read.root == nil)
  }

  @Test func `nesting is limited with brackets, with indentation and with aliases`() {
    let brackets = String(repeating: "[", count: 100_000)
    let dashes = String(repeating: "- ", count: 65) + "a"
    let chain = "- &x0 []\n" + (1...70).map { "- &x\($0) [*x\($0 - 1)]\n" }.joined()

    #expect(yaml(brackets).texts == ["1:65: \(deep)"])
    #expect(yaml(dashes).texts == ["1:129: \(deep)"])
    #expect(yaml(chain).texts == ["64:9: \(deep)"])
  }
}
