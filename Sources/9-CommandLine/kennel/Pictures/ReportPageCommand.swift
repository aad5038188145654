import Commands
import Document
import System
import WebPages

/// What `kennel report` was asked for.
struct ReportPageOptions {
  /// A report, and what the implementation is called whose it is.
  struct Source {
    var name: String
    var file: String
  }

  /// The page that is written.
  var html: String
  /// At least one.
  var sources: [Source]
}

extension ReportPageOptions {
  /// - Throws: `Failure.usage` without a report or a page.
  init(_ arguments: Arguments) throws(Failure) {
    guard !arguments.operands.isEmpty else {
      throw arguments.failure("report needs reports in lines of JSON")
    }
    guard let html = arguments.value(of: "html") else {
      throw arguments.failure("where to? report needs --html FILE")
    }
    self.html = html
    sources = arguments.operands.map(Source.init)
  }

  static let grammar = Grammar(
    command: "kennel report", operands: "[NAME=]REPORT...",
    summary: """
      Writes a page with the verdicts of several implementations side by side: a row for each \
      scenario, a column for each report. A REPORT is what 'kennel run --jsonl' wrote; NAME is what \
      its column is called, if not like the file.
      """,
    options: [
      .init(name: "html", value: "FILE", summary: "Write the page to FILE. Must be given.")
    ],
    notes: """
      Specs/pictures.md describes the page. 'kennel run --html FILE' writes one about a single run, \
      with the events and the picture of each scenario.

      Examples:
        kennel report ours=ours.jsonl theirs=theirs.jsonl --html report.html

      \(ExitCode.help)
      """)
}

extension ReportPageOptions.Source {
  /// Reads `NAME=REPORT` or `REPORT`.
  fileprivate init(_ word: String) {
    if let split = word.firstIndex(of: "="), split > word.startIndex {
      self.init(name: String(word[..<split]), file: String(word[word.index(after: split)...]))
      return
    }
    let last = word.split(separator: "/").last.map(String.init) ?? word
    self.init(name: last.hasSuffix(".jsonl") ? String(last.dropLast(6)) : last, file: word)
  }
}

extension ReportPageOptions: Command {
  /// Writes the page.
  func perform() throws(Failure) -> ExitCode {
    var columns: [ReportColumn] = []
    for source in sources {
      let text = try Files.text(of: source.file)
      do throws(SourceError) {
        columns.append(try ReportColumn(name: source.name, text, file: source.file))
      } catch {
        throw .unusable("\(error)")
      }
    }
    try Files.write(ReportPage(columns).html, to: html)
    return .success
  }
}
