import ClientInterface
import Conformance
import Document
import Foundation
import Reports
import Scenario
import Search
import TestKit
import Testing
import Tree

@Suite struct RunRecordTests {
  @Test func `a record comes out of another process as it went in`() throws {
    for record in try Records.all() {
      let transfer = record.transfer
      let again = try #require(RunRecord(transfer: try JSON(parsing: transfer.text)))

      #expect(again.transfer.text == transfer.text)
      #expect(again.knownStatus == .unlisted)
    }
  }

  @Test func `a record of several implementations says which of them played which client`() throws {
    let scenario = try Kit.scenario(Kit.refill)
    var report = TextReport(rules: RuleBook(files: []))
    let alone = RunRecord(Kit.run(scenario, client: "no-refill"), report)
    report.implementation = { $0 == "bob" ? "old 1.2" : "new 2.0" }
    let records = ["firebase", "wilddog-2"].compactMap { Profile(named: $0) }.map {
      RunRecord(Kit.run(scenario, in: $0, client: "no-refill"), report)
    }
    let line = "\n  played by alice: new 2.0, bob: old 1.2\n"

    #expect(!alone.text.contains("played by") && !alone.line.contains("players"))
    #expect(records.allSatisfy { $0.text.contains(line) })
    #expect(
      records[0].line.contains(#""players":{"alice":"new 2.0","bob":"old 1.2"}"#))
    // The second one is explained by the first.
    let xml = JUnitReport.text(of: records, Records.header)
    #expect(xml.components(separatedBy: line).count == 3 && xml.contains("explained at"))
  }

  @Test func `what is no record is none`() throws {
    let members = try #require(try Records.record("a/b", .pass).transfer.members)
    let needed = members.filter {
      ![
        "brokenRule", "cause", "causes", "cited", "details", "reason", "repeated", "rule", "runs",
        "seeds",
        "signature", "steps",
      ].contains($0.name)
    }
    for member in needed {
      let rest = members.filter { $0.name != member.name }
      #expect(RunRecord(transfer: .object(rest)) == nil, "\(member.name)")
    }
  }

  @Test func `what stands in the list is added to the line for programs`() throws {
    let records = try Records.all()
    let known = try JSON(parsing: records[4].line)

    #expect(known["known"]?["standing"] == "known")
    #expect(known["known"]?["until"] == "2026-12-31")
    #expect(try JSON(parsing: records[0].line)["known"] == nil)
  }

  @Test func `what went the same way in several profiles is told once`() throws {
    let records = [
      try Records.record("a/b", .fail, text: "FAIL  x\n", commands: ["a"]),
      try Records.record("a/b", .fail, in: "wilddog-2", text: "FAIL  x\n", commands: ["b"]),
    ]

    #expect(
      RunRecord.text(of: records) == "FAIL  x\n\n  replay  a\n  also in wilddog-2\n\n")
  }

  @Test func `a cause is explained once, and findings about the list are all reported`() throws {
    func record(_ scenario: String, _ signature: String, _ cause: String) throws -> RunRecord {
      try Records.record(
        scenario, .fail, sentence: "s", text: "FAIL  \(scenario)\n", signature: signature,
        cause: cause)
    }
    let moved = "missing-event child_moved"
    var different = try record("a/d", "\(moved) listener bounded", moved)
    different.knownStatus = .different(
      try Records.entry("a/d"), signature: "\(moved) listener bounded", rule: nil)
    let text = RunRecord.text(explaining: [
      try record("a/b", "\(moved) listener", moved),
      try record("a/c", "other-event child_moved by value", moved), different,
      try record("a/e", "inv-39 set", "inv-39"),
    ])

    #expect(text.hasPrefix("FAIL  a/b\n\nDIFFERENT  a/d  firebase\n"), "\(text)")
    #expect(text.hasSuffix("\n\nFAIL  a/e\n\n"), "\(text)")
    #expect(!text.contains("a/c"))
  }

  @Test func `the simplest scenario of a cause explains it, whenever it was run`() throws {
    var long = try Records.record("a/b", .fail, text: "FAIL  a/b\n", cause: "inv-39")
    var short = try Records.record("a/c", .fail, text: "FAIL  a/c\n", cause: "inv-39")
    (long.steps, short.steps) = (9, 3)

    #expect(RunRecord.text(explaining: [long, short]) == "FAIL  a/c\n\n")
  }

  @Test func `a failure is explained although advice of the same cause is simpler`() throws {
    var failed = try Records.record("a/b", .fail, text: "FAIL  a/b\n", cause: "inv-39")
    var advised = try Records.record("a/c", .advice, text: "ADVICE  a/c\n", cause: "inv-39")
    (failed.steps, advised.steps) = (9, 3)

    #expect(RunRecord.text(explaining: [advised, failed]) == "FAIL  a/b\n\n")
    #expect(RunRecord.text(explaining: [advised]) == "ADVICE  a/c\n\n")
  }

  @Test func `failures are put down to the cause that explains most of them`() throws {
    var records = try ["child_added", "child_removed", "value"].map {
      try Records.record("a/\($0)", .fail, cause: "missing-event \($0)")
    }
    for index in records.indices {
      records[index].possibleCauses.append("missing event on refusal")
    }
    records.append(try Records.record("a/b", .fail, cause: "inv-39"))

    let refusal = "missing event on refusal"
    #expect(
      RunRecord.grouped(records).map(\.failureCause) == [refusal, refusal, refusal, "inv-39"])
  }

  @Test func `a report names the rule that all failures of its cause speak for`() throws {
    var records = try ["a", "b"].map {
      try Records.record("a/\($0)", .fail, text: "FAIL  \($0)\n", cause: "missing event on refusal")
    }
    for index in records.indices { records[index].cited = ["WRT-14"] }

    let grouped = RunRecord.grouped(records)
    #expect(grouped.map(\.likelyRule) == ["WRT-14", "WRT-14"])
    #expect(grouped[0].text == "FAIL  a   likely rule WRT-14\n\n  likely rule WRT-14\n")
    #expect(grouped[0].object["likelyRule"]?.string == "WRT-14")
    #expect(grouped[0].rule == "LIM-7" && records[0].object["likelyRule"] == nil)
    let explained = RunRecord.grouped(records, try Kit.projectRules())[0]
    #expect(explained.text.contains("\n  likely rule WRT-14: "))
    #expect(RunRecord(transfer: explained.transfer)?.report == explained.report)
    // What a report says already is not said again.
    let alone = try Records.record("a/c", .fail, text: "FAIL\n")
    #expect(RunRecord.grouped([alone])[0].text == "FAIL\n")
  }

  @Test(arguments: [Verdict.hang, .crash, .brokenProtocol])
  func `what is wrong with an adapter is about no rule`(verdict: Verdict) throws {
    let sentence = "it did not answer for 1 s; " + String(repeating: "expected a line ", count: 9)
    var records = try ["a/b", "a/c"].map { id in
      try Records.record(id, verdict, sentence: sentence, cause: verdict.rawValue)
    }
    for index in records.indices { records[index].cited = ["WRT-14"] }
    let grouped = RunRecord.grouped(records)
    let text = Summary(of: grouped, seeds: 0...0).text()

    #expect(grouped.allSatisfy { $0.likelyRule == nil })
    #expect(!text.contains("likely rule"))
    #expect(text.contains("a/c  firebase  it did not answer for 1 s\n"), "\(text)")
  }

  @Test func `all reports name the rule that a run breaks, and lists the one that it cites`() throws
  {
    let scenario = try Kit.scenario(
      """
      clients: [alice]
      steps:
        - alice.set: {path: doc, value: 2, as: w}
        - expect: {alice.w: {ok: true}}
      """, rules: "WRT-1, WRT-10")
    var report = TextReport(rules: try Kit.projectRules())
    let result = Kit.run(scenario, client: "nothing-ends")
    report.reference = { Kit.reference("", $0) }
    let record = RunRecord(result, report)
    let failing = FailingSetup(
      Kit.runner(client: "nothing-ends"), reference: Kit.runner(), profile: result.profile)
    let explanation = try #require(failing.story(of: scenario))

    #expect(record.text.contains("   rule WRT-10\n") && record.text.contains("\n  rule WRT-10: "))
    for text in [
      JUnitReport.text(of: [record], Records.header),
      MarkdownReport.text(of: [record], Records.header), Annotations.text(of: [record]) { $0 },
      report.text(of: result), WhyReport(report).text(of: explanation),
    ] {
      #expect(text.contains("WRT-10") && !text.contains("WRT-1 ") && !text.contains("WRT-1:"))
    }
    #expect(record.line.contains(#""rules":["WRT-10","WRT-1"]"#))
    #expect(record.rule == "WRT-1")
  }

  @Test func `groups of known failures are compared with their issues`() throws {
    var records = try ["inv-39", "inv-39", "inv-7"].map {
      try Records.record("a/b", .fail, cause: $0)
    }
    for index in records.indices { records[index].knownStatus = .known(try Records.entry("a/b")) }
    records.append(try Records.record("a/c", .fail, cause: "inv-39"))

    let quality = RunRecord.groupQuality(of: records)
    #expect((quality.failures, quality.groups, quality.causes) == (3, 2, 1))
    #expect(quality.purity == 1 && quality.completeness == 2.0 / 3)
  }

  @Test func `a summary lists failures by cause, with the profiles of each scenario`() throws {
    var records = try (1...14).flatMap { number in
      try ["wilddog-2", "firebase"].map {
        try Records.record(
          "a/s\(number)", .fail, in: $0, sentence: "s",
          signature: "missing-event child_moved listener", cause: "missing-event child_moved")
      }
    }
    records.append(
      try Records.record(
        "b/x", .fail, sentence: "t", signature: "inv-39 set", cause: "inv-39"))
    let text = Summary(of: records, seeds: 0...0).text()

    #expect(
      text.contains(
        """

        missing-event child_moved   28 runs of 14 scenarios   likely rule LIM-7
          FAIL  a/s1   wilddog-2, firebase  s

        """))
    #expect(
      text.contains(
        """
          FAIL  a/s12  wilddog-2, firebase  s
          ... and 2 more (--all)

        inv-39   1 run   likely rule LIM-7
          FAIL  b/x  firebase  t

        0 passed, 29 failed, 0 skipped

        """), "\(text)")
    #expect(!Summary(of: records, listsAll: true, seeds: 0...0).text().contains("(--all)"))
  }
}
