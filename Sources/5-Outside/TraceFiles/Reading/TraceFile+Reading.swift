public import Document
internal import Trace
internal import Tree

extension TraceFile {
  /// Whether a text is a trace and no recording, by how its first line begins. A trace that is cut
  /// off there, or has a mistake further on, is one nevertheless.
  public static func isTrace(_ text: String) -> Bool {
    JSONLines.header(of: text, has: "trace")
  }

  /// Whether a text is the trace of a live session, which cannot be run again.
  public static func isLive(_ text: String) -> Bool {
    JSONLines.header(of: text)?["live"] != nil
  }

  /// Reads the text of a trace.
  ///
  /// The events are hashed again, and the hash must be the one that the last line states: so a file
  /// that was changed by hand, or cut and corrected, is not taken for a run.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - file: The name that errors give to it.
  /// - Throws: `SourceError`, with the location and what was expected there.
  public init(_ text: String, file: String) throws(SourceError) {
    var reader = LineReader(file: file)
    let lines = Self.lines(of: text)
    reader.line = lines[0]
    reader.isLast = lines.count == 1
    let header = try Header(reader.object(), reader)
    self.init(header: header, trace: Trace(), end: .unjudged)
    do throws(SourceError) {
      try takeEvents(lines, &reader)
    } catch {
      if header.session == nil { throw error }
      cut = error
    }
  }

  /// Takes the events and the end. Those of a session are taken as they stand, and there need not be an
  /// end: who wrote them may have been killed.
  private mutating func takeEvents(
    _ lines: [ArraySlice<UInt8>], _ reader: inout LineReader
  ) throws(SourceError) {
    let isSession = header.session != nil
    for (index, line) in lines.enumerated().dropFirst() {
      if line.isEmpty, index == lines.count - 1 { break }
      reader.number = index + 1
      reader.line = line
      reader.isLast = index == lines.count - 1
      let json = try reader.object()
      if let end = json["end"] {
        self.end = try End(end, of: trace, reader.inside("end"))
        return try reader.checkNothingFollows(lines[(index + 1)...])
      }
      // Clients come as they like.
      if isSession, let name = json["client"]?.string, !header.clients.contains(name) {
        header.clients.append(name)
      }
      let event = try TraceEvent(json, clients: header.clients, reader)
      try reader.checkPosition(of: event, in: trace)
      if isSession, let last = trace.events.last, event.time < last.time {
        throw reader.error("the time goes back", at: "t")
      }
      trace.append(event.kind, cause: event.cause, time: event.time, step: event.step)
    }
    if isSession { return }
    throw reader.error(
      "the trace ends after \(trace.count) events without its last line, {\"end\": ...}; "
        + "it was cut off")
  }

  /// The lines, at least one; each ends with LF, or with CR LF after a detour over Windows.
  private static func lines(of text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
    }
  }
}

extension LineReader {
  fileprivate func checkPosition(of event: TraceEvent, in trace: Trace) throws(SourceError) {
    guard event.sequence == trace.count else {
      throw error(
        "this is event \(event.sequence), expected event \(trace.count); lines are missing",
        at: "n")
    }
    if let cause = event.cause, cause < 0 || cause >= event.sequence {
      throw error(
        "event \(event.sequence) has the cause \(cause), which is not before it", at: "cause")
    }
  }

  fileprivate func checkNothingFollows(
    _ lines: ArraySlice<ArraySlice<UInt8>>
  ) throws(SourceError) {
    guard let index = lines.firstIndex(where: { !$0.isEmpty }) else { return }
    var next = self
    next.number = index + 1
    throw next.error("there is a line after {\"end\": ...}; expected it to be the last")
  }
}
