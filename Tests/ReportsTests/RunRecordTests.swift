import Conformance
import Document
import Reports
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

  @Test func `what is no record is none`() throws {
    let members = try #require(try Records.record("a/b", .pass).transfer.members)
    let needed = members.filter {
      ![
        "cause", "details", "reason", "repeated", "rule", "runs", "seeds", "signature",
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
    var causes = CauseLog()
    var different = try record("a/d", "\(moved) listener bounded", moved)
    different.knownStatus = .different(
      try Records.entry("a/d"), signature: "\(moved) listener bounded", rule: nil)

    #expect(
      RunRecord.text(of: [try record("a/b", "\(moved) listener", moved)], after: &causes)
        == "FAIL  a/b\n\n")
    #expect(
      RunRecord.text(
        of: [try record("a/c", "other-event child_moved by value", moved)], after: &causes)
        == "")
    #expect(
      RunRecord.text(of: [different], after: &causes).hasPrefix("DIFFERENT  a/d  firebase\n"))
    #expect(
      RunRecord.text(of: [try record("a/e", "inv-39 set", "inv-39")], after: &causes)
        == "FAIL  a/e\n\n")
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

        missing-event child_moved   28 runs of 14 scenarios
          FAIL  a/s1   wilddog-2, firebase

        """))
    #expect(
      text.contains(
        """
          FAIL  a/s12  wilddog-2, firebase
          ... and 2 more (--all)

        inv-39   1 run
          FAIL  b/x  firebase

        0 passed, 29 failed, 0 skipped

        """), "\(text)")
    #expect(!Summary(of: records, listsAll: true, seeds: 0...0).text().contains("(--all)"))
  }
}
