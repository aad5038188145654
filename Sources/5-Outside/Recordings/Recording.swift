public import ClientInterface
public import Document
public import Trace
public import Tree
internal import Wire

/// One client's half of a conversation with a server, as it was recorded.
public struct Recording: Sendable {
  /// The file it was read from, as reports name it.
  public var file: String
  /// As what the recorded client is judged: `wilddog` is wilddog-2.
  public var profile: Profile
  /// The seed that the first line states; 0 where it states none.
  public var seed: Int
  /// Which of the run's clients this is.
  public var name: String
  /// The clock at the start.
  public var epoch: Instant
  /// What happened, in groups: each input with everything that followed until the next one.
  public var groups: [Group]
  /// Whether a server wrote it down, which takes messages for instantaneous.
  public var isOfServer = false
  /// Whether it has what the client reported to the application; else only requests can be compared.
  public var recordsReceivedEvents = true
  /// Where it could not be read any further; `nil` when it could. What is above is here.
  public var cut: SourceError?

  /// An input and what the client did until the next one.
  public struct Group: Sendable {
    /// The line of the file, from 1.
    public var line: Int
    /// When the input came, since the start of the recording; never before the group above.
    public var time: Interval
    /// `nil` for what a client did on its own before the first input.
    public var input: ClientInput?
    /// The same as it was recorded.
    public var recordedInput: JSON
    /// Each with the verb as its only member.
    public var outputs: [JSON]
    /// When each of them came. A client does what it does at once; of one whose calls are unknown,
    /// what it sends belongs to nothing.
    public var outputTimes: [Interval] = []
  }
}

extension Recording {
  /// The newest version of the format that is understood.
  public static let version = 1

  /// The names that headers give to recorded clients.
  static let profiles: [(client: String, profile: Profile)] = [
    ("wilddog", .wilddog2), ("firebase", .firebase),
  ]

  /// Whether a text is a recording, by how its first line begins. One that is cut off there, or has
  /// a mistake further on, is one nevertheless.
  public static func isRecording(_ text: String) -> Bool {
    JSONLines.header(of: text, has: "recording")
  }

  /// Whether a live server has written a recording, by its first line: it has what went over the
  /// wire, and nothing of the application.
  public static func isOfServer(_ text: String) -> Bool {
    JSONLines.header(of: text)?["namespace"] != nil
  }

  /// Reads the text of a recording: one JSON object a line, a header first.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - file: The name that errors and reports give to it.
  /// - Throws: `SourceError`, with the line and what was expected there.
  public init(_ text: String, file: String) throws(SourceError) {
    var reader = Reader(file: file)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    reader.text = lines[0]
    let header = try reader.object(lines[0])
    self.file = file
    profile = try reader.profile(header)
    name = header["name"]?.string ?? ""
    seed = header["seed"]?.integer ?? 0
    epoch = try reader.epoch(header)
    isOfServer = header["namespace"] != nil
    groups = []
    for (index, line) in lines.enumerated().dropFirst() {
      if line.isEmpty, index == lines.count - 1 { break }
      reader.line = index + 1
      reader.text = line
      try append(try reader.object(line), reader)
    }
  }

  /// Reads a recording without its last line, if that is broken: its writer may have been killed.
  ///
  /// - Throws: `SourceError` for a mistake in the header, and in a line that others follow.
  public static func readable(
    _ text: String, file: String
  ) throws(SourceError) -> Recording {
    do throws(SourceError) {
      return try Recording(text, file: file)
    } catch {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let isLast = lines.dropFirst(error.position.line).allSatisfy(\.isEmpty)
      if error.position.line <= 1 || !isLast { throw error }
      var rest = try Recording(
        lines.prefix(error.position.line - 1).joined(separator: "\n"), file: file)
      rest.cut = error
      return rest
    }
  }

  private mutating func append(_ json: JSON, _ reader: Reader) throws(SourceError) {
    guard let number = json["t"] else {
      throw reader.error("the line has no number \"t\", the time")
    }
    let time = try reader.reading("t") { () throws(VocabularyError) in
      try Interval(number, called: "t")
    }
    if let last = groups.last, time < last.outputTimes.last ?? last.time {
      throw reader.error("the time goes back, to \(json["t"]?.text ?? "")", at: "t")
    }
    if let input = json["in"] {
      groups.append(
        Group(
          line: reader.line, time: time, input: try reader.input(input), recordedInput: input,
          outputs: []))
    } else if let output = json["out"], let verb = output.members?.first?.name,
      output.members?.count == 1
    {
      try reader.requireOutput(verb)
      if groups.isEmpty {
        groups.append(
          Group(line: reader.line, time: time, input: nil, recordedInput: .null, outputs: []))
      }
      groups[groups.count - 1].outputs.append(output)
      groups[groups.count - 1].outputTimes.append(max(time, groups[groups.count - 1].time))
    } else {
      throw reader.error("the line has neither \"in\" nor \"out\" with one verb", at: "out")
    }
  }
}

/// Reads lines and knows where it is.
private struct Reader {
  let file: String
  var line = 1
  /// What is in the line.
  var text: Substring = ""

  /// A mistake in the part of the line to which these keys lead.
  func error(_ message: String, at keys: String...) -> SourceError {
    let column = JSONLines.column(of: keys, in: text.utf8)
    return SourceError(FileLocation(file: file, line: line, column: column), message)
  }

  func object(_ text: Substring) throws(SourceError) -> JSON {
    if text.isEmpty { throw error("the line is empty; expected a JSON object") }
    let json = try JSONLines.value(of: Array(text.utf8)[...], number: line, in: file)
    guard json.members != nil else {
      throw error("the line is \(json.kind); expected a JSON object")
    }
    return json
  }

  func profile(_ header: JSON) throws(SourceError) -> Profile {
    guard let version = header["recording"]?.integer else {
      throw error("this is no recording: the first line has no number \"recording\"")
    }
    guard version <= Recording.version else {
      throw error(
        "the recording has version \(version); this kit reads up to \(Recording.version); expected "
          + "\"recording\": \(Recording.version), or a newer kit")
    }
    guard let client = header["client"] else {
      throw error("the first line has no \"client\"; expected wilddog or firebase")
    }
    guard let known = Recording.profiles.first(where: { client == .string($0.client) }) else {
      let names = Recording.profiles.map(\.client).joined(separator: " and ")
      throw error(
        "there is no profile for the client \(client.text); there are \(names)", at: "client")
    }
    return known.profile
  }

  func epoch(_ header: JSON) throws(SourceError) -> Instant {
    guard let number = header["epoch"] else { return Instant(nanoseconds: 0) }
    return try reading("epoch") { () throws(VocabularyError) in
      try Instant(number, called: "epoch")
    }
  }

  /// Runs what reads the part of the line that is called `key`, and says where it was.
  func reading<Value>(
    _ key: String, _ body: () throws(VocabularyError) -> Value
  ) throws(SourceError) -> Value {
    do {
      return try body()
    } catch {
      throw self.error("\(error)", at: key)
    }
  }

  func input(_ json: JSON) throws(SourceError) -> ClientInput {
    do {
      return try ClientInput(recorded: json)
    } catch {
      throw self.error("\(error)", at: "in")
    }
  }

  func requireOutput(_ verb: String) throws(SourceError) {
    // Some clients record that their process ends.
    if ClientOutput.Verb(rawValue: verb) != nil || verb == "close" { return }
    let known = ClientOutput.Verb.allCases.map(\.rawValue) + ["close"]
    let hint = didYouMean(
      closestMatches(to: verb, in: known), orElse: "; expected \(alternatives(known))")
    throw error("unknown output \"\(verb)\"\(hint)", at: "out")
  }
}

extension ClientInput {
  /// Reads `{VERB: {…}}` of an `in` line.
  fileprivate init(recorded json: JSON) throws {
    guard let verb = json.members?.first?.name, json.members?.count == 1 else {
      throw VocabularyError("\"in\" is \(json.kind), expected a mapping with one verb")
    }
    let known = ["call", "opened", "refused", "frame", "closed"]
    guard known.contains(verb) else {
      throw VocabularyError(unknown: verb, of: "an input", known: known)
    }
    try self.init(json: json)
  }
}

extension Recording {
  /// The half of a run that one client saw and did, as the text of a recording.
  ///
  /// - Parameters:
  ///   - client: Which of the run's clients.
  ///   - trace: The run, with its events.
  ///   - name: What the recording calls the client.
  ///   - profile: The profile of the run; its dialect is the recorded client's.
  ///   - seed: The seed of the run.
  ///   - epoch: What clocks showed at the start of the run.
  /// - Returns: One JSON object a line, a header first.
  /// - Complexity: O(*n*) in the size of the trace.
  public static func text(
    of client: ClientIndex, in trace: Trace, name: String, profile: Profile, seed: UInt64,
    epoch: Instant
  ) -> String {
    var lines: [JSON] = [
      [
        "recording": .number(Double(version)), "client": .string(profile.dialect.rawValue),
        "seed": .number(Double(seed)), "name": .string(name), "epoch": .number(epoch.milliseconds),
      ]
    ]
    for event in events(of: client, in: trace) {
      switch event.kind {
      case let .input(_, input): lines.append(event.line("in", input.json(in: profile.dialect)))
      case let .output(_, output): lines.append(event.line("out", output.json(in: profile.dialect)))
      default: continue
      }
    }
    return lines.map { $0.text + "\n" }.joined()
  }

  /// The events of a run that the recording of a client has, a line each below the header.
  package static func events(of client: ClientIndex, in trace: Trace) -> [TraceEvent] {
    trace.events.filter { event in
      switch event.kind {
      // A client that replays it makes the calls of its callbacks by itself.
      case .input(client, let input): input.isRecorded && !event.isNestedCall
      case .output(client, let output): output.isRecorded
      default: false
      }
    }
  }
}

extension TraceEvent {
  fileprivate func line(_ direction: String, _ content: JSON) -> JSON {
    .object([
      .init("t", .number(time.milliseconds)), .init(direction, content),
    ])
  }
}

extension ClientInput {
  /// Timers and the ends of processes are not seen.
  fileprivate var isRecorded: Bool {
    switch self {
    case .call, .opened, .refused, .frame, .closed: true
    case .open, .timer, .close: false
    }
  }
}

extension ClientOutput {
  /// Timers, storage and remarks are the client's own business.
  fileprivate var isRecorded: Bool {
    switch topic {
    case .connect, .send, .disconnect, .listener, .call, .nesting, .uncaught: true
    case .timer, .storage, .remark: false
    }
  }
}
