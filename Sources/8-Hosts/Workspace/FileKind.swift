package import Document
import Recordings
package import System
import TraceFiles
import Tree

/// What a file is, by what is in it: so a file that is given to the wrong command is told apart from one with
/// mistakes.
package enum FileKind: CaseIterable, Sendable {
  case scenario, project, knownFailures, knownCauses, faults
  case trace, liveTrace, recording, report, har
  case junit, page, picture

  /// The kind of a text; nil for one that has the marks of none.
  ///
  /// - Parameters:
  ///   - text: What is in the file.
  ///   - file: Its path. Project files and `.hunted` ones are recognised by it.
  package init?(of text: String, in file: String) {
    if Files.name(of: file) == ProjectFile.name {
      self = .project
      return
    }
    let lines = Lines(text)
    let kind = lines.kindOfMarkup ?? lines.kindOfJSON ?? lines.kindOfMapping
    guard let kind = kind ?? (file.hasSuffix(".hunted") ? .knownCauses : nil) else { return nil }
    self = kind
  }

  /// The kinds that are traces and recordings.
  package static let recorded: [FileKind] = [.trace, .liveTrace, .recording]

  /// Whether it is a mapping, for people to write.
  var isMapping: Bool {
    [.scenario, .project, .knownFailures, .knownCauses, .faults].contains(self)
  }
}

extension FileKind {
  /// What messages call it.
  package var noun: String {
    switch self {
    case .scenario: "a scenario"
    case .project: "a project file"
    case .knownFailures: "a list of known failures"
    case .knownCauses: "a list of known causes"
    case .faults: "a file of faults"
    case .trace: "a trace"
    case .liveTrace: "the trace of a live session"
    case .recording: "a recording"
    case .report: "a report in lines of JSON"
    case .har: "a HAR, the requests of a browser or proxy"
    case .junit: "a report in JUnit's XML"
    case .page: "an HTML page"
    case .picture: "a picture"
    }
  }

  /// Which command takes one.
  func use(of file: String) -> String {
    let file = shellWord(file)
    return switch self {
    case .scenario: "'kennel run \(file)' runs it"
    case .project: "every command reads it that is started in its folder"
    case .knownFailures:
      "'kennel run --known \(file)' compares with it, 'kennel known \(file)' shows it"
    case .knownCauses: "'kennel hunt --known \(file)' only counts what it lists"
    case .faults: "'kennel serve --faults \(file)' makes them happen"
    case .trace: "'kennel replay \(file)' runs it again, 'kennel view \(file)' shows it"
    case .liveTrace, .recording:
      "'kennel scenario-from \(file)' makes a scenario of it, 'kennel view \(file)' shows it"
    case .report: "'kennel report \(file) -o page.html' makes a page of it"
    case .har:
      "kennel does not read it; 'kennel monitor --proxy URL --record DIR' records what clients and a server say"
    case .junit: "other programs read it; kennel reads what 'kennel run --jsonl FILE' writes"
    case .page, .picture: "open it in a browser"
    }
  }

  /// What is said of a file that is one and should be something else.
  fileprivate func finding(in file: String) -> String {
    "this is \(noun) (\(use(of: file)))"
  }

  /// Where traces come from.
  package static let recordedOrigin =
    "'kennel run ID --trace DIR' writes a trace, 'kennel serve --record DIR' one of a live session"

  /// Where one comes from.
  private var origin: String {
    switch self {
    case .project: "'kennel init' writes one"
    case .scenario:
      "it begins with 'kennel: 1'; \(Home.document("guides/writing-a-scenario.md")) has one to copy"
    case .knownFailures: "'kennel known --update FILE' writes one"
    case .knownCauses: "\(Home.document("guides/hunting-for-failures.md")) has one to copy"
    case .faults: "\(Home.document("guides/live-server.md")) has one to copy"
    case .trace, .liveTrace, .recording: Self.recordedOrigin
    case .report: "'kennel run --jsonl FILE' writes one"
    case .har, .junit, .page, .picture: "'kennel run' writes one"
    }
  }
}

extension FileKind {
  /// What is to be said of a file of another kind than is needed, or without content.
  ///
  /// - Parameters:
  ///   - text: What is in the file.
  ///   - file: Its path.
  ///   - expected: The kinds that will do; at least one.
  /// - Returns: It; nil for a file that can be read as what is needed, and is found to have mistakes or none.
  package static func objection(
    to text: String, in file: String, expecting expected: FileKind...
  ) -> SourceError? {
    objection(to: text, in: file, expecting: expected)
  }

  static func objection(
    to text: String, in file: String, expecting expected: [FileKind]
  ) -> SourceError? {
    let kind = FileKind(of: text, in: file)
    let isExpected = kind.map(expected.contains) ?? false
    if isExpected, !Lines(text).isCutAtOnce { return nil }
    let nouns = expected.filter { $0 != .liveTrace }.map(\.noun)
    let wanted = "expected \(alternatives(nouns))"
    let found: String
    if let kind, !isExpected {
      found = "\(kind.finding(in: file)); \(wanted); \(expected[0].origin)"
    } else if Lines(text).isEmpty {
      found = "the file is empty; \(wanted); \(expected[0].origin)"
    } else if let missing = Lines(text).missingMark(of: expected) {
      found = "\(missing); \(wanted); \(expected[0].origin)"
    } else {
      return nil
    }
    return SourceError(file: file, position: .start, message: found)
  }

  /// The text of a file that a command takes.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - expected: The kinds that will do; at least one.
  /// - Returns: The text.
  /// - Throws: `Failure` when it cannot be read or is of another kind.
  package static func text(
    of file: String, expecting expected: [FileKind]
  ) throws(Failure) -> String {
    let text: String
    do throws(Failure) {
      text = try Files.text(of: file)
    } catch .file(let path, let reason) where !Files.exists(file) {
      throw .file(path: path, reason: "\(reason); \(expected[0].origin)")
    }
    if let objection = objection(to: text, in: file, expecting: expected) {
      throw .mistake(objection)
    }
    return text
  }
}

extension FileKind {
  /// What a file is that cannot be read as something without marks of its own.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - wanted: What was expected, with its article.
  /// - Returns: The reason; nil for a file of none of these kinds.
  package static func otherKind(_ file: String, than wanted: String) -> Failure? {
    guard let text = try? Files.regularText(of: file), let kind = FileKind(of: text, in: file),
      !kind.isMapping || !Lines(text).isInBraces
    else { return nil }
    let message = "\(kind.finding(in: file)); expected \(wanted)"
    return .mistake(SourceError(file: file, position: .start, message: message))
  }
}

extension FileKind {
  /// Reads a file without marks of its own.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - wanted: What is expected, with its article.
  ///   - read: Reads it.
  /// - Returns: What is in it.
  /// - Throws: What the file is, if it is of another kind; else why it cannot be read.
  package static func reading<Value>(
    _ file: String, as wanted: String, _ read: (String) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(Failure) {
      return try read(file)
    } catch {
      throw otherKind(file, than: wanted) ?? error
    }
  }
}

/// The marks of kinds in the lines of a text.
struct Lines {
  private let text: String
  private let lines: [Substring.UTF8View]
  /// Without comments and empty lines.
  private let first: Substring.UTF8View

  init(_ text: String) {
    self.text = text
    lines = text[...].utf8.split(separator: UInt8(ascii: "\n"))
    first = lines.first { $0.rest.first.map { $0 != UInt8(ascii: "#") } ?? false } ?? ""[...].utf8
  }

  var isEmpty: Bool { first.isEmpty }

  /// Whether it begins with words that are no key of a mapping, as documents do.
  private var isProse: Bool {
    !first.contains(UInt8(ascii: ":")) && first.split(separator: UInt8(ascii: " ")).count > 2
  }

  var isInBraces: Bool { first.rest.first == UInt8(ascii: "{") }

  var kindOfMarkup: FileKind? {
    guard first.rest.first == UInt8(ascii: "<") else { return nil }
    let start = text.prefix(2000).lowercased()
    let marks: [(mark: String, kind: FileKind)] = [
      ("<testsuite", .junit), ("<svg", .picture), ("<html", .page), ("<!doctype html", .page),
    ]
    return marks.compactMap { mark in
      start.firstRange(of: mark.mark).map { (place: $0.lowerBound, kind: mark.kind) }
    }.min { $0.place < $1.place }?.kind
  }

  /// That of lines of JSON, of which the first says what the file is.
  var kindOfJSON: FileKind? {
    guard isInBraces else { return nil }
    if TraceFile.isTrace(text) { return TraceFile.isLive(text) ? .liveTrace : .trace }
    if Recording.isRecording(text) { return .recording }
    if isHAR { return .har }
    guard let header = JSONLines.header(of: text) else { return nil }
    return header["summary"] != nil || header["verdict"] != nil ? .report : nil
  }

  /// That of a mapping, by the keys at its top level. A file of several kinds is the first of them, in this
  /// order.
  var kindOfMapping: FileKind? {
    if !has("steps"), names("known") { return .project }
    let marks: [(key: String, kind: FileKind)] = [
      ("steps", .scenario), ("faults", .faults), ("command", .project), ("settings", .project),
      ("clients", .scenario),
      ("known", .knownFailures), ("causes", .knownCauses),
    ]
    return marks.first { has($0.key) }?.kind
  }

  /// Whether a mapping has a key at its top level; in braces, anywhere.
  func has(_ key: String) -> Bool {
    if isProse { return false }
    if isInBraces {
      return ["\"\(key)\"", "\(key):"].contains { text.utf8.firstRange(of: Array($0.utf8)) != nil }
    }
    return value(of: key) != nil
  }

  /// Whether a mapping has a word behind a key at its top level, such as the name of a file.
  private func names(_ key: String) -> Bool {
    guard !isProse, !isInBraces, let first = value(of: key)?.first else { return false }
    return !"[{#|>&!".utf8.contains(first)
  }

  /// What stands in the same line behind a key at the top level.
  private func value(of key: String) -> Substring.UTF8View? {
    let isQuote = { (byte: UInt8) in byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
    let indentation = first.count - first.rest.count
    for line in lines where line.count - line.rest.count == indentation {
      let line = line.rest.drop(while: isQuote)
      let behind = line.dropFirst(key.utf8.count).drop(while: isQuote).rest
      if line.starts(with: key.utf8), behind.first == UInt8(ascii: ":") {
        return behind.dropFirst().rest
      }
    }
    return nil
  }

  /// Whether it begins as a HAR does, on one line or on several.
  private var isHAR: Bool {
    let start = text.prefix(200).filter { !$0.isWhitespace }
    return start.hasPrefix("{\"log\":{")
      && ["\"version\":", "\"creator\":"].contains { start.contains($0) }
  }

  /// Whether there are lines of JSON and the first is not whole.
  var isCutAtOnce: Bool {
    isInBraces && lines.count == 1 && text.utf8.last != UInt8(ascii: "\n")
      && JSONLines.header(of: text) == nil
  }

  /// Why a text cannot be meant as any of these kinds, with mistakes in it; nil where it can.
  func missingMark(of kinds: [FileKind]) -> String? {
    guard kinds.contains(where: \.isMapping) else {
      if !isInBraces { return "the first line is no JSON object" }
      if isCutAtOnce { return "the file ends in the middle of its first line" }
      return kinds.contains(.recording)
        ? "the first line is no JSON object with \"trace\" or \"recording\"" : nil
    }
    let keys = ["kennel", "title", "rules", "clients", "steps", "include", "known", "causes"]
    if keys.contains(where: has) { return nil }
    return "no line begins with \"kennel:\" or \"steps:\""
  }
}

extension Substring.UTF8View {
  /// What comes behind the blanks at the beginning.
  fileprivate var rest: Self { drop { [0x20, 0x09, 0x0D].contains($0) } }
}
