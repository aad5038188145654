import Document
import Testing
import Tree

@Suite struct JSONTextTests {
  @Test(arguments: [
    (0.0, "0"), (1.0, "1"), (-1.0, "-1"), (5.0, "5"), (0.1, "0.1"), (1e21, "1e+21"),
    (1e20, "100000000000000000000"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"),
    (123e-20, "1.23e-18"), (.leastNonzeroMagnitude, "5e-324"),
    (2.2250738585072014e-308, "2.2250738585072014e-308"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (123456789012345680000.0, "123456789012345680000"), (1e300, "1e+300"),
    (9007199254740992.0, "9007199254740992"), (9007199254740993.0, "9007199254740992"),
    (9007199254740991.0, "9007199254740991"), (9007199254740994.0, "9007199254740994"),
    (576460752303423488.0, "576460752303423500"), (1e15, "1000000000000000"),
    (1e16, "10000000000000000"), (1e17, "100000000000000000"), (1e18, "1000000000000000000"),
    (1e19, "10000000000000000000"), (123456789.125, "123456789.125"), (-0.000001, "-0.000001"),
    (-1.25e-9, "-1.25e-9"), (100.0, "100"), (1700000000000.0, "1700000000000"), (4.35, "4.35"),
    (0.000123, "0.000123"), (12345678901234567890.0, "12345678901234567000"),
    (1.1e21, "1.1e+21"), (999999999999999900000.0, "999999999999999900000"),
    (72057594037927945.0, "72057594037927950"), (4611686018427387904.0, "4611686018427388000"),
    (9223372036854775808.0, "9223372036854776000"), (1e22, "1e+22"), (-1e21, "-1e+21"),
    (0.30000000000000004, "0.30000000000000004"), (1e2, "100"),
  ])
  func `a number is written as JavaScript writes it`(number: Double, text: String) {
    #expect(canonicalText(of: number) == text)
    #expect(Double(text) == number)
  }

  @Test func `negative zero keeps its sign, and what JSON cannot carry is null`() {
    #expect(canonicalText(of: -0.0) == "-0")
    #expect(canonicalText(of: .infinity) == "null")
    #expect(canonicalText(of: -.infinity) == "null")
    #expect(canonicalText(of: .nan) == "null")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a number reads back from its text`(seed: UInt64) throws {
    var dice = Dice(seed)
    for _ in 0..<500 {
      let number = Double(bitPattern: dice.next())
      guard number.isFinite else { continue }
      let text = canonicalText(of: number)

      #expect(Double(text) == number, "seed \(seed)")
      #expect(try JSON(parsing: text).number == number, "seed \(seed): \(text)")
    }
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b", #""a\"b""#), ("\\", #""\\""#), ("/", #""/""#),
    ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
    ("\u{0}\u{1F}", #""\u0000\u001f""#),
    ("\u{7F}é😀\u{2028}\u{FFFF}", "\"\u{7F}é😀\u{2028}\u{FFFF}\""),
    ("\r\n", #""\r\n""#),
  ])
  func `only what JSON demands is escaped`(text: String, written: String) throws {
    #expect(JSON.string(text).text == written)
    #expect(JSON.object([.init(text, .null)]).text == "{\(written):null}")
    #expect(try JSON(parsing: written) == .string(text))
  }

  @Test func `members keep their order and there are no spaces`() {
    let json: JSON = ["b": [1, .null, true, [:], []], "a": ["c": "x"]]

    #expect(json.text == #"{"b":[1,null,true,{},[]],"a":{"c":"x"}}"#)
    #expect(json.description == json.text)
  }

  @Test func `members are equal in any order and names by their bytes`() {
    let json: JSON = ["a": 1, "b": [2]]

    #expect(json == ["b": [2], "a": 1])
    #expect(json.hashValue == JSON(dictionaryLiteral: ("b", [2]), ("a", 1)).hashValue)
    #expect(json != ["a": 1])
    #expect(json != ["a": 1, "b": [2], "c": .null])
    #expect(JSON.object([.init("e\u{301}", 1)]) != .object([.init("\u{E9}", 1)]))
    #expect(JSON.string("e\u{301}") != .string("\u{E9}"))
    #expect(JSON.number(0) == .number(-0.0))
    #expect(JSON.number(1) != .bool(true))
  }

  @Test func `every kind has a name, and gives nothing where another is asked for`() {
    let all: [JSON] = [.null, true, 1, "a", [1], ["a": 1]]

    #expect(
      all.map(\.kind) == ["null", "a boolean", "a number", "a string", "a list", "a mapping"])
    #expect(all.map { $0.bool == nil } == [true, false, true, true, true, true])
    #expect(all.map { $0.number == nil } == [true, true, false, true, true, true])
    #expect(all.map { $0.string == nil } == [true, true, true, false, true, true])
    #expect(all.map { $0.elements == nil } == [true, true, true, true, false, true])
    #expect(all.map { $0.members == nil } == [true, true, true, true, true, false])
    #expect(all.map { $0["a"] == nil } == [true, true, true, true, true, false])
    #expect(JSON.number(1.5).integer == nil)
    #expect(JSON.number(1e300).integer == nil)
    #expect(JSON.number(-7).integer == -7)
  }
}
