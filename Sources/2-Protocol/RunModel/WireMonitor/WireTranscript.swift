internal import ClientInterface
public import Document
public import Trace
internal import Tree
internal import Wire

/// What the monitor reports about a recording or a trace: of what its clients sent and received,
/// line by line.
///
/// Only what the monitor needs is read: a file that is cut off, or whose messages cannot be
/// understood, is judged as well.
public struct WireTranscript: Sendable {
  /// A finding, with where it is.
  public struct LocatedFinding: Hashable, Sendable {
    /// The line of the file, from 1.
    public var line: Int
    /// Whose connection it is, where there are several clients.
    public var client: String?
    /// What the monitor found at that line: the check, the rule, the sender and the text.
    public var finding: WireFinding

    /// `FILE:LINE: TEXT (RULE)`.
    public func text(file: String) -> String {
      let whose = client.map { "\($0): " } ?? ""
      let note = finding.isNote ? "note: " : ""
      return "\(file):\(line): \(note)\(whose)\(finding.text) (\(finding.rule))"
    }
  }

  /// All findings and notes, in the order of the lines at which they were made.
  public private(set) var locatedFindings: [LocatedFinding] = []
  /// Connections: those without a finding, notes apart, passed; those that did not come about are
  /// skipped.
  public private(set) var tally = Tally()

  private let file: String
  /// The monitor of a client of which nothing is known.
  private let unused: WireMonitor
  private let hasManyClients: Bool
  /// By the names of clients.
  private var monitors: [String: WireMonitor] = [:]
  private var connections: [String: Connection] = [:]
  private var line = 1

  /// The present connection of a client; what is found without one counts as one.
  private struct Connection {
    var isAsked = false
    var isOpen = false
    var hasFailed = false
    /// Whether the application has called the client off the network: some recordings leave out how
    /// it goes.
    var isLeaving = false
  }

  /// Whether a text is a recording or a trace, by its first line.
  public static func isTranscript(_ text: String) -> Bool { header(of: text) != nil }

  private static func header(of text: String) -> JSON? {
    JSONLines.header(of: text).flatMap { ($0["recording"] ?? $0["trace"]) == nil ? nil : $0 }
  }

  /// Reads and judges a file.
  ///
  /// - Parameters:
  ///   - text: What is in it.
  ///   - file: The name that errors give to it.
  /// - Throws: `SourceError` where a line means nothing.
  public init(_ text: String, file: String) throws(SourceError) {
    self.file = file
    guard let header = Self.header(of: text) else {
      throw SourceError(
        FileLocation(file: file, line: 1),
        "this is neither a recording nor a trace; expected a JSON object with "
          + "\"recording\" or \"trace\" in the first line")
    }
    // What a server wrote down is what it saw.
    let isOfServer =
      header["namespace"] != nil || header["live"] != nil || header["client"] == "live"
    unused = WireMonitor(
      try Self.dialect(header, file), seenBy: isOfServer ? .server : .client)
    hasManyClients = header["trace"] != nil
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let isCut = text.utf8.last != UInt8(ascii: "\n")
    for (index, text) in lines.enumerated().dropFirst() {
      if text.isEmpty, index == lines.count - 1 { break }
      line = index + 1
      try take(text, isCut: isCut && index == lines.count - 1)
    }
    for name in connections.keys.sorted() { finish(name) }
  }

  private static func dialect(_ header: JSON, _ file: String) throws(SourceError) -> Dialect {
    let name = header["trace"] == nil ? header["client"]?.string : header["profile"]?.string
    let known = name.flatMap { Dialect(rawValue: $0) ?? Profile(named: $0)?.dialect }
    if let known { return known }
    guard let name else {
      let key = header["trace"] == nil ? "client" : "profile"
      throw SourceError(
        FileLocation(file: file, line: 1, column: 1),
        "the first line has no \"\(key)\"; expected wilddog or firebase, or one of their profiles")
    }
    throw SourceError(
      FileLocation(file: file, line: 1),
      "there is no dialect for \"\(name)\"; expected wilddog or firebase, or one of "
        + "their profiles")
  }

  /// The longest line that is read, in bytes.
  private static let longestLine = 64 << 20

  private mutating func take(_ text: Substring, isCut: Bool) throws(SourceError) {
    let json: JSON
    do throws(DocumentError) {
      json = try JSON(parsing: Array(text.utf8), upTo: Self.longestLine)
    } catch {
      if isCut { return }
      // Servers write down what they were sent, whatever it was.
      guard let start = text.utf8.firstRange(of: #""out":{"send":"#.utf8) else {
        throw SourceError(
          FileLocation(file: file, line: line, column: error.position.column),
          "the line is no JSON: \(error.message)")
      }
      let name = monitors.count == 1 ? monitors.keys.first ?? "" : ""
      let message = String(text[start.upperBound...].dropLast(2))
      return with(name) { $0.judge(unreadable: message, error, by: .client) }
    }
    let name = json["client"]?.string ?? ""
    let now =
      try json["t"].map { (time) throws(SourceError) in try instant(time, in: text) }
      ?? Instant(nanoseconds: 0)
    let direction = json["in"]?.members?.first == nil ? "out" : "in"
    guard let verb = json[direction]?.members?.first else { return }
    take(direction, verb, of: name, at: now)
  }

  /// When a line was written, as a clock that shows 0 at the start.
  private func instant(_ time: JSON, in text: Substring) throws(SourceError) -> Instant {
    do throws(VocabularyError) {
      return Instant(nanoseconds: 0) + (try Interval(time, called: "t"))
    } catch {
      let column = JSONLines.column(of: ["t"], in: text.utf8)
      throw SourceError(FileLocation(file: file, line: line, column: column), "\(error)")
    }
  }

  private mutating func take(
    _ direction: String, _ verb: JSON.Member, of name: String, at now: Instant
  ) {
    switch (direction, verb.name) {
    case ("in", "open"):
      finish(name)
      monitors[name] = nil
    case ("in", "opened"):
      monitors[name, default: unused].opened()
      connections[name, default: Connection()].isAsked = true
      connections[name]?.isOpen = true
    case ("in", "frame"): with(name) { $0.received(verb.value, at: now) }
    case ("in", "closed"), ("in", "refused"), (_, "close"), ("out", "disconnect"):
      end(name, at: now)
    case ("in", _):
      if verb.value["op"] == "go-offline" {
        connections[name, default: Connection()].isLeaving = true
      }
      monitors[name, default: unused].interrupted()
    case (_, "connect"):
      if connections[name]?.isLeaving == true { end(name, at: now) }
      let isSecond = connections[name]?.isAsked == true
      with(name) { $0.connecting() }
      if isSecond { finish(name) }
      connections[name, default: Connection()].isAsked = true
    case (_, "send"): with(name) { $0.sent(verb.value, at: now) }
    default: break
    }
  }

  private mutating func end(_ name: String, at now: Instant) {
    with(name) { $0.ended(at: now) }
    finish(name)
  }

  /// Has something judged at a client, and keeps what is found.
  private mutating func with(_ name: String, _ body: (inout WireMonitor) -> [WireFinding]) {
    for finding in body(&monitors[name, default: unused]) {
      if !finding.isNote { connections[name, default: Connection()].hasFailed = true }
      locatedFindings.append(
        LocatedFinding(line: line, client: hasManyClients ? name : nil, finding: finding))
    }
  }

  /// Counts the present connection of a client.
  private mutating func finish(_ name: String) {
    guard let connection = connections.removeValue(forKey: name) else { return }
    if connection.hasFailed {
      tally.failed += 1
    } else if connection.isOpen {
      tally.passed += 1
    } else if connection.isAsked {
      tally.skipped += 1
    }
  }
}
