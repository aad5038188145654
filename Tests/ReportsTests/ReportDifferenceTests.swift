import Document
import Reports
import TestKit
import Testing

@Suite struct ReportDifferenceTests {
  private func file(_ runs: [String]) throws -> ReportFile {
    let lines = runs.map { run in
      let parts = run.split(separator: " ").map(String.init)
      let known = parts.count > 3 ? ",\"known\":{\"standing\":\"\(parts[3])\"}" : ""
      let signature = parts.count > 2 && parts[2] != "-" ? "\"\(parts[2])\"" : "null"
      return "{\"scenario\":\"\(parts[0])\",\"profile\":\"firebase\",\"verdict\":\"\(parts[1])\","
        + "\"signature\":\(signature)\(known)}\n"
    }
    let summary = "{\"summary\":{\"passed\":1,\"failed\":0,\"skipped\":0}}\n"
    return try ReportFile(lines.joined() + summary, file: "r.jsonl")
  }

  private func difference(_ old: [String], _ new: [String]) throws -> ReportDifference {
    ReportDifference(from: try file(old), to: try file(new))
  }

  private let older = [
    "a/same pass", "a/worse pass", "a/better fail gap", "a/other fail gap", "a/gone pass",
    "a/lost pass", "a/skip unsupported", "a/still fail gap", "a/unsupported fail gap",
  ]

  private let newer = [
    "a/same pass", "a/worse crash crash", "a/better pass", "a/other fail inv-7", "a/new pass",
    "a/lost unsupported", "a/skip unsupported", "a/still fail gap", "a/unsupported unsupported",
    "a/bad fail gap",
  ]

  @Test func `everything that changed is told by its kind`() throws {
    let difference = try difference(older, newer)

    #expect(difference.isRed)
    #expect(
      difference.text() == """
        Regressions: 1
          a/worse  firebase  pass -> crash

        Fixes: 1
          a/better  firebase  gap -> pass

        Fail in another way: 1
          a/other  firebase  gap -> inv-7

        Not judged any more: 2
          a/lost         firebase  pass -> unsupported
          a/unsupported  firebase  gap -> unsupported

        New: 2
          a/new  firebase  pass
          a/bad  firebase  gap

        Gone: 1
          a/gone  firebase  pass

        1 regression, 1 fix, 1 different, 0 new advice, 2 not judged any more, 2 new, 1 gone

        """)
    #expect(
      difference.json.hasPrefix(
        "{\"regression\":[{\"scenario\":\"a/worse\",\"profile\":\"firebase\",\"old\":\"pass\","
          + "\"new\":\"crash\",\"red\":true}],\"fix\":["))
    #expect(difference.markdown.hasPrefix("### Kennel: 1 regression, 1 fix, 1 different, "))
    #expect(
      difference.markdown.contains(
        "| Regressions | Profile | |\n|---|---|---|\n| <code>a/worse</code> | firebase "
          + "| pass -&gt; crash |\n"))
  }

  @Test(arguments: [
    (["x pass"], ["x pass"], false), (["x pass"], ["x fail s"], true),
    (["x pass"], ["x fail s known"], false), (["x fail s known"], ["x fail t different"], true),
    (["x fail s"], ["x pass"], false), (["x pass"], [], false), ([], ["x pass"], false),
    ([], ["x fail s"], true), ([], ["x fail s known"], false),
    (["x pass"], ["x unsupported"], false),
    (["x fail s"], ["x fail s"], false),
  ])
  func `red is what fails, did not fail so, and is not known`(
    old: [String], new: [String], isRed: Bool
  ) throws {
    #expect(try difference(old, new).isRed == isRed)
  }

  @Test func `of several runs the first that fails counts`() throws {
    let difference = try difference(["x pass"], ["x pass", "x fail s", "x fail t"])

    #expect(difference.changes(.regression).map(\.new) == ["s"])
  }

  @Test(arguments: [
    ("", "r: the report has no summary; expected one in the last line; was the run cut off?"),
    (
      "{\"scenario\":\"a\",\"profile\":\"firebase\",\"verdict\":\"pass\"}\n",
      "r: the report has no summary; expected one in the last line; was the run cut off?"
    ),
    ("{\"a\":1}", "r:1: this is no line of a report; expected what 'kennel run --jsonl' writes"),
    (
      "{\"scenario\":\"a\",\"profile\":\"p\",\"verdict\":\"passed\"}",
      "r:1:41: unknown verdict \"passed\"; did you mean pass?"
    ),
    ("{\"summary\":{}}", "r:1: the summary has no counts"),
    (
      "{\"summary\":{\"passed\":1,\"failed\":0,\"skipped\":0}}\n{}",
      "r:2: found a line behind the summary; expected one report"
    ),
    (
      "\nx",
      "r:2:1: \"x\" is no JSON value; expected true, false, null, a number or a string; put a "
        + "string in double quotes"
    ),
  ])
  func `what is no report is told with its line`(text: String, message: String) {
    let error = #expect(throws: SourceError.self) { try ReportFile(text, file: "r") }

    #expect(error?.description == message)
  }
}

@Suite struct BadgeTests {
  private func badge(
    passed: Int, failed: Int, known: Int = 0, label: String = "kennel"
  ) throws -> Badge {
    let text =
      "{\"summary\":{\"passed\":\(passed),\"failed\":\(failed),\"skipped\":0,"
      + "\"known\":\(known)}}"
    return Badge(of: try ReportFile(text, file: "r"), label: label)
  }

  @Test(arguments: [
    (5, 0, 0, "5 passed", "brightgreen"), (5, 0, 2, "5 passed, 2 known", "yellow"),
    (5, 1, 2, "1 of 8 failing", "red"), (0, 0, 0, "nothing judged", "lightgrey"),
  ])
  func `the message and its colour say what the run came to`(
    passed: Int, failed: Int, known: Int, message: String, colour: String
  ) throws {
    let badge = try badge(passed: passed, failed: failed, known: known)

    #expect(
      badge.json == "{\"schemaVersion\":1,\"label\":\"kennel\",\"message\":\"\(message)\","
        + "\"color\":\"\(colour)\",\"isError\":\(colour == "red")}\n")
    #expect(badge.svg.contains("<title>kennel: \(message)</title>"))
  }

  @Test func `the picture is well-formed whatever its label is`() throws {
    let badge = try badge(passed: 1, failed: 0, label: "<k> & \"\u{1}\u{e9}")
    let result = try Records.run("xmllint", ["--noout", "--nonet"], on: badge.svg)

    #expect(result.status == 0, "\(result.messages)\(badge.svg)")
    #expect(badge.svg.contains("<title>&lt;k&gt; &amp; \"\\u0001\u{e9}: 1 passed</title>"))
    #expect(badge.svg.contains("aria-label=\"&lt;k&gt; &amp; &quot;\\u0001\u{e9}: 1 passed\""))
  }
}
