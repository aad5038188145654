import AdapterSessions
import Commands
import Documentation
import Glibc
import Rules
import Scenario
import System

/// What `kennel docs` was asked for.
struct DocsOptions {
  /// Whether the Markdown is compared in place of being written.
  var checks: Bool
  /// The folder for the HTML site; nil for none.
  var site: String?
  /// The client that the pages are about; nil means the reference client.
  var client: String?
}

extension DocsOptions {
  /// - Throws: `Failure.usage` for options that do not go together, and for operands.
  init(_ arguments: Arguments) throws(Failure) {
    checks = arguments.contains("check")
    site = arguments.value(of: "output")
    client = arguments.value(of: "client")
    if checks, site != nil {
      throw arguments.failure("--check looks at the Markdown; it does not go with --output")
    }
    if let operand = arguments.operands.first {
      throw arguments.failure(
        "docs takes no \"\(operand)\"; a scenario gets a page by its tag \"\(Book.tag)\"")
    }
  }

  static let grammar = Grammar(
    command: "kennel docs", operands: "",
    summary: """
      Writes the pages about event order, one for each scenario with the tag 'doc', and indexes of \
      them: as Markdown to \(Book.folder), or as a site of HTML files. All that they say comes from \
      running the scenarios, in every order of deliveries.
      """,
    options: [
      .init(
        name: "check",
        summary: "Write nothing; name the pages in \(Book.folder) that are not what runs show."),
      .init(
        name: "output", value: "DIR", letter: "o",
        summary: "Write the site into the folder DIR, which needs neither network nor script."),
      .init(
        name: "client", value: "NAME",
        summary: "Run the client NAME instead of the reference client."),
    ],
    notes: """
      Examples:
        kennel docs
        kennel docs --check
        kennel docs -o site
        kennel docs --check --client no-refill

      \(ExitCode.help)
      """)
}

extension DocsOptions: Command {
  /// Makes the pages, and writes or compares them.
  func perform() throws(Failure) -> ExitCode {
    let home = try Home.find()
    let library = try ScenarioLibrary([])
    try library.requireNoProblems()
    let subject = try ClientUnderTest(named: client)
    let entries = library.scenarios.filter { $0.tags.contains(Book.tag) }.map {
      Entry($0, subject.runner(seed: 0))
    }
    if entries.isEmpty { throw .unusable("no scenario has the tag \"\(Book.tag)\"") }
    let book = Book(entries, scenarios: library.scenarios, rules: library.rules)
    for problem in book.problems { Console.message("kennel: \(problem)\n") }
    if let site = self.site {
      try write(siteOf: book, to: site)
    } else {
      let folder = BookFolder(Files.join(home.path, Book.folder))
      if checks { return try folder.check(book) }
      try folder.write(book)
    }
    return book.problems.isEmpty ? .success : .divergence
  }
}

private func write(siteOf book: Book, to folder: String) throws(Failure) {
  let writer = HTMLWriter()
  for page in book.pages {
    try write(writer.text(of: page), to: HTMLWriter.file(of: page.id), in: folder)
  }
  try write(Style.sheet, to: HTMLWriter.styleFile, in: folder)
  try Console.output("\(book.pages.count) pages in \(folder); begin with index.html\n")
}

private func write(_ text: String, to name: String, in folder: String) throws(Failure) {
  let path = Files.join(folder, name)
  let end = path.lastIndex(of: "/") ?? path.startIndex
  try Files.makeDirectory(String(path[..<end]))
  try Files.write(text, to: path)
}

/// The folder in which the Markdown is kept.
private struct BookFolder {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Writes all pages, and removes those of scenarios that have none any more.
  func write(_ book: Book) throws(Failure) {
    let writer = MarkdownWriter()
    for page in book.pages {
      try kennel.write(
        writer.text(of: page), to: MarkdownWriter.file(of: page.id), in: path)
    }
    for file in try surplus(book) {
      guard unlink(Files.join(path, file)) == 0 else {
        throw .output(path: Files.join(path, file), reason: Files.lastReason())
      }
    }
    try Console.output("\(book.pages.count) pages in \(Book.folder)\n")
  }

  /// Names the pages that are not what they should be.
  func check(_ book: Book) throws(Failure) -> ExitCode {
    let writer = MarkdownWriter()
    var drift: [String] = []
    for page in book.pages {
      let file = MarkdownWriter.file(of: page.id)
      let name = Files.join(Book.folder, file)
      guard Files.exists(Files.join(path, file)) else {
        drift.append("\(name): is missing")
        continue
      }
      let kept = try Files.text(of: Files.join(path, file))
      if let line = firstDifference(kept, writer.text(of: page)) { drift.append("\(name):\(line)") }
    }
    drift += try surplus(book).map { "\(Files.join(Book.folder, $0)): belongs to no page any more" }
    for line in drift { try Console.output(line + "\n") }
    let sum =
      drift.isEmpty
      ? "\(book.pages.count) pages are what runs show\n"
      : "\(drift.count) of \(book.pages.count) pages differ from what runs show; "
        + "if that is right, write them anew with 'kennel docs'\n"
    try Console.output(sum)
    return drift.isEmpty && book.problems.isEmpty ? .success : .divergence
  }

  /// The Markdown files of the folder that no page has, from there.
  private func surplus(_ book: Book) throws(Failure) -> [String] {
    guard Files.isDirectory(path) else { return [] }
    let known = Set(book.pages.map { MarkdownWriter.file(of: $0.id) })
    return try Files.files(below: path, suffix: ".md")
      .map { String($0.dropFirst(path.utf8.count + 1)) }.filter { !known.contains($0) }
  }

  /// The number of the first line that differs, with both texts; nil when none does.
  private func firstDifference(_ kept: String, _ made: String) -> String? {
    if kept == made { return nil }
    let lines = [kept, made].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let same = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
    let texts = lines.map { $0.indices.contains(same) ? String($0[same].prefix(80)) : "(nothing)" }
    return "\(same + 1): \"\(texts[0])\" is now \"\(texts[1])\""
  }
}
