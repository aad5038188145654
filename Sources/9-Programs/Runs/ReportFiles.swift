import Document
import Glibc
package import Reports
package import Scenario
package import System
import WebPages
import Workspace

/// The reports that are written besides what is printed.
package struct ReportFiles {
  /// The forms that are written to files, in the order in which they are written.
  package enum Form: String, CaseIterable {
    case junit, jsonl, markdown, html
  }

  /// The file of each form that was asked for.
  package var files: [Form: String] = [:]
  /// Whether failures are printed as annotations of a GitHub workflow.
  package var annotates = false

  package init() {}
}

extension ReportFiles.Form {
  /// The option that asks for it.
  fileprivate var option: Option<ReportFiles> {
    .value(rawValue, "FILE", \.files[self], .path(.written), summary).setting(rawValue)
  }

  fileprivate var kind: FileKind? {
    switch self {
    case .junit: .junit
    case .jsonl: .report
    case .markdown: nil
    case .html: .page
    }
  }

  private var summary: String {
    switch self {
    case .junit: "Write a report in JUnit's XML into FILE."
    case .jsonl:
      "Write a report as lines of JSON into FILE, for 'kennel report diff' and 'kennel report badge'."
    case .markdown: "Write a summary in Markdown into FILE, such as $GITHUB_STEP_SUMMARY."
    case .html: "Write a report for a browser into FILE, with every run and its picture."
    }
  }
}

extension ReportFiles {
  /// The options.
  package static var options: [Option<ReportFiles>] {
    Form.allCases.map(\.option) + [
      .flag(
        "github", \.annotates,
        "Print failures as annotations of a GitHub workflow, at their lines.")
    ]
  }

  /// What is wrong with the names of the files; nil for nothing.
  var problem: String? {
    for (index, form) in Form.allCases.enumerated() {
      guard let file = files[form] else { continue }
      if let other = Form.allCases[..<index].first(where: { files[$0] == file }) {
        return "--\(other.rawValue) and --\(form.rawValue) name the same file"
      }
    }
    return nil
  }
}

extension ReportFiles {
  /// Makes sure that all files can be written, before anything is run.
  ///
  /// - Throws: `Failure.output` for one that cannot, and for one that would be lost.
  package func prepare() throws(Failure) {
    for form in Form.allCases {
      if let file = files[form] { try FileKind.requireReplaceable(file, by: form.kind) }
    }
    for form in Form.allCases {
      if let file = files[form] { try Files.write("", to: file) }
    }
  }

  /// Writes the files.
  ///
  /// - Throws: `Failure.output` for one that cannot be written.
  package func write(
    _ records: [RunRecord], _ header: RunHeader, _ summary: Summary, _ rules: RuleBook,
    day: CalendarDate?, warnings: [KnownFailures.Warning]
  ) throws(Failure) {
    for form in Form.allCases {
      guard let file = files[form] else { continue }
      let text =
        switch form {
        case .junit: JUnitReport.text(of: records, header)
        case .jsonl: records.map(\.line).joined() + summary.json(header)
        case .html: page(of: records, header, rules, day)
        case .markdown: MarkdownReport.text(of: records, header, warnings: warnings)
        }
      try Files.write(text, to: file)
    }
  }

  /// A page about these runs. Its date is the one that was stated.
  private func page(
    of records: [RunRecord], _ header: RunHeader, _ rules: RuleBook, _ day: CalendarDate?
  ) -> String {
    let command = (["kennel"] + CommandLine.arguments.dropFirst()).map(shellWord).joined(
      separator: " ")
    return ReportPage(
      [ReportColumn(name: header.client, records)],
      ReportHeader(header, command: command, date: day?.description, rules: rules)
    ).html
  }

  /// The annotations; empty when they were not requested.
  package func annotations(
    _ records: [RunRecord], stop: String?, warnings: [KnownFailures.Warning]
  ) -> String {
    guard annotates else { return "" }
    let root = getenv("GITHUB_WORKSPACE").map { String(cString: $0) }
    let current = try? Files.currentDirectory()
    let display = PathDisplay(home: root ?? current, current: current)
    return Annotations.text(of: records, stop: stop, warnings: warnings) { file in
      let name = display.name(of: file)
      return name.hasPrefix("/") ? nil : name
    }
  }
}

/// Reports in lines of JSON, as a page about one implementation or several of them.
package struct ComparedReports {
  /// A report, and what the implementation is called whose it is.
  private let sources: [(name: String, file: String)]

  /// - Parameter words: Each `NAME=REPORT` or `REPORT`.
  package init(_ words: [String]) {
    sources = words.map { word in
      if let split = word.firstIndex(of: "="), split > word.startIndex {
        return (String(word[..<split]), String(word[word.index(after: split)...]))
      }
      let last = word.split(separator: "/").last.map(String.init) ?? word
      return (last.hasSuffix(".jsonl") ? String(last.dropLast(6)) : last, word)
    }
  }

  /// Writes pages.
  ///
  /// - Parameters:
  ///   - html: Where the page about all of them goes; nil for nowhere.
  ///   - markdown: Where the page about the last one goes; nil for nowhere.
  ///   - badges: The folder for a badge of each; nil for none.
  ///   - warn: Receives warnings, a line each without a newline.
  /// - Throws: `Failure` when a report cannot be read, or a page cannot be written.
  package func write(
    html: String?, markdown: String?, badges: String?, warn: (String) -> Void
  ) throws(Failure) {
    var columns: [ReportColumn] = []
    var page = ""
    let rules = try (try? Home.find())?.ruleBook() ?? RuleBook(files: [])
    let names = sources.map(\.name)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw .unusable(
        "two reports are called \"\(name)\"; expected a name for each: OLD=\(sources[index].file)")
    }
    for source in sources {
      let text = try FileKind.text(of: source.file, expecting: [.report])
      do throws(SourceError) {
        let column = try ReportColumn(name: source.name, text, file: source.file)
        columns.append(column)
        if !column.hasSummary { warn("\(ReportFile.lacksSummary(source.file))") }
        guard markdown != nil else { continue }
        page =
          ClientPage(source.name, try ReportFile(text, file: source.file), rules: rules).markdown
      } catch {
        throw .mistake(error)
      }
    }
    if let markdown { try FileKind.write(page, to: markdown, as: nil) }
    if let badges {
      try Files.makeDirectory(badges)
      for column in columns {
        let name = column.name.replacing("/", with: "-")
        try FileKind.write(
          column.badge.svg, to: Files.join(badges, name + ".svg"), as: .picture)
      }
    }
    guard let html else { return }
    try FileKind.write(
      ReportPage(columns, ReportHeader(rules: rules)).html, to: html, as: .page)
  }
}
