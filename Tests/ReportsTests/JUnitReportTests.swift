import Conformance
import Foundation
import Reports
import TestKit
import Testing

@Suite struct JUnitReportTests {
  @Test func `a report of everything there is is valid`() throws {
    let result = try Records.validity(of: JUnitReport.text(of: Records.all(), Records.header))

    #expect(result.status == 0, "\(result.messages)")
  }

  @Test func `a report of nothing is valid`() throws {
    let xml = JUnitReport.text(of: [], Records.header)

    #expect(
      xml == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n</testsuites>\n")
    #expect(try Records.validity(of: xml).status == 0)
  }

  @Test func `a run that was stopped before its first result says so`() throws {
    var header = Records.header
    header.stop = "stopped by SIGTERM; 2 runs were not made"
    let xml = JUnitReport.text(of: [], header)

    #expect(xml.contains("name=\"stopped\" value=\"stopped by SIGTERM; 2 runs were not made\""))
    #expect(try Records.validity(of: xml).status == 0)
  }

  @Test(arguments: [
    ("<testsuite name", "<testsuite nom"), (" tests=\"7\"", ""), ("<failure", "<failing"),
    ("&lt;1&gt;", "<1>"), ("16:40:00", "16:40"),
  ])
  func `the schema notices what is wrong`(good: String, bad: String) throws {
    let xml = JUnitReport.text(of: try Records.all(), Records.header)
    let corrupted = xml.replacingOccurrences(of: good, with: bad)

    #expect(corrupted != xml)
    #expect(try Records.validity(of: corrupted).status != 0)
  }

  @Test func `a suite is a profile, and its counts add up`() throws {
    let lines = JUnitReport.text(of: try Records.all(), Records.header).split(separator: "\n")

    let start = "timestamp=\"2026-11-21T16:40:00\" hostname=\"localhost\""
    let suites = lines.filter { $0.contains("<testsuite ") }.map(String.init)
    #expect(suites.count == 2)
    #expect(
      suites[0]
        == "  <testsuite name=\"firebase\" package=\"kennel\" id=\"0\" \(start) tests=\"7\" "
        + "failures=\"4\" errors=\"0\" skipped=\"2\" time=\"0.011\">")
    #expect(
      suites[1] == "  <testsuite name=\"wilddog-2\" package=\"kennel\" id=\"1\" \(start) "
        + "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.002\">")
    #expect(
      lines.contains(
        "      <property name=\"client\" value=\"node adapter.js &lt;x&gt;\"/>"))
  }

  @Test func `every outcome has its element`() throws {
    let lines = JUnitReport.text(of: try Records.all(), Records.header).split(separator: "\n")

    #expect(
      lines.contains(
        "    <testcase name=\"writes/good\" classname=\"firebase.writes\" time=\"0.002\"/>"))
    #expect(lines.contains("      <skipped message=\"alice has no auth # at all\"/>"))
    #expect(
      lines.contains(
        "      <skipped message=\"it is wrong; known failure (bug) until 2026-12-31: "
          + "https://example.org/7\"/>"))
    #expect(lines.contains { $0.hasPrefix("      <error message=\"it ended\" type=\"crash\">") })
    #expect(lines.contains { $0.contains("type=\"stale\"") && $0.contains("it passes, but") })
  }

  @Test func `what XML may not have is written out`() throws {
    let xml = JUnitReport.text(of: try Records.all(), Records.header)

    #expect(xml.contains("a &amp; b &lt; c &gt; d &quot;e&quot; 'f' \\ #"))
    #expect(xml.contains("\\u001b[31m \\u0000 &#13;&#10;&#9;tab \u{e9}\u{65e5}\u{1F600} ]]&gt;"))
    #expect(xml.contains("\\ufffe"))
    #expect(!xml.unicodeScalars.contains("\u{1B}"))
  }
}
