import ClientInterface
package import Conformance
import Documentation
import Scenario
package import System

/// Makes the pages of the documentation, and writes or compares them.
package struct DocumentationTask {
  /// Whether the Markdown is compared in place of being written.
  private let checks: Bool
  /// The folder for the HTML site; nil for none.
  private let site: String?
  /// Whether the pages are made too that come from the rules alone.
  private let makesRulePages: Bool
  /// Whether only these are made.
  private let rulesOnly: Bool
  /// The scenarios that get a page; all with the tag if there are none.
  private let paths: [String]
  /// The client that the pages are about; nil for the reference client.
  private let client: String?

  package init(
    of paths: [String], client: String?, checks: Bool, site: String?, makesRulePages: Bool,
    rulesOnly: Bool
  ) {
    self.paths = paths
    self.client = client
    self.checks = checks
    self.site = site
    self.makesRulePages = makesRulePages
    self.rulesOnly = rulesOnly
  }

  /// Makes the pages.
  ///
  /// - Parameters:
  ///   - runner: Makes what runs the scenarios with the client of this name; not called when only rules
  ///     are needed.
  ///   - report: Takes what was written, and what differs.
  ///   - warn: Takes what is wrong with the scenarios.
  /// - Returns: `divergence` when pages differ from what runs show, or have a problem.
  /// - Throws: `Failure` when files cannot be read or written, or the client does not exist.
  package func run(
    _ runner: (String?) throws(Failure) -> ScenarioRunner,
    report: (String) throws(Failure) -> Void, warn: (String) -> Void
  ) throws(Failure) -> ExitCode {
    let home = try Home.find()
    let library = try ScenarioLibrary(paths)
    try library.requireNoProblems()
    var isCurrent = true
    if makesRulePages {
      isCurrent = try handle(TextsMadeFromTables(home, library.rules), report)
    }
    if rulesOnly { return isCurrent ? .success : .divergence }
    if makesRulePages {
      let folder = PicturesFolder(home)
      for picture in DocumentedPicture.all {
        guard let scenario = picture.scenario(in: library) else { continue }
        let run = try runner(picture.client).run(scenario, in: .firebase)
        let isShown = try handle(picture, folder, run, report)
        isCurrent = isShown && isCurrent
      }
    }
    let book = try book(library, try runner(client))
    for problem in book.problems { warn("kennel: \(problem)\n") }
    if let site {
      let pages = try Site(home, book)
      try pages.write(to: site)
      let count = pages.files.count { $0.path.hasSuffix(".html") }
      try report("\(count) pages in \(site); begin with index.html\n")
    } else if !paths.isEmpty {
      for page in book.pages.suffix(library.scenarios.count) {
        try report(MarkdownWriter().text(of: page))
      }
    } else {
      let folder = DocumentationFolder(Files.join(home.path, DocumentationBook.folder))
      if checks { return try check(book, folder, report) && isCurrent ? .success : .divergence }
      try folder.write(book)
      try report("\(book.pages.count) pages in \(DocumentationBook.folder)\n")
    }
    return book.problems.isEmpty ? .success : .divergence
  }

  private func book(
    _ library: ScenarioLibrary, _ runner: ScenarioRunner
  ) throws(Failure) -> DocumentationBook {
    let entries = library.scenarios.filter {
      !paths.isEmpty || $0.tags.contains(DocumentationBook.tag)
    }.map { DocumentedScenario($0, runner) }
    if entries.isEmpty { throw .unusable("no scenario has the tag \"\(DocumentationBook.tag)\"") }
    return DocumentationBook(entries, scenarios: library.scenarios, rules: library.rules)
  }

  /// Writes a picture, or names it where it is not what it should be.
  private func handle(
    _ picture: DocumentedPicture, _ folder: PicturesFolder, _ run: ScenarioResult,
    _ report: (String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard checks else {
      try folder.write(picture, of: run)
      return true
    }
    guard let drift = try folder.drift(from: picture, of: run) else { return true }
    try report(drift + "\n")
    return false
  }

  /// Writes what is made without running a client, or names what is not as it should be.
  private func handle(
    _ texts: TextsMadeFromTables, _ report: (String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard checks else {
      try texts.write()
      return true
    }
    let drift = try texts.drift()
    for line in drift { try report(line + "\n") }
    return drift.isEmpty
  }

  /// Names the pages that are not what they should be.
  private func check(
    _ book: DocumentationBook, _ folder: DocumentationFolder,
    _ report: (String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let drift = try folder.drift(from: book)
    for line in drift { try report(line + "\n") }
    let sum =
      drift.isEmpty
      ? "\(book.pages.count) pages are what runs show\n"
      : "\(drift.count) of \(book.pages.count) pages differ from what runs show; "
        + "if that is right, write them again with 'kennel docs'\n"
    try report(sum)
    return drift.isEmpty && book.problems.isEmpty
  }
}
