import Conformance
import Document
import Reports
import Scenario
import TestKit
import Testing
import Trace
import Tree

@testable import WebPages

/// The page about the runs of one implementation or several.
@Suite struct ReportPageTests {
  private static func line(
    _ scenario: String, _ profile: String, _ verdict: String, _ rest: String = ""
  ) -> String {
    #"{"scenario":"\#(scenario)","title":"A title","profile":"\#(profile)","verdict":"\#(verdict)""#
      + rest + "}\n"
  }

  private static let summary = #"{"summary":{"passed":1,"failed":1,"skipped":0}}"# + "\n"

  @Test func `reports stand side by side, scenario by scenario`() throws {
    let ours = try ReportColumn(
      name: "ours",
      Self.line("a/x", "firebase", "pass") + Self.line("a/y", "firebase", "fail") + Self.summary,
      file: "ours.jsonl")
    let theirs = try ReportColumn(
      name: "theirs", Self.line("a/y", "firebase", "pass") + Self.line("a/z", "firebase", "crash"),
      file: "theirs.jsonl")

    let data = try embeddedData(of: ReportPage([ours, theirs]).html)
    let scenarios = (data["scenarios"]?.elements ?? []).map { scenario in
      let runs = (scenario["runs"]?.elements ?? []).map { runs in
        (runs.elements ?? []).map { $0["outcome"]?.string ?? "" }.joined(separator: " ")
      }
      return "\(scenario["id"]?.string ?? ""): \(runs.joined(separator: " | "))"
    }

    #expect(data["columns"]?.text == #"["ours","theirs"]"#)
    #expect(scenarios == ["a/x: passed | ", "a/y: failed | passed", "a/z:  | failed"])
  }

  @Test func `a comparison has the origin of each report, and families of rules`() throws {
    let summary =
      #"{"summary":{"kit":"0.1.0","introduction":"ours 2.1","start":"2026-11-27T10:00:00"}}"# + "\n"
    let run = Self.line(
      "a/x", "firebase", "fail", #","rules":["LIM-7","EVT-1"],"divergences":[{"rules":["LIM-7"]}]"#)
    let ours = try ReportColumn(name: "ours", run + summary, file: "ours.jsonl")
    let theirs = try ReportColumn(
      name: "theirs", Self.line("a/x", "firebase", "pass") + Self.summary, file: "theirs.jsonl")

    let both = ReportPage([ours, theirs]).html
    let data = try embeddedData(of: both)

    #expect(data["origins"]?.text == #"[["ours 2.1","kennel 0.1.0","2026-11-27"],[]]"#)
    #expect(data["scenarios"]?.elements?.first?["families"]?.text == #"["EVT","LIM"]"#)
    #expect(data["families"]?.text == #"{"EVT":"Events","LIM":"Limits"}"#)
    #expect(both.contains("<title>ours and theirs compared - Kennel</title>"))
    #expect(both.contains(">ours and theirs compared</h1>"))
  }

  @Test func `a comparison has a badge of each, and no folders of a machine`() throws {
    let rest =
      #","known":{"standing":"known","file":"/home/me/known.yaml"},"divergences":[{"file":"/home/me/Scenarios/a/y.yaml"}]"#
    let ours = try ReportColumn(
      name: "ours",
      Self.line("a/x", "firebase", "pass") + Self.line("a/y", "firebase", "fail", rest),
      file: "ours.jsonl")
    let theirs = try ReportColumn(
      name: "<b>", Self.line("a/x", "firebase", "fail"), file: "b.jsonl")

    let page = ReportPage([ours, theirs]).html
    let badges = try #require(embeddedData(of: page)["badges"]?.elements).compactMap(\.string)

    #expect(badges.count == 2)
    #expect(badges[0].contains("<title>ours: 1 passed, 1 known</title>"))
    #expect(badges[1].contains("<title>&lt;b&gt;: 1 of 1 failing</title>"))
    #expect(
      page.contains(#""file":"known.yaml""#) && page.contains(#""file":"Scenarios/a/y.yaml""#))
    #expect(!page.contains("/home/me"))
    #expect(try embeddedData(of: ReportPage([ours]).html)["badges"]?.elements == [])
  }

  @Test(arguments: [
    ("pass", "", "passed"), ("unsupported", "", "skipped"), ("hang", "", "failed"),
    ("fail", #","known":{"standing":"known"}"#, "known"),
    ("pass", #","known":{"standing":"stale"}"#, "failed"),
    ("fail", #","known":{"standing":"expired"}"#, "failed"),
  ])
  func `a run counts as it does elsewhere`(verdict: String, rest: String, outcome: String) throws {
    let json = try JSON(parsing: Array(Self.line("a", "firebase", verdict, rest).utf8))

    #expect(ReportPage.outcome(of: json) == outcome)
  }

  @Test(arguments: [
    ("{\n", "r.jsonl:1:"),
    (
      "{}\n",
      "r.jsonl:1: this is no line of a report; expected what 'kennel run --jsonl' writes"
    ),
    (
      line("a", "firebase", "fine"),
      "r.jsonl:1:66: unknown verdict \"fine\"; expected pass, advice, fail, "
    ),
    (summary, "r.jsonl: the report has no runs"),
  ])
  func `what is no report is refused with its place`(text: String, message: String) {
    let error = #expect(throws: SourceError.self) {
      try ReportColumn(name: "r", text, file: "r.jsonl")
    }

    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func `a run is shown with its steps, events, frames and picture`() throws {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - alice.set: {path: n, value: "</script><b>", as: w}
        - expect: {alice.w: {ok: true}}
      """, title: "A write is <b>acknowledged</b>")
    let result = Kit.run(scenario)
    var record = RunRecord(result, TextReport(rules: RuleBook(files: [])))
    record.details = RunDetails(of: result).json

    let html = ReportPage([ReportColumn(name: "reference", [record])]).html
    let run = try embeddedData(of: html)["scenarios"]?.elements?.first?["runs"]?.elements?.first?
      .elements?
      .first
    let details = try #require(run?["details"])

    #expect(details["steps"]?.elements?.count == 2)
    #expect(details["events"]?.elements?.count == result.trace.count)
    #expect(details["events"]?.elements?.contains { $0.elements?.count == 5 } == true)
    #expect(details["picture"]?.string?.hasPrefix("<svg ") == true)
    #expect(details["picture"]?.string?.contains("<style") == false)
    #expect(html.ranges(of: "</script>").count == 3)
    #expect(!html.contains("<b>"))
  }

  @Test func `thousands of failures fit into a megabyte, each with its sentence`() throws {
    let rest =
      #","signature":"missing-event value","text":"\#(String(repeating: "x", count: 900))","#
      + #""divergences":[{"sentence":"nothing came","rows":["\#(String(repeating: "y", count: 300))"]}]"#
    let lines = (1...2000).map { Self.line("a/s\($0)", "firebase", "fail", rest) }
    let column = try ReportColumn(name: "ours", lines.joined(), file: "ours.jsonl")

    let html = ReportPage([column]).html
    let runs = (try embeddedData(of: html)["scenarios"]?.elements ?? []).compactMap {
      $0["runs"]?.elements?.first?.elements?.first
    }
    #expect(html.utf8.count < 1_000_000, "\(html.utf8.count)")
    #expect(runs.first?["text"] != nil && runs.last?["text"] == nil)
    #expect(runs.count == 2000)
    #expect(
      runs.allSatisfy {
        $0["divergences"]?.elements?.first?["sentence"]?.string == "nothing came"
      })
  }
}
