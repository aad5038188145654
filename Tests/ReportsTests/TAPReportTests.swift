import Conformance
import Reports
import TestKit
import Testing

@Suite struct TAPReportTests {
  /// Meson's parser knows version 14.
  private let meson = """
    import sys
    from mesonbuild.mtest import TAPParser
    for event in TAPParser().parse(open(sys.argv[1], encoding="utf-8")):
        kind = type(event).__name__
        if kind == "Test": print(event.result.name, event.number, event.explanation or "-")
        elif kind == "Plan": print("plan", event.num_tests)
        elif kind == "Version": print("version", event.version)
        else: print(kind, event)
    """

  /// Perl's parser is stricter with what stands between test points, but knows no version above 13.
  private let perl = """
    use TAP::Parser;
    my $text = do { local (@ARGV, $/) = $ARGV[0]; <> };
    $text =~ s/^TAP version 14/TAP version 13/;
    my $parser = TAP::Parser->new({ tap => $text });
    my $yaml = 0;
    while (my $result = $parser->next) {
      $yaml++ if $result->is_yaml;
      print "bad: ", $result->raw, "\\n" if $result->is_unknown && $result->raw =~ /\\S/;
    }
    printf "planned %d, failed %d, todo %d, skipped %d, yaml %d, errors %d\\n",
      $parser->tests_planned, scalar($parser->failed), scalar($parser->todo),
      scalar($parser->skipped), $yaml, scalar($parser->parse_errors);
    """

  @Test func `a consumer of version 14 reads everything as it is meant`() throws {
    let tap = TAPReport.text(of: try Records.all(), Records.header)
    let result = try Records.run("/usr/bin/python3", ["-c", meson], on: tap)

    #expect(
      result.output == """
        version 14
        plan 8
        OK 1 -
        FAIL 2 -
        FAIL 3 -
        SKIP 4 alice has no auth \\# at all
        EXPECTEDFAIL 5 known failure (bug) until 2026-12-31: https://example.org/7
        FAIL 6 -
        FAIL 7 -
        FAIL 8 -

        """)
  }

  @Test func `a strict consumer finds nothing that it does not understand`() throws {
    let tap = TAPReport.text(of: try Records.all(), Records.header)

    #expect(
      try Records.run("perl", ["-e", perl], on: tap).output
        == "planned 8, failed 5, todo 1, skipped 1, yaml 5, errors 0\n")
  }

  @Test func `a consumer notices what is missing`() throws {
    let tap = TAPReport.text(of: try Records.all(), Records.header)
    let corrupted = tap.replacing("\nok 1 - writes/good firebase", with: "")

    #expect(
      try Records.run("perl", ["-e", perl], on: corrupted).output.hasSuffix("errors 8\n"))
  }

  @Test func `a report in which nothing is red has nothing that a consumer counts as failed`()
    throws
  {
    let records = try Records.all().filter { $0.outcome != .failed }
    let tap = TAPReport.text(of: records, Records.header)

    #expect(
      try Records.run("perl", ["-e", perl], on: tap).output
        == "planned 3, failed 0, todo 1, skipped 1, yaml 0, errors 0\n")
    #expect(
      tap == """
        TAP version 14
        1..3
        # kennel 0.1.0, client node adapter.js <x>, seed 7
        ok 1 - writes/good firebase
        ok 2 - auth/none firebase # SKIP alice has no auth \\# at all
        not ok 3 - limits/known firebase # TODO known failure (bug) until 2026-12-31: \
        https://example.org/7
        # 2 selected and not run

        """)
  }

  @Test func `a failure has a block with what is known of it`() throws {
    let record = try Records.record(
      "a/b#c\\d", .fail, sentence: "say \"x\" \u{e9}\n# TODO", text: "FAIL  \"t\"\n\n  \\ more\n",
      signature: "missing-event value")
    let tap = TAPReport.text(of: [record], Records.header)

    #expect(
      tap.contains(
        """
        not ok 1 - a/b\\#c\\\\d firebase
          ---
          message: "say \\"x\\" \\\\u00e9\\\\u000a# TODO"
          kind: "missing-event value"
          verdict: "fail"
          file: "Scenarios/a/b#c\\d.yaml"
          line: 20
          seed: "7"
          report:
            - "FAIL  \\"t\\""
            - ""
            - "  \\\\ more"
          ...

        """.replacing("b#c\\d.yaml", with: "b#c\\\\d.yaml")), "\(tap)")
  }
}
