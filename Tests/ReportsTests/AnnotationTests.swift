import Conformance
import Reports
import Testing

@Suite struct AnnotationTests {
  private func text(
    _ records: [RunRecord], warnings: [KnownFailures.Warning] = []
  ) -> String {
    Annotations.text(of: records, warnings: warnings) { "kit/" + $0 }
  }

  @Test func `a failure stands at its line, and a stale entry in the list`() throws {
    let lines = text(try Records.all()).split(separator: "\n").map(String.init)

    try #require(lines.count == 5)
    #expect(
      lines[0].hasPrefix(
        "::error file=kit/Scenarios/limits/refill[n=<1>].yaml,line=20,col=7,"
          + "title=limits/refill[n=<1>] (firebase)::a & b"))
    #expect(lines[1].hasSuffix("title=limits/refill[n=<1>] (wilddog-2)::it ended"))
    #expect(
      lines[2] == "::error file=kit/known.yaml,line=9,col=5,title=limits/stale (firebase)::it "
        + "passes, but known.yaml:9 lists it as a known failure; remove it there, or run "
        + "'kennel known --update known.yaml limits/stale'")
    #expect(
      lines[4] == "::error file=kit/Scenarios/limits/old.yaml,line=20,col=7,"
        + "title=limits/old (firebase)::y; known.yaml:4 listed it as a known failure until "
        + "2026-12-31; fix it, or agree on another date (https://example.org/7) (rule LIM-7)")
  }

  @Test func `what ends a property or a command is escaped`() throws {
    let record = try Records.record(
      "a,b:c%d", .fail, sentence: "one\r\ntwo\u{308}\n100% ::x::\r", line: 3)

    #expect(
      text([record]) == "::error file=kit/Scenarios/a%2Cb%3Ac%25d.yaml,line=3,col=7,"
        + "title=a%2Cb%3Ac%25d (firebase)::one%0D%0Atwo\u{308}%0A100%25 ::x::%0D (rule LIM-7)\n")
  }

  @Test func `what lies outside of the repository is shown at no file`() throws {
    let record = try Records.record("a/b", .fail, sentence: "s")

    #expect(
      Annotations.text(of: [record]) { _ in nil }
        == "::error title=a/b (firebase)::s (rule LIM-7)\n")
  }

  @Test func `what is about to expire is a warning in the list`() throws {
    let warning = KnownFailures.Warning(entry: try Records.entry("a/b"), message: "soon: 1, 2")

    #expect(
      text([], warnings: [warning])
        == "::warning file=kit/known.yaml,line=4,col=5,title=Known failure expires soon::"
        + "soon: 1, 2\n")
  }

  @Test func `one cause is one line, with its profiles and the other scenarios`() throws {
    let profiles = ["wilddog-1", "wilddog-2", "firebase"]
    let alike = try profiles.map {
      try Records.record(
        "a/b", .fail, in: $0, sentence: "s", signature: "missing-event value listener",
        cause: "missing-event value")
    }
    let other = try Records.record(
      "a/c", .fail, sentence: "t", signature: "missing-event value listener limited",
      cause: "missing-event value")
    let start = "::error file=kit/Scenarios/a/b.yaml,line=20,col=7,title=a/b "

    #expect(text(alike) == start + "(wilddog-1%2C wilddog-2%2C firebase)::s (rule LIM-7)\n")
    #expect(
      text(alike + [other]) == start
        + "(wilddog-1%2C wilddog-2%2C firebase)::s (rule LIM-7)%0Amissing-event value: 4 runs of "
        + "2 scenarios, also%0Aa/c (firebase)\n")
  }

  @Test func `one missing kind of event in many scenarios is one annotation`() throws {
    let records = try (1...58).map {
      try Records.record(
        "a/s\($0)", .fail, sentence: "s", signature: "missing-event child_moved listener")
    }
    let lines = text(records).split(separator: "\n")

    #expect(lines.count == 1)
    #expect(lines[0].contains("58 runs of 58 scenarios"))
    #expect(lines[0].hasSuffix("%0A... and 37 more"))
  }

  @Test func `beyond ten of a kind the rest is counted`() throws {
    let records = try (1...13).map {
      try Records.record("a/b", .fail, sentence: "s", signature: "inv-\($0) set")
    }
    let lines = text(records).split(separator: "\n")

    #expect(lines.count == 11)
    #expect(lines.last == "::notice title=Kennel::3 more are in the log")
  }
}
