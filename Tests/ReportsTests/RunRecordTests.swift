import Conformance
import Document
import KnownFailures
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
    let needed = members.filter { !["details", "reason", "rule", "signature"].contains($0.name) }
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
    let text = "FAIL  x\n\n  replay  a\n"
    let records = [
      try Records.record("a/b", .fail, text: text),
      try Records.record("a/b", .fail, in: "wilddog-2", text: text),
    ]

    #expect(RunRecord.text(of: records) == text + "  also in wilddog-2\n\n")
  }
}
