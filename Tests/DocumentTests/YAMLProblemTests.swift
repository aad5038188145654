import Document
import Testing
import Tree

private func twice(_ key: String, _ first: String) -> String {
  "key \"\(key)\" occurs twice, first at \(first); expected each key once; "
    + "remove or rename one of the two"
}

private func infinite(_ text: String) -> String {
  "\"\(text)\" is too large or no number; numbers must be finite; "
    + "write a finite one, or a string in quotes"
}

private func unsupported(_ tag: String) -> String {
  "the tag \"\(tag)\" is not supported here; expected none, or !!str before a scalar; remove it"
}

private func unknown(_ name: String) -> String {
  "nothing before this location has the anchor &\(name); expected the name of an anchor; "
    + "define it earlier, or put the text in quotes"
}

private let key =
  "this key is a list, a mapping or an alias; expected a word or a string; write the key out"
private let merge =
  "the merge key << is not supported; expected an ordinary key; "
  + "use include:, or quote it to mean the text"
private let bomb =
  "aliases repeat more than 100000 values; expected fewer; write a smaller document"
private let deep =
  "this is nested deeper than 64 levels; expected at most 64 lists and mappings inside each "
  + "other; make it flatter"
private let nul = "the key contains the character U+0000; expected a key without it; rename the key"

@Suite struct YAMLProblemTests {
  @Test(arguments: [
    ("a: 1\na: 2\nb: 3\na: 4", ["2:1: \(twice("a", "1:1"))", "4:1: \(twice("a", "1:1"))"]),
    ("{1: a, '1': b}", ["1:8: \(twice("1", "1:2"))"]),
    ("? [a]\n: b\n? {}\n: c\n", ["1:3: \(key)", "3:3: \(key)"]),
    ("a: &x b\n*x : c", ["2:1: \(key)"]),
    ("a: &x {b: 1}\nc:\n  <<: *x\n", ["3:3: \(merge)"]),
    ("\"a\\0\": 1", ["1:1: \(nul)"]),
    ("!!int 1", ["1:1: \(unsupported("!!int"))"]),
    ("a: !!map {}\nb: !x 1", ["1:4: \(unsupported("!!map"))", "2:4: \(unsupported("!x"))"]),
    ("a: !!str []", ["1:4: \(unsupported("!!str"))"]),
    ("a: ! b", ["1:4: \(unsupported("!"))"]),
    ("a: *x\nb: *y", ["1:4: \(unknown("x"))", "2:4: \(unknown("y"))"]),
    (
      "a: &x [*x]",
      [
        "1:8: the alias *x stands inside the value that it repeats; expected a finished value; "
          + "write the value out"
      ]
    ),
    (
      "[.inf, -.INF, .NaN, 1e400, -1e400]",
      [
        "1:2: \(infinite(".inf"))", "1:8: \(infinite("-.INF"))", "1:15: \(infinite(".NaN"))",
        "1:21: \(infinite("1e400"))", "1:28: \(infinite("-1e400"))",
      ]
    ),
    (
      "a: 1\n---\nb: 1",
      [
        "2:1: a second document begins here; expected one document; move it to a text of its own"
      ]
    ),
  ])
  func `every mistake is told and the rest is read`(text: String, problems: [String]) {
    #expect(yaml(text).texts == problems)
    #expect(yaml(text).root != nil)
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
