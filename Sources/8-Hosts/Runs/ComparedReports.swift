import Document
import Reports
package import System
import WebPages

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
  /// - Throws: `Failure` when a report cannot be read, or a page cannot be written.
  package func write(html: String?, markdown: String?) throws(Failure) {
    var columns: [ReportColumn] = []
    var page = ""
    for source in sources {
      let text = try Files.text(of: source.file)
      do throws(SourceError) {
        columns.append(try ReportColumn(name: source.name, text, file: source.file))
        guard markdown != nil else { continue }
        page = ClientPage(source.name, try ReportFile(text, file: source.file)).markdown
      } catch {
        throw .unusable("\(error)")
      }
    }
    if let markdown { try Files.write(page, to: markdown) }
    if let html { try Files.write(ReportPage(columns).html, to: html) }
  }
}
