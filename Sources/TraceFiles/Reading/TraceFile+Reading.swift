internal import Document
internal import Trace
internal import Tree

extension TraceFile {
  /// Whether a text is a trace and no recording, by its first line.
  public static func isTrace(_ text: String) -> Bool {
    let line = text.prefix { $0 != "\n" }
    guard let header = try? JSON(parsing: String(line)) else { return false }
    return header["trace"] != nil
  }

  /// Reads the text of a trace.
  ///
  /// The events are hashed again, and the hash must be the one that the last line states: so a file
  /// that was changed by hand, or cut and mended, is not taken for a run.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - file: The name that errors give to it.
  /// - Throws: `TraceFileError`, with the line and what was expected there.
  public init(_ text: String, file: String) throws(TraceFileError) {
    var reader = LineReader(file: file)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let header = try Header(reader.object(lines[0]), reader)
    var trace = Trace()
    for (index, line) in lines.enumerated().dropFirst() {
      if line.isEmpty, index == lines.count - 1 { break }
      reader.line = index + 1
      let json = try reader.object(line)
      if let end = json["end"] {
        try reader.checkNothingFollows(lines[(index + 1)...])
        self.init(header: header, trace: trace, end: try End(end, of: trace, reader))
        return
      }
      let event = try TraceEvent(json, clients: header.clients, reader)
      try reader.checkPlace(of: event, in: trace)
      trace.append(event.kind, cause: event.cause, time: event.time, step: event.step)
    }
    throw reader.error(
      "the trace ends after \(trace.count) events without its last line, {\"end\": ...}; "
        + "it was cut off")
  }
}

/// Reads the members of lines and knows where it is.
struct LineReader {
  let file: String
  var line = 1

  init(file: String) {
    self.file = file
  }

  func error(_ message: String) -> TraceFileError {
    TraceFileError(file: file, line: line, message: message)
  }

  func object(_ text: Substring) throws(TraceFileError) -> JSON {
    if text.isEmpty { throw error("the line is empty; expected a JSON object") }
    let json = try parse(Array(text.utf8))
    guard json.members != nil else {
      throw error("the line is \(json.kind); expected a JSON object")
    }
    return json
  }

  /// A line that cannot be read is read again with what stands above it left empty, so that the
  /// message names places of the file.
  private func parse(_ text: [UInt8]) throws(TraceFileError) -> JSON {
    if let json = try? JSON(parsing: text) { return json }
    let above = [UInt8](repeating: UInt8(ascii: "\n"), count: line - 1)
    do throws(JSONError) {
      return try JSON(parsing: above + text)
    } catch {
      throw self.error(error.message)
    }
  }

  func member(_ name: String, of json: JSON) throws(TraceFileError) -> JSON {
    guard let value = json[name] else { throw error("\"\(name)\" is missing") }
    return value
  }

  func text(_ name: String, of json: JSON) throws(TraceFileError) -> String {
    let value = try member(name, of: json)
    guard let text = value.string else {
      throw error("\"\(name)\" is \(value.kind), expected a string")
    }
    return text
  }

  func integer(_ name: String, of json: JSON) throws(TraceFileError) -> Int {
    let value = try member(name, of: json)
    guard let integer = value.integer else {
      throw error("\"\(name)\" is \(value.text), expected a whole number")
    }
    return integer
  }

  func list(_ name: String, of json: JSON) throws(TraceFileError) -> [JSON] {
    let value = try member(name, of: json)
    guard let elements = value.elements else {
      throw error("\"\(name)\" is \(value.kind), expected a list")
    }
    return elements
  }

  /// Runs what reads a part of the line, and says where it was.
  func reading<Value>(_ body: () throws -> Value) throws(TraceFileError) -> Value {
    do {
      return try body()
    } catch {
      throw self.error("\(error)")
    }
  }

  func checkPlace(of event: TraceEvent, in trace: Trace) throws(TraceFileError) {
    guard event.sequence == trace.count else {
      throw error(
        "this is event \(event.sequence), expected event \(trace.count); lines are missing")
    }
    if let cause = event.cause, cause < 0 || cause >= event.sequence {
      throw error("event \(event.sequence) has the cause \(cause), which is not before it")
    }
  }

  func checkNothingFollows(_ lines: ArraySlice<Substring>) throws(TraceFileError) {
    guard lines.contains(where: { !$0.isEmpty }) else { return }
    var next = self
    next.line += 1
    throw next.error("there is a line after {\"end\": ...}; expected it to be the last")
  }
}
