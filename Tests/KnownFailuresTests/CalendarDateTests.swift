import Reports
import Testing

@Suite struct CalendarDateTests {
  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-4-01", "26-04-01", "2026-04-1",
    "2026/04/01", "2026-04-01T00:00", "", "0000-01-01", "+026-04-01", "1900-02-29",
    "\u{661}\u{662}\u{663}\u{664}-01-01",
  ])
  func `what no calendar has is no date`(text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test(arguments: ["2026-12-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])
  func `a date is printed as it is read`(text: String) {
    #expect(CalendarDate(text)?.description == text)
  }

  @Test(arguments: [
    ("2026-11-21", "2026-11-21", 0), ("2026-11-21", "2026-12-21", 30),
    ("2026-12-31", "2027-01-01", 1), ("2024-02-28", "2024-03-01", 2),
    ("2026-03-01", "2026-02-28", -1), ("1999-12-31", "2001-01-01", 367),
  ])
  func `days are counted over months and years`(from: String, to: String, days: Int) throws {
    let from = try #require(CalendarDate(from))
    let to = try #require(CalendarDate(to))

    #expect(from.days(until: to) == days)
    #expect((from < to) == (days > 0))
  }
}
