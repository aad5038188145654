import Document
import Testing
import Tree

@Suite struct YAMLValueTests {
  @Test(arguments: [
    ("a: 1\nb: [x, {c: ~}]", #"{"a":1,"b":["x",{"c":null}]}"#),
    ("- a\n- - b\n  - c\n-", #"["a",["b","c"],null]"#),
    ("plain", #""plain""#),
    ("---\na\n...\n", #""a""#),
    ("%YAML 1.2\n---\na", #""a""#),
    ("---\n", "null"),
    ("a: |\n  x\n  y\nb: >\n  x\n  y\n", #"{"a":"x\ny\n","b":"x y\n"}"#),
    ("[\"1\", '~', \"\\u00e9\\n\", 'it''s']", "[\"1\",\"~\",\"é\\n\",\"it's\"]"),
    ("b: 1\na: 2", #"{"b":1,"a":2}"#),
    ("{1: a, true: b, ~: c, 1.0: d, '': e}", #"{"1":"a","true":"b","~":"c","1.0":"d","":"e"}"#),
    ("? a\n: b", #"{"a":"b"}"#),
    ("!!str 1: !!str 2", #"{"1":"2"}"#),
    ("!!str", #""""#),
    ("'<<': 1", #"{"<<":1}"#),
    ("é: 1\ne\u{301}: 2", "{\"é\":1,\"e\u{301}\":2}"),
    ("a: [\n\tb]", #"{"a":["b"]}"#),
    ("\u{FEFF}a: 1", #"{"a":1}"#),
    ("a: 1\r\nb: 2\r\n", #"{"a":1,"b":2}"#),
  ])
  func `a document is read`(text: String, value: String) {
    let read = yaml(text)

    #expect(read.texts == [])
    #expect(read.root?.json.text == value)
  }

  @Test(arguments: [
    ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"),
    ("nULL", #""nULL""#), ("true", "true"), ("True", "true"), ("TRUE", "true"),
    ("false", "false"), ("False", "false"), ("FALSE", "false"), ("tRUE", #""tRUE""#),
    ("yes", #""yes""#), ("no", #""no""#), ("on", #""on""#), ("off", #""off""#), ("y", #""y""#),
    ("0", "0"), ("-0", "-0"), ("12", "12"), ("+12", "12"), ("-12", "-12"), ("017", "17"),
    ("1_000", #""1_000""#), ("1,000", #""1,000""#), ("12e3", "12000"), ("1.5", "1.5"),
    (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5"), ("5.e1", "50"), ("1E-2", "0.01"),
    ("1e+2", "100"), ("1e", #""1e""#), ("e1", #""e1""#), (".e1", #"".e1""#), (".", #"".""#),
    ("-", #""-""#), ("+", #""+""#), ("1.2.3", #""1.2.3""#), ("--1", #""--1""#),
    ("0x1F", "31"), ("0xff", "255"), ("0X1F", #""0X1F""#), ("0x", #""0x""#),
    ("0x1G", #""0x1G""#), ("-0x1", #""-0x1""#), ("0o17", "15"), ("0o8", #""0o8""#),
    ("0o", #""0o""#), ("0b1", #""0b1""#), ("0xffffffffffffffff", "18446744073709552000"),
    ("123456789012345678901234567890", "1.2345678901234568e+29"), ("1e-400", "0"),
    ("2001-01-01", #""2001-01-01""#), ("12:30", #""12:30""#), ("١", #""١""#),
    ("infinity", #""infinity""#), ("nan", #""nan""#), ("inf", #""inf""#),
    (".infinity", #"".infinity""#), ("50ms", #""50ms""#),
  ])
  func `a plain scalar follows the core schema`(text: String, value: String) {
    let read = yaml("a: " + (text == "-" || text == "+" ? "[\(text)]" : text))

    #expect(read.texts == [])
    let content = read.root?["a"]?.json
    #expect((content?.elements?.first ?? content)?.text == value)
  }

  @Test func `places are counted in lines and scalars from one`() {
    let read = yaml("é😀: 1\nlist:\n  - [x, {k: v}]\n  - |\n    text\nempty:\n'q': \"r\"")

    #expect(
      read.root?.outline == """
        1:1 {1:1 é😀: 1:5 1, 2:1 list: 3:3 [3:5 [3:6 "x", 3:9 {3:10 k: 3:13 "v"}], 4:5 "text\\n"], \
        6:1 empty: 6:7 null, 7:1 q: 7:6 "r"}
        """)
  }

  @Test func `an alias has its own location and the contents of its anchor`() {
    let read = yaml("a: &x [1]\nb: *x\n&k c: *k\nd: &x 2\ne: *x")

    #expect(read.texts == [])
    #expect(
      read.root?.outline == """
        1:1 {1:1 a: 1:4 [1:8 1], 2:1 b: 2:4 [1:8 1], 3:1 c: 3:7 "c", 4:1 d: 4:4 2, 5:1 e: 5:4 2}
        """)
  }

  @Test func `aliases may repeat a hundred thousand values`() {
    let thousand = "- &x [" + String(repeating: "1,", count: 999) + "]\n"

    #expect(yaml(thousand + String(repeating: "- *x\n", count: 100)).texts == [])
  }

  @Test func `sixty-four levels are allowed`() {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)

    #expect(yaml(deep).texts == [])
  }
}
