/// One mistake in a text, ready to be shown to the person who wrote it.
///
/// The message has three parts separated by semicolons: what is wrong, what was expected, and how
/// to correct it. It names no file, because the reader of bytes does not know one.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the mistake begins in the text.
  public var position: Position
  /// What is wrong, what was expected and how to correct it, without any location.
  public var message: String

  /// Makes a mistake that begins at `position`; `message` is shown unchanged.
  public init(at position: Position, _ message: String) {
    self.position = position
    self.message = message
  }

  /// `LINE:COLUMN: MESSAGE`.
  public var description: String { "\(position): \(message)" }
}

/// Where something is written: a file, a line of it, or a column of that line.
public struct FileLocation: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file as the caller gave it, relative or absolute.
  public var file: String
  /// From 1; `nil` for the file as a whole.
  public var line: Int?
  /// From 1, in Unicode scalars; `nil` for the line as a whole.
  public var column: Int?

  /// Names a whole file, or one line or column of it where these are known.
  public init(file: String, line: Int? = nil, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Names the line and the column of `position` in `file`.
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
  /// Where the mistake is written, as precisely as it is known.
  public var location: FileLocation
  /// What is wrong; what was expected; what was probably meant, if something comes to mind.
  public var message: String

  /// Makes a mistake at a location that may be as coarse as a whole file.
  public init(_ location: FileLocation, _ message: String) {
    self.location = location
    self.message = message
  }

  /// Makes a mistake whose line and column are both known.
  public init(file: String, position: Position, message: String) {
    self.init(FileLocation(file: file, position: position), message)
  }

  /// A mistake that was found before the name of the file was known.
  public init(file: String, _ error: DocumentError) {
    self.init(file: file, position: error.position, message: error.message)
  }

  /// The path of the file with the mistake, as it was given to `location`.
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
