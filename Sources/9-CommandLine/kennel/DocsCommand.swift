import AdapterSessions
import Commands
import Documentation
import System
import Workspace

/// What `kennel docs` was asked for.
struct DocsOptions: Command {
  /// Whether the Markdown is compared in place of being written.
  var checks: Bool
  /// The folder for the HTML site; nil for none.
  var site: String?
  /// Whether only the pages are made that come from the rules and not from runs.
  var rulesOnly: Bool
  /// The client that the pages are about; nil means the reference client.
  var client: String?

  /// - Throws: `Failure.usage` for options that do not go together, and for operands.
  init(_ arguments: Arguments) throws(Failure) {
    checks = arguments.contains("check")
    site = arguments.value(of: "output")
    client = arguments.value(of: "client")
    rulesOnly = arguments.contains("rules")
    if rulesOnly, site != nil || client != nil {
      throw arguments.failure("--rules runs no client; it does not go with --output and --client")
    }
    if checks, site != nil {
      throw arguments.failure("--check looks at the Markdown; it does not go with --output")
    }
    if let operand = arguments.operands.first {
      throw arguments.failure(
        "docs takes no \"\(operand)\"; a scenario gets a page by its tag \"\(DocumentationBook.tag)\""
      )
    }
  }

  static let grammar = Grammar(
    command: "kennel docs", operands: "",
    summary: """
      Writes the pages about event order, one for each scenario with the tag 'doc', and indexes of \
      them: as Markdown to \(DocumentationBook.folder), or with all other documents of Specs as a site of HTML files. \
      Everything on them comes from running the scenarios, in every order of deliveries. Also writes the pages that are made from \
      the rules: Specs/profiles.md and Specs/requirements.md.
      """,
    options: [
      .init(
        name: "check",
        summary:
          "Write nothing; name the pages in \(DocumentationBook.folder) that are not what runs show."
      ),
      .init(
        name: "rules",
        summary:
          "Only Specs/profiles.md and Specs/requirements.md, which are made from the rules alone."),
      .init(
        name: "output", value: "DIR", letter: "o",
        summary:
          "Write the site into the folder DIR; it needs no network, and a script for the search only."
      ),
      .init(
        name: "client", value: "NAME",
        summary: "Run the client NAME instead of the reference client."),
    ],
    notes: """
      Examples:
        kennel docs
        kennel docs --check
        kennel docs --rules
        kennel docs -o site
        kennel docs --check --client no-refill

      \(ExitCode.help)
      """)

  /// Makes the pages, and writes or compares them.
  func perform() throws(Failure) -> ExitCode {
    let client = client
    let task = DocumentationTask(
      checks: checks, site: site, makesRulePages: site == nil && client == nil,
      rulesOnly: rulesOnly)
    return try task.run(
      { () throws(Failure) in try ClientUnderTest(named: client).runner(seed: 0) },
      report: Console.output, warn: Console.message)
  }
}
