import AdapterSessions
import Commands
import Documentation
import Glibc
import Scenario
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
    let home = try Home.find()
    let library = try ScenarioLibrary([])
    try library.requireNoProblems()
    var isCurrent = true
    if site == nil, client == nil {
      isCurrent = try handleRulePages(RulePages(library.rules), home)
    }
    if rulesOnly { return isCurrent ? .success : .divergence }
    let subject = try ClientUnderTest(named: client)
    let entries = library.scenarios.filter { $0.tags.contains(DocumentationBook.tag) }.map {
      DocumentedScenario($0, subject.runner(seed: 0))
    }
    if entries.isEmpty { throw .unusable("no scenario has the tag \"\(DocumentationBook.tag)\"") }
    let book = DocumentationBook(entries, scenarios: library.scenarios, rules: library.rules)
    for problem in book.problems { Console.message("kennel: \(problem)\n") }
    if let site {
      let pages = try Site(home, book)
      try pages.write(to: site)
      let count = pages.files.count { $0.path.hasSuffix(".html") }
      try Console.output("\(count) pages in \(site); begin with index.html\n")
    } else {
      let folder = DocumentationFolder(Files.join(home.path, DocumentationBook.folder))
      if checks { return try check(book, in: folder) && isCurrent ? .success : .divergence }
      try folder.write(book)
      try Console.output("\(book.pages.count) pages in \(DocumentationBook.folder)\n")
    }
    return book.problems.isEmpty ? .success : .divergence
  }

  /// Writes the pages that are made from the rules, or names those that are not what they should be.
  private func handleRulePages(_ pages: RulePages, _ home: Home) throws(Failure) -> Bool {
    let folder = RulePagesFolder(home)
    guard checks else {
      try folder.write(pages)
      return true
    }
    let drift = try folder.drift(from: pages)
    for line in drift { try Console.output(line + "\n") }
    return drift.isEmpty
  }

  /// Names the pages that are not what they should be.
  private func check(
    _ book: DocumentationBook, in folder: DocumentationFolder
  ) throws(Failure) -> Bool {
    let drift = try folder.drift(from: book)
    for line in drift { try Console.output(line + "\n") }
    let sum =
      drift.isEmpty
      ? "\(book.pages.count) pages are what runs show\n"
      : "\(drift.count) of \(book.pages.count) pages differ from what runs show; "
        + "if that is right, write them again with 'kennel docs'\n"
    try Console.output(sum)
    return drift.isEmpty && book.problems.isEmpty
  }
}
