import Document
import Testing

@Suite struct TruncationTests {
  @Test func `a short text stays as it is`() {
    #expect(Truncation.middle(of: "abc", to: 3) == "abc")
  }

  @Test func `a long text loses its middle`() {
    #expect(Truncation.middle(of: "0123456789abcdef", to: 11) == "0123...cdef")
  }

  @Test func `of two long texts the difference stays visible`() {
    let common = String(repeating: "x", count: 40)
    let pair = Truncation.middle(of: "\(common)A\(common)", "\(common)B\(common)", to: 33)

    #expect(pair.0 == "...xxxxxxxxxxxxxAxxxxxxxxxxxxx...")
    #expect(pair.1 == "...xxxxxxxxxxxxxBxxxxxxxxxxxxx...")
  }

  @Test func `a difference at the end keeps the end`() {
    let common = String(repeating: "x", count: 60)
    let pair = Truncation.middle(of: common + "{1}", common + "{2}", to: 20)

    #expect(pair.0 == "...xxxxxxxxxxx{1}")
    #expect(pair.1 == "...xxxxxxxxxxx{2}")
  }

  @Test func `a difference that is itself too long is cut as well`() {
    let pair = Truncation.middle(
      of: String(repeating: "a", count: 90), String(repeating: "b", count: 10), to: 21)

    #expect(pair.0 == "aaaaaaaaaaaaaaaaaa...")
    #expect(pair.1 == "bbbbbbbbbb")
  }

  @Test func `of a long difference the beginning stays visible`() {
    let common = String(repeating: "x", count: 40)
    let pair = Truncation.middle(
      of: common + "1" + String(repeating: "a", count: 40) + common,
      common + "2" + String(repeating: "b", count: 40) + common, to: 24)

    #expect(pair.0 == "...xxxxxxxxxxxx1aaaaa...")
    #expect(pair.1 == "...xxxxxxxxxxxx2bbbbb...")
  }

  @Test(arguments: [
    (30, "it stopped for 1 s; say idle"), (25, "it stopped for 1 s"), (18, "it stopped for 1 s"),
    (11, "it s... 1 s"),
  ])
  func `what to do about a mistake is left out before what it is`(width: Int, kept: String) {
    #expect(Truncation.clauses(of: "it stopped for 1 s; say idle", to: width) == kept)
  }

  @Test func `lines that differ are cut as pairs`() {
    let common = String(repeating: "x", count: 40)
    let lines = Truncation.middle(
      ofLines: [common, common + "1" + common, common + "2" + common], first: [1], second: [2],
      to: 21)

    #expect(lines == ["xxxxxxxxx...xxxxxxxxx", "...xxxxxxxxxxxx1xx...", "...xxxxxxxxxxxx2xx..."])
  }

  @Test func `lines break at blanks`() {
    #expect(
      "one two three fourteen".wrapped(to: 9) == ["one two", "three", "fourteen"])
    #expect("a fourteen".wrapped(to: 7) == ["a", "fo...en"])
  }

  @Test func `what is not ASCII is escaped`() {
    #expect(ascii("caf\u{E9} \u{1F600}\n") == #"caf\u00e9 \ud83d\ude00\u000a"#)
  }

  @Test(
    arguments: [
      ("a\u{1B}[31mb", .plain, #"a\u{1b}[31mb"#), ("a\u{1B}[31mb", .colour, "a\u{1B}[31mb"),
      ("\u{1B}]0;title\u{7}\u{1B}[2J", .colour, #"\u{1b}]0;title\u{7}\u{1b}[2J"#),
      ("a\tb\nc\r\u{9B}31m\u{A0}", .colour, "a\tb\nc\\u{d}\\u{9b}31m\u{A0}"),
    ] as [(String, Palette, String)])
  func `a terminal is given no control characters of others`(
    text: String, palette: Palette, expected: String
  ) {
    #expect(harmless(text, palette) == expected)
  }

  @Test func `columns are as wide as their widest cell`() {
    let table = TextTable(
      [["1 ms", "alice", "set"], ["310 ms", "bob -> server", ""]], right: [0])

    #expect(table.lines == ["  1 ms  alice          set", "310 ms  bob -> server"])
  }
}
