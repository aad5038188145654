public import ClientInterface
internal import Document
public import Tree
internal import Wire

/// One client's half of a conversation with a server, as it was recorded.
public struct Recording: Sendable {
  /// The client that was recorded: `wilddog`, `firebase`, ….
  public var client: String
  public var seed: Int
  /// Which of the run's clients this is.
  public var name: String
  /// The clock at the start.
  public var epoch: Instant
  /// What happened, in groups: each input with everything that followed until the next one.
  public var groups: [Group]

  /// An input and what the client did until the next one.
  public struct Group: Sendable {
    /// The line of the file, from 1.
    public var line: Int
    public var time: Interval
    /// `nil` for what a client did on its own before the first input.
    public var input: ClientInput?
    /// Each with the verb as its only member.
    public var outputs: [JSON]
  }
}

/// A recording that cannot be read.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  public var line: Int
  public var message: String

  public var description: String { "line \(line): \(message)" }
}

extension Recording {
  /// The newest version of the format that is understood.
  public static let version = 1

  /// Reads the text of a recording: one JSON object a line, a header first.
  ///
  /// - Throws: `RecordingError`, with the line and what was expected there.
  public init(_ text: String) throws(RecordingError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let header = try Self.object(lines[0], 1)
    guard let version = header["recording"]?.integer else {
      throw RecordingError(
        line: 1, message: "this is no recording: the first line has no number \"recording\"")
    }
    guard version <= Self.version else {
      throw RecordingError(
        line: 1,
        message: "the recording has version \(version); this kit reads up to \(Self.version)")
    }
    client = header["client"]?.string ?? ""
    name = header["name"]?.string ?? ""
    seed = header["seed"]?.integer ?? 0
    epoch = Instant(milliseconds: header["epoch"]?.number ?? 0)
    groups = []
    for (index, line) in lines.enumerated().dropFirst() {
      if line.isEmpty, index == lines.count - 1 { break }
      try append(try Self.object(line, index + 1), line: index + 1)
    }
  }

  private mutating func append(_ json: JSON, line: Int) throws(RecordingError) {
    guard let milliseconds = json["t"]?.number else {
      throw RecordingError(line: line, message: "the line has no number \"t\", the time")
    }
    let time = Interval(nanoseconds: Int64(milliseconds * 1_000_000))
    if let input = json["in"] {
      do {
        let input = try ClientInput(recorded: input)
        groups.append(Group(line: line, time: time, input: input, outputs: []))
      } catch {
        throw RecordingError(line: line, message: "\(error)")
      }
    } else if let output = json["out"], output.members?.count == 1 {
      if groups.isEmpty { groups.append(Group(line: line, time: time, input: nil, outputs: [])) }
      groups[groups.count - 1].outputs.append(output)
    } else {
      throw RecordingError(
        line: line, message: "the line has neither \"in\" nor \"out\" with one verb")
    }
  }

  private static func object(_ text: Substring, _ line: Int) throws(RecordingError) -> JSON {
    do {
      return try JSON(parsing: Array(text.utf8))
    } catch {
      throw RecordingError(line: line, message: "\(error.message)")
    }
  }
}

extension ClientInput {
  /// Reads `{VERB: {…}}` of an `in` line.
  fileprivate init(recorded json: JSON) throws {
    guard let member = json.members?.first, json.members?.count == 1 else {
      throw VocabularyError("\"in\" is \(json.kind), expected a mapping with one verb")
    }
    switch member.name {
    case "call":
      self = .call(CallID(try member.value.text("id")), try Operation(json: member.value))
    case "opened": self = .opened
    case "refused": self = .refused
    case "closed": self = .closed
    case "frame": self = .frame(try ServerMessage(json: member.value))
    default:
      throw VocabularyError(
        "\"\(member.name)\" is not an input; expected call, opened, refused, frame or closed")
    }
  }
}
