import ClientInterface
import Testing
import Tree

/// Times that no clock can show are refused, because clocks add up without a check.
@Suite struct TimeVocabularyTests {
  private static let most = 3_153_599_999_999.0

  @Test(arguments: [9e18, 1e15, -9e18, 1e300, -1e300, 3_153_600_000_000])
  func `no interval and no moment is too long`(number: Double) {
    let interval = #expect(throws: VocabularyError.self) {
      try Interval(.number(number), called: "t")
    }
    let instant = #expect(throws: VocabularyError.self) {
      try Instant(.number(number), called: "epoch")
    }
    let text = JSON.number(number).text

    #expect(
      interval?.description
        == "\"t\" is \(text), expected milliseconds, less than 100 years of them")
    #expect(
      instant?.description
        == "\"epoch\" is \(text), expected milliseconds since 1970, of a moment from 1880 to 2060")
  }

  @Test func `what is no number is no time`() {
    let interval = #expect(throws: VocabularyError.self) { try Interval("5", called: "t") }
    let instant = #expect(throws: VocabularyError.self) { try Instant(.null, called: "now") }

    #expect(interval?.description == "\"t\" is a string, expected milliseconds")
    #expect(
      instant?.description == "\"now\" is \(JSON.null.kind), expected milliseconds since 1970")
  }

  @Test func `times are exact, and the longest add up`() throws {
    #expect(try Interval(.number(1.5), called: "t") == Interval(nanoseconds: 1_500_000))
    #expect(try Interval(.number(-1), called: "t") == .milliseconds(-1))
    #expect(
      try Instant(.number(1_480_000_000_000.25), called: "now")
        == Instant(nanoseconds: 1_480_000_000_000_250_000))

    let longest = try Interval(.number(Self.most), called: "t")
    let latest = try Instant(.number(2_899_999_999_999), called: "epoch")
    let earliest = try Instant(.number(-2_899_999_999_999), called: "epoch")
    #expect(latest + longest + longest > latest)
    #expect(latest - earliest + longest > longest)
  }
}
