import Document
import Reports
import Scenario
import Testing

/// The page about one client.
@Suite struct ClientPageTests {
  private let lines = """
    {"scenario":"a/one","profile":"firebase","verdict":"pass","rules":["EVT-1","TXN-2"],"divergences":[]}
    {"scenario":"a/two","profile":"firebase","verdict":"fail","signature":"s","rules":["TXN-2"],"divergences":[{"sentence":"it | broke","rules":["TXN-2"]}],"known":{"standing":"known","kind":"bug","issue":"https://e.org/1","note":"It forgets."}}
    {"scenario":"a/three","profile":"firebase","verdict":"fail","signature":"t","rules":["TXN-3"],"divergences":[{"sentence":"no","rules":["TXN-3"]}],"known":{"standing":"known","kind":"bug","issue":"https://e.org/1","note":"It forgets."}}
    {"scenario":"a/four","profile":"firebase","verdict":"fail","signature":"u","rules":["EVT-9"],"divergences":[{"sentence":"it | broke","rules":["EVT-9"]}]}
    {"scenario":"a/five","profile":"firebase","verdict":"unsupported","rules":["EVT-1"],"divergences":[]}
    {"summary":{"passed":1,"failed":1,"skipped":1,"known":2,"kit":"0.1.0","introduction":"it 2","start":"2026-11-27T10:00:00"}}

    """

  @Test func `it has families of rules, and failures by their causes`() throws {
    let rule =
      "## TXN-3 It goes on\n\n- level: MUST\n- profiles: all\n- source: recordings\n\nIt does.\n"
    let rules = RuleBook(files: [("Specs/rules/transactions.md", rule)])
    let page = ClientPage("Client 2.0", try ReportFile(lines, file: "r.jsonl"), rules: rules)
      .markdown

    #expect(
      page == """
        # Client 2.0

        Profile `firebase`: 1 passed, 3 failed (2 of them known), 1 skipped.

        it 2, kennel 0.1.0, 2026-11-27.

        ## By families of rules

        A scenario counts in each family of which it cites a rule.

        | Family | Passed | Failed | Skipped | Passed with advice |
        |---|---|---|---|---|
        | EVT | 1 | 1 | 1 | 0 |
        | TXN | 1 | 2 | 0 | 0 |

        ## Failures

        | Cause | Rule | Class | Scenarios |
        |---|---|---|---|
        | It forgets. | TXN-2, TXN-3 It goes on | [bug](<https://e.org/1>) | `a/two`, `a/three` |
        | it \\| broke | EVT-9 | new | `a/four` |

        """)
  }

  @Test func `a client without failures has no table of them`() throws {
    let text = """
      {"scenario":"a/one","profile":"firebase","verdict":"pass","rules":["EVT-1"],"divergences":[]}
      {"summary":{"passed":1,"failed":0,"skipped":0}}

      """
    let page = ClientPage("x", try ReportFile(text, file: "r.jsonl")).markdown
    #expect(!page.contains("## Failures"))
  }
}
