import AdapterSessions
import Commands
import Documentation
import System
import Workspace

/// The command `kennel docs`.
struct DocsCommand: Command {
  /// The scenarios that get a page; all with the tag if there are none.
  var paths: [String] = []
  var checks = false
  /// The folder for the HTML site; nil for none.
  var site: String?
  var rulesOnly = false
  /// The client that the pages are about; nil means the reference client.
  var client: String?

  static var options: [Option<Self>] {
    [
      .flag(
        "check", \.checks,
        "Write nothing; name the pages and pictures that are not what runs show."),
      .flag(
        "rules", \.rulesOnly,
        "Only Specs/profiles.md and Specs/requirements.md, which are made from the rules alone."),
      .value(
        "output", "DIR", \.site, .text, letter: "o",
        """
        Write the site into the folder DIR; it needs no network, and a script for the search only.
        """),
      .value(
        "client", "NAME", \.client, .text,
        "Run the client NAME instead of the reference client."),
    ]
  }

  static let grammar = Grammar(
    command: "kennel docs", operands: "[PATH|ID...]",
    summary: """
      Writes the pages about event order, one for each scenario with the tag '\(DocumentationBook.tag)', and indexes of \
      them: as Markdown to \(DocumentationBook.folder), or with all other documents of Specs as a site of HTML files. \
      Everything on them comes from running the scenarios, in every order of deliveries. Also writes the pages that are made from \
      the rules, Specs/profiles.md and Specs/requirements.md, and the pictures in Specs/pictures.

      Of scenarios that are named, with or without the tag, it prints the page as Markdown, or \
      writes a site with their pages alone beside the documents.
      """,
    notes: """
      Examples:
        kennel docs
        kennel docs --check
        kennel docs --rules
        kennel docs -o site
        kennel docs limits/refill-after-foreign-removal
        kennel docs --check --client no-refill
      """)

  mutating func finish(_ arguments: Arguments) throws(Failure) {
    paths = arguments.operands
    if rulesOnly, site != nil || client != nil {
      throw arguments.failure("--rules runs no client; it does not go with --output and --client")
    }
    if checks, site != nil {
      throw arguments.failure("--check looks at the Markdown; it does not go with --output")
    }
    if !paths.isEmpty, checks || rulesOnly {
      throw arguments.failure("--check and --rules are about all pages; name no scenario with them")
    }
  }

  /// Makes the pages, and writes or compares them.
  func perform() throws(Failure) -> ExitCode {
    let task = DocumentationTask(
      of: paths, client: client, checks: checks, site: site,
      makesRulePages: site == nil && client == nil && paths.isEmpty, rulesOnly: rulesOnly)
    return try task.run(
      { (client) throws(Failure) in try ClientUnderTest(named: client).runner(seed: 0) },
      report: Console.output, warn: Console.message)
  }
}
