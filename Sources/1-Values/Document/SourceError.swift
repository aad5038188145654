/// One mistake in a text, ready to be shown to the person who wrote it.
///
/// The message has three parts separated by semicolons: what is wrong, what was expected, and how
/// to correct it. It names no file, because the reader of bytes does not know one.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  public var position: Position
  public var message: String

  public init(at position: Position, _ message: String) {
    self.position = position
    self.message = message
  }

  /// `LINE:COLUMN: MESSAGE`.
  public var description: String { "\(position): \(message)" }
}

/// Where something is written: a file, a line of it, or a column of that line.
public struct FileLocation: Hashable, Sendable, CustomStringConvertible {
  public var file: String
  /// From 1; `nil` for the file as a whole.
  public var line: Int?
  /// From 1, in Unicode scalars; `nil` for the line as a whole.
  public var column: Int?

  public init(file: String, line: Int? = nil, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  public init(file: String, position: Position) {
    self.init(file: file, line: position.line, column: position.column)
  }

  /// `FILE:LINE:COLUMN`, as compilers write it, without what is not known.
  public var description: String {
    ([file] + [line, column].compactMap { $0 }.map(String.init)).joined(separator: ":")
  }
}

/// One mistake in a file, ready to be shown to the person who wrote it.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  public var location: FileLocation
  /// What is wrong; what was expected; what was probably meant, if something comes to mind.
  public var message: String

  public init(_ location: FileLocation, _ message: String) {
    self.location = location
    self.message = message
  }

  public init(file: String, position: Position, message: String) {
    self.init(FileLocation(file: file, position: position), message)
  }

  /// A mistake that was found before the name of the file was known.
  public init(file: String, _ error: DocumentError) {
    self.init(file: file, position: error.position, message: error.message)
  }

  public var file: String { location.file }

  /// Where the mistake begins; the start of the line or of the file where no more is known.
  public var position: Position {
    Position(line: location.line ?? 1, column: location.column ?? 1)
  }

  /// `FILE:LINE:COLUMN: MESSAGE`.
  public var description: String { "\(location): \(message)" }
}

extension [SourceError] {
  /// Those of one file in reading order.
  public func inReadingOrder() -> [SourceError] {
    sorted { ($0.position, $0.message) < ($1.position, $1.message) }
  }
}
