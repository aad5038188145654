package import Document
internal import Tree

/// How mistakes in files are written, a line for each.
package enum ProblemFormat: String, CaseIterable {
  /// `FILE:LINE:COLUMN: TEXT`, as compilers write them.
  case text
  /// An object, for editors and scripts.
  case json
  /// The annotation of a GitHub workflow.
  case github

  /// A mistake, ended by a line feed.
  package func line(of problem: SourceError) -> String {
    switch self {
    case .text: "\(problem)\n"
    case .json:
      JSON.object([
        .init("file", .string(problem.file)),
        .init("line", .number(Double(problem.position.line))),
        .init("column", .number(Double(problem.position.column))),
        .init("message", .string(problem.message)),
      ]).text + "\n"
    case .github:
      Annotations.command(
        "error", file: problem.file, line: problem.position.line,
        column: problem.position.column, title: "kennel check", problem.message)
    }
  }
}
