public import Scenario

extension Scenario {
  /// The scenario as a file, as a person would write it; ends with a line feed.
  ///
  /// Read again, it is the same scenario, but for its id, its file, and the positions and texts of
  /// its parts. A scenario of a matrix is one without parameters, and steps of fragments are among
  /// its own.
  ///
  /// - Parameter comment: What is above everything else, as lines that begin with `#`.
  /// - Returns: The text of the file.
  public func yaml(comment: String = "") -> String {
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    let above = comment.isEmpty ? [] : lines.map { $0.isEmpty ? "#" : "# \($0)" }
    let parts = Self.parts.flatMap { $0.field.write(self) }
    return (above + YAML.mapping(parts, .block).lines).map { $0 + "\n" }.joined()
  }
}
