internal import Document
internal import Tree

/// A day of the calendar, as `2026-12-31`.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year of the Gregorian calendar, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, from 1 to the length of that month.
  public let day: Int

  /// - Returns: nil for a day that no calendar has.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.length(ofMonth: month, in: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads the form in which dates are printed: four digits, two, two.
  public init?(_ text: String) {
    guard let numbers = Self.numbers(of: text) else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// Year, month and day of a text of this form, whether or not there is such a day.
  static func numbers(of text: String) -> [Int]? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isOfForm =
      parts.map(\.utf8.count) == [4, 2, 2] && parts.joined().utf8.allSatisfy(\.isDigit)
    return isOfForm ? parts.compactMap { Int($0) } : nil
  }

  public var description: String {
    func digits(_ number: Int, _ width: Int) -> String {
      padded(String(number), to: width, .right, with: "0")
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// How many days after this one another is; negative for one before it.
  public func days(until other: CalendarDate) -> Int { other.number - number }

  /// The day so many days after this one; the last one that there is where that is too late.
  public func adding(days: Int) -> CalendarDate {
    var date = self
    for _ in 0..<max(0, days) { date = date.next ?? date }
    return date
  }

  private var next: CalendarDate? {
    CalendarDate(year: year, month: month, day: day + 1)
      ?? CalendarDate(year: year, month: month + 1, day: 1)
      ?? CalendarDate(year: year + 1, month: 1, day: 1)
  }

  /// Days since the first day of year 1.
  private var number: Int {
    let before = year - 1
    let months = (1..<month).reduce(0) { $0 + Self.length(ofMonth: $1, in: year) }
    return before * 365 + before / 4 - before / 100 + before / 400 + months + day - 1
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
