import AdapterProtocol
import ClientInterface
package import Conformance
package import Documentation
import Glibc
package import Scenario
import ScenarioFiles
package import System
import Tree

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
  /// The page about commands and their options, which only the site has.
  private let commands: String

  package init(
    of paths: [String], client: String?, checks: Bool, site: String?, makesRulePages: Bool,
    rulesOnly: Bool, commands: String
  ) {
    self.paths = paths
    self.client = client
    self.checks = checks
    self.site = site
    self.makesRulePages = makesRulePages
    self.rulesOnly = rulesOnly
    self.commands = commands
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
    // When all pages are made it would be too late to say so.
    if let site { try Files.makeDirectory(site) }
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
      try write(book, of: home, to: site, report)
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

  private func write(
    _ book: DocumentationBook, of home: Home, to site: String,
    _ report: (String) throws(Failure) -> Void
  ) throws(Failure) {
    let pages = try Site(home, book, commands: commands)
    try pages.write(to: site)
    let count = pages.files.count { $0.path.hasSuffix(".html") }
    try report("\(count) pages in \(site); begin with index.html\n")
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

/// The folder in which the Markdown is kept.
package struct DocumentationFolder {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Writes all pages, and removes those of scenarios that have none any more.
  package func write(_ book: DocumentationBook) throws(Failure) {
    let writer = MarkdownWriter()
    for page in book.pages {
      try Workspace.write(
        writer.text(of: page), to: MarkdownWriter.file(of: page.id), in: path)
    }
    for file in try surplus(book) {
      guard unlink(Files.join(path, file)) == 0 else {
        throw .output(path: Files.join(path, file), reason: Files.lastReason())
      }
    }
  }

  /// A line for each page that is not what it should be.
  ///
  /// - Throws: `Failure.file` when a page cannot be read.
  package func drift(from book: DocumentationBook) throws(Failure) -> [String] {
    let writer = MarkdownWriter()
    var drift: [String] = []
    for page in book.pages {
      let file = MarkdownWriter.file(of: page.id)
      let name = Files.join(DocumentationBook.folder, file)
      guard Files.exists(Files.join(path, file)) else {
        drift.append("\(name): is missing")
        continue
      }
      let kept = try Files.text(of: Files.join(path, file))
      if let line = firstDifference(kept, writer.text(of: page)) { drift.append("\(name):\(line)") }
    }
    drift += try surplus(book).map {
      "\(Files.join(DocumentationBook.folder, $0)): belongs to no page any more"
    }
    return drift
  }

  /// The Markdown files of the folder that no page has, from there.
  private func surplus(_ book: DocumentationBook) throws(Failure) -> [String] {
    guard Files.isDirectory(path) else { return [] }
    let known = Set(book.pages.map { MarkdownWriter.file(of: $0.id) })
    return try Files.files(below: path, suffix: ".md")
      .map { String($0.dropFirst(path.utf8.count + 1)) }.filter { !known.contains($0) }
  }

}

/// The number of the first line that differs, with both texts; nil when none does.
private func firstDifference(_ kept: String, _ made: String) -> String? {
  if kept == made { return nil }
  let lines = [kept, made].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
  let same = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
  let texts = lines.map { $0.indices.contains(same) ? String($0[same].prefix(80)) : "(nothing)" }
  return "\(same + 1): \"\(texts[0])\" is now \"\(texts[1])\""
}

/// The files that are made without running a client: the pages that are made from the rules, and what
/// the grammar of scenarios says to editors and people.
package struct TextsMadeFromTables {
  private let home: Home
  private let texts: [(file: String, text: String)]

  /// A home without a page of which only the tables are made gets none.
  ///
  /// - Throws: `Failure.file` when such a page cannot be read.
  package init(_ home: Home, _ rules: RuleBook) throws(Failure) {
    self.home = home
    let pages: [(file: String, update: (String) -> String)] = [
      (ScenarioGrammar.pageFile, ScenarioGrammar.updated),
      (AdapterPage.file, AdapterPage.updated), (AdapterPage.changelogFile, AdapterPage.updated),
    ]
    var updated: [(file: String, text: String)] = []
    for page in pages where Files.exists(Files.join(home.path, page.file)) {
      updated.append((page.file, page.update(try Files.text(of: Files.join(home.path, page.file)))))
    }
    texts =
      RulePages(rules).pages.map { ($0.file, $0.text) }
      + [(ScenarioGrammar.schemaFile, ScenarioGrammar.schema.indentedText)]
      + updated
  }

  /// Writes all files.
  package func write() throws(Failure) {
    for (file, text) in texts { try Files.write(text, to: Files.join(home.path, file)) }
  }

  /// A line for each file that is not what it should be.
  package func drift() throws(Failure) -> [String] {
    var drift: [String] = []
    for (file, text) in texts {
      let path = Files.join(home.path, file)
      let kept = Files.exists(path) ? try Files.text(of: path) : ""
      if let line = firstDifference(kept, text) { drift.append("\(file):\(line)") }
    }
    return drift
  }
}

/// A picture that documents show of a run.
package struct DocumentedPicture: Sendable {
  let file: String
  let scenario: String
  /// The client that runs, by the name that `--client` takes; nil for the reference client.
  package let client: String?

  package static let all = [
    DocumentedPicture(
      file: "Specs/pictures/refill.svg", scenario: "limits/refill-after-foreign-removal",
      client: "no-refill"),
    DocumentedPicture(
      file: "Specs/pictures/one-write.svg", scenario: "writes/one-write", client: nil),
  ]

  /// The scenario that it shows; nil in a library that has not got it, and then there is no picture.
  package func scenario(in library: ScenarioLibrary) -> Scenario? {
    library.scenarios.first { $0.id == scenario }
  }
}

/// Where the pictures of the documents are kept.
package struct PicturesFolder {
  private let home: Home

  package init(_ home: Home) { self.home = home }

  /// Writes a picture of a run.
  package func write(
    _ picture: DocumentedPicture, of run: ScenarioResult
  ) throws(Failure) {
    try Files.write(svg(of: run), to: Files.join(home.path, picture.file))
  }

  private func svg(of run: ScenarioResult) -> String {
    SpaceTime(of: PicturedRun(run)).svg() + "\n"
  }

  /// A line for a picture that is not what its run shows; nil for one that is.
  package func drift(
    from picture: DocumentedPicture, of run: ScenarioResult
  ) throws(Failure) -> String? {
    let path = Files.join(home.path, picture.file)
    let kept = Files.exists(path) ? try Files.text(of: path) : ""
    return firstDifference(kept, svg(of: run)).map { "\(picture.file):\($0)" }
  }
}

extension Site {
  /// All documents below `Specs`, with their pictures, the README beside them, the pages about event order, and
  /// one about commands.
  ///
  /// - Throws: `Failure.file` when a document cannot be read.
  package init(_ home: Home, _ book: DocumentationBook, commands: String) throws(Failure) {
    var documents = [Document(path: "commands.md", text: commands)]
    for suffix in [".md", ".svg"] {
      for path in try Files.files(below: home.specs, suffix: suffix) {
        let name = String(path.dropFirst(home.specs.utf8.count + 1))
        documents.append(Document(path: name, text: try Files.text(of: path)))
      }
    }
    let readme = Files.join(home.path, "README.md")
    self.init(
      documents.sorted { $0.path < $1.path },
      readme: Files.exists(readme) ? try Files.text(of: readme) : nil, book)
  }

  /// Writes all files.
  ///
  /// - Throws: `Failure` when a file cannot be written.
  package func write(to folder: String) throws(Failure) {
    for file in files { try Workspace.write(file.text, to: file.path, in: folder) }
  }
}

private func write(_ text: String, to name: String, in folder: String) throws(Failure) {
  let path = Files.join(folder, name)
  let end = path.lastIndex(of: "/") ?? path.startIndex
  try Files.makeDirectory(String(path[..<end]))
  try Files.write(text, to: path)
}
