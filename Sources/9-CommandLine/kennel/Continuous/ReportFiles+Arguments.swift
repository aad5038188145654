import Commands
import Runs
import System

extension ReportFiles {
  static let grammar: [Grammar.Option] = [
    .init(name: "junit", value: "FILE", summary: "Write a report in JUnit's XML into FILE."),
    .init(name: "tap", value: "FILE", summary: "Write a report in TAP 14 into FILE."),
    .init(
      name: "jsonl", value: "FILE",
      summary: "Write a report as lines of JSON into FILE, for 'kennel diff' and 'kennel badge'."),
    .init(
      name: "markdown", value: "FILE",
      summary: "Write a summary in Markdown into FILE, such as $GITHUB_STEP_SUMMARY."),
    .init(
      name: "html", value: "FILE",
      summary: "Write a report for a browser into FILE, with every run and its picture."),
    .init(
      name: "github",
      summary: "Print failures as annotations of a GitHub workflow, at their lines."),
  ]

  init(_ arguments: Arguments) throws(Failure) {
    self.init()
    for form in Form.allCases {
      guard let file = arguments.value(of: form.rawValue) else { continue }
      if let other = Form.allCases.first(where: { files[$0] == file }) {
        throw arguments.failure("--\(other.rawValue) and --\(form.rawValue) name the same file")
      }
      files[form] = file
    }
    annotates = arguments.contains("github")
  }
}
