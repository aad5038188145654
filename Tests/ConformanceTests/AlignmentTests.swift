import Testing

@testable import Scenario

@Suite struct AlignmentTests {
  private func rows(_ expected: String, _ observed: String) -> String {
    let (e, o) = (Array(expected), Array(observed))
    return Alignment(expected: e.count, observed: o.count) { e[$0] == o[$1] }.rows.map { row in
      row.observed.map { (row.isSame ? "" : "+") + "\(o[$0])" }
        ?? row.expected.map { "-\(e[$0])" } ?? ""
    }.joined()
  }

  @Test(arguments: [
    ("", "", ""), ("abc", "abc", "abc"), ("abc", "ac", "a-bc"), ("ac", "abc", "a+bc"),
    ("abc", "", "-a-b-c"), ("", "ab", "+a+b"), ("abc", "axc", "a-b+xc"),
    ("ab", "ba", "-ab+a"), ("abcd", "xbcy", "-a+xbc-d+y"), ("aab", "ab", "a-ab"),
  ])
  func `as much as possible agrees`(expected: String, observed: String, result: String) {
    #expect(rows(expected, observed) == result)
  }
}
