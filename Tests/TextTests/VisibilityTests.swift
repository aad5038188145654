import Document
import Testing

@Suite struct VisibilityTests {
  @Test func `what is not seen is written as an escape`() {
    #expect(visible("a\u{202E}b\u{AD}\n") == "a\\u{202e}b\\u{ad}\\u{a}")
    #expect(visibleLines("a\u{1}\nb") == "a\\u{1}\nb")
    #expect(printable("a\tb\u{202E}") == "a\\u{9}b\u{202E}")
    #expect(singleLine("a\nb\u{7F}") == "a b ")
  }

  @Test func `a quoted text is on one line and not too long`() {
    #expect(quoted("a\"b\n", upTo: 10) == "\"a\\\"b\\u000A\"")
    #expect(quoted("abcdef", upTo: 3) == "\"abc…\"")
  }

  @Test func `a wide character takes two columns`() {
    #expect(DisplayWidth.of("a\u{4E2D}") == 3)
    #expect(DisplayWidth.truncated("0123456789", to: 8) == "012...89")
  }

  @Test func `what is left out can be counted`() {
    #expect(Truncation.countedMiddle(of: "0123456789", retention: 6) == "0123 ... 4 more ... 89")
    #expect(Truncation.end(of: "abcdef", to: 3) == "abc...")
    #expect(Truncation.middle(of: "0123456789", toBytes: 4) == "01...89")
  }

  @Test func `numbers in hexadecimal have leading zeros`() {
    #expect(hexadecimal(0xAB, digits: 4) == "00ab")
    #expect(hexadecimal(0xAB, digits: 2, .upper) == "AB")
  }
}
