public import Document

/// One mistake in a scenario file, ready to be shown to the person who wrote it.
public struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public var file: String
  public var position: Position
  /// What is wrong; what was expected; what was probably meant, if something comes to mind.
  public var message: String

  public init(file: String, position: Position, message: String) {
    self.file = file
    self.position = position
    self.message = message
  }

  /// `FILE:LINE:COLUMN: MESSAGE`.
  public var description: String { "\(file):\(position): \(message)" }
}
