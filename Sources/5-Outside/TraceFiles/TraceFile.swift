public import ClientInterface
public import Conformance
public import Document
public import Scenario
import ScenarioFiles
internal import Simulator
public import Trace
public import Tree

/// A run as a file keeps it: what determined it, everything that happened, how it was judged.
///
/// It is enough to see what happened without running anything, and enough to run it again: the
/// texts of the scenario are in it, and every choice that was not benign.
public struct TraceFile: Sendable {
  /// The newest version of the format that is understood.
  public static let version = 2

  /// What determined the run, from the first line of the file.
  public var header: Header
  /// The events, with the hash and the checkpoints that they have.
  public var trace: Trace
  /// How the run was judged; unjudged for a live session that was cut off.
  public var end: End
  /// Where the trace of a live session could not be read any further; `nil` when it could. What is
  /// above is here.
  public var cut: SourceError?

  /// A whole file, which is not cut, from its three parts.
  public init(header: Header, trace: Trace, end: End) {
    self.header = header
    self.trace = trace
    self.end = end
  }

  /// What determined the run.
  public struct Header: Hashable, Sendable {
    /// The version of the kit that made the run.
    public var kit: String
    /// The id of the scenario.
    public var scenario: String
    /// The title of the scenario.
    public var title: String
    /// The path under which its file was read.
    public var file: String
    /// The profile in which the scenario ran.
    public var profile: Profile
    /// The seed of the run.
    public var seed: UInt64
    /// The client under test, as the command line calls it.
    public var client: String
    /// The names of the scenario's clients, in order of their index.
    public var clients: [String]
    /// By what the run was judged. With `invariants` a scenario with expectations ran without them.
    public var judging: Scenario.Judging
    /// The choices that were not benign.
    public var choices: [Scenario.Choice]
    /// The texts that the scenario was read from: its file, then the fragments that it includes.
    public var sources: [Source]
    /// What happened on real sockets; `nil` for a run in virtual time, which can be made again.
    public var session: LiveSession?

    /// Describes a run; without a session it is one in virtual time, which can be made again.
    public init(
      kit: String, scenario: String, title: String, file: String, profile: Profile, seed: UInt64,
      client: String, clients: [String], judging: Scenario.Judging, choices: [Scenario.Choice],
      sources: [Source], session: LiveSession? = nil
    ) {
      self.session = session
      self.kit = kit
      self.scenario = scenario
      self.title = title
      self.file = file
      self.profile = profile
      self.seed = seed
      self.client = client
      self.clients = clients
      self.judging = judging
      self.choices = choices
      self.sources = sources
    }
  }

  /// What is known at the beginning of a session on real sockets.
  public struct LiveSession: Hashable, Sendable {
    /// What clocks showed at time 0.
    public var epoch: Instant
    /// The server's tree at time 0.
    public var data: Node

    /// A session on real sockets, which begins with an empty tree unless data is given.
    public init(epoch: Instant, data: Node = .empty) {
      self.epoch = epoch
      self.data = data
    }
  }

  /// A file that the scenario was read from.
  public struct Source: Hashable, Sendable {
    /// The path under which the file was read.
    public var file: String
    /// The whole text of the file.
    public var text: String

    /// Keeps the text that was read under the path.
    public init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  /// What came out.
  public struct End: Hashable, Sendable {
    /// How the run was judged.
    public var verdict: Verdict
    /// Why the verdict is neither pass nor fail.
    public var reason: String?
    /// Each as reports in JSON have it; `event` is the number of the event that it became apparent
    /// by.
    public var divergences: [JSON]

    /// States the verdict on a run, by default without a reason and divergences.
    public init(verdict: Verdict, reason: String? = nil, divergences: [JSON] = []) {
      self.verdict = verdict
      self.reason = reason
      self.divergences = divergences
    }
  }
}

extension TraceFile.Header {
  /// Makes sure that the version of the format is one that is known.
  private static func requireVersion(
    of json: JSON, _ reader: LineReader
  ) throws(SourceError) {
    guard let version = json["trace"]?.integer else {
      let found =
        json["trace"].map { "\"trace\" is \($0.text)" }
        ?? "this is no trace: the first line has no \"trace\""
      throw reader.error(
        "\(found); expected the version of the format: \(TraceFile.version)", at: "trace")
    }
    guard version <= TraceFile.version else {
      throw reader.error(
        "the trace has version \(version); this kit reads up to \(TraceFile.version); expected one of this "
          + "kit: make it again with 'kennel run --trace DIR', or use the kit that wrote it",
        at: "trace")
    }
  }

  init(_ json: JSON, _ reader: LineReader) throws(SourceError) {
    try Self.requireVersion(of: json, reader)
    let name = try reader.text("profile", of: json)
    guard let profile = Profile(named: name) else {
      let names = Profile.all.map(\.name).joined(separator: ", ")
      throw reader.error("there is no profile \"\(name)\"; there are \(names)", at: "profile")
    }
    let seed = try reader.text("seed", of: json)
    guard let seed = UInt64(seed) else {
      throw reader.error("\"seed\" is \"\(seed)\", expected a whole number of 64 bits", at: "seed")
    }
    let clients = try reader.texts("clients", of: json)
    let judge = try reader.text("judge", of: json)
    guard let judging = Scenario.Judging(rawValue: judge) else {
      throw reader.error(
        "\"judge\" is \"\(judge)\", expected expectations or invariants", at: "judge")
    }
    var sources: [TraceFile.Source] = []
    let inSources = reader.inside("sources")
    for source in try reader.list("sources", of: json) {
      sources.append(
        .init(
          file: try inSources.text("file", of: source),
          text: try inSources.text("text", of: source)))
    }
    self.init(
      kit: try reader.text("kennel", of: json), scenario: try reader.text("scenario", of: json),
      title: try reader.text("title", of: json), file: try reader.text("file", of: json),
      profile: profile, seed: seed, client: try reader.text("client", of: json), clients: clients,
      judging: judging, choices: try Self.choices(json, clients, reader), sources: sources,
      session: try json["live"].map { live throws(SourceError) in
        try TraceFile.LiveSession(live, reader.inside("live"))
      })
  }

  private static func choices(
    _ json: JSON, _ clients: [String], _ reader: LineReader
  ) throws(SourceError) -> [Scenario.Choice] {
    _ = try reader.list("choices", of: json)
    // Read once more from the line, for the locations of mistakes.
    let line = DocumentReader.readJSON(Array(reader.line)).root
    guard let node = line?["choices"] else { return [] }
    let read = ScenarioReader.choices(in: node, clients: clients, file: reader.file)
    if let problem = read.problems.first {
      throw reader.error("choices: \(problem.message)", column: problem.position.column)
    }
    return read.choices
  }
}

extension TraceFile.LiveSession {
  fileprivate init(_ json: JSON, _ reader: LineReader) throws(SourceError) {
    let number = try reader.member("epoch", of: json)
    let epoch = try reader.reading("epoch") { try Instant(number, called: "epoch") }
    self.init(epoch: epoch, data: Node(json: json["data"] ?? .null))
  }
}

extension TraceFile.End {
  /// That of a session that was not judged.
  package static let unjudged = TraceFile.End(
    verdict: .inconclusive, reason: "a live session, which nothing has judged")

  init(_ json: JSON, of trace: Trace, _ reader: LineReader) throws(SourceError) {
    let count = try reader.integer("events", of: json)
    guard count == trace.count else {
      throw reader.error(
        "the trace has \(trace.count) events, but should have \(count); lines are missing",
        at: "events")
    }
    let hash = try reader.text("hash", of: json)
    guard hash == trace.hash.description else {
      throw reader.error(
        "the events have the hash \(trace.hash), but this line says \(hash); the file was changed",
        at: "hash")
    }
    guard try reader.texts("checkpoints", of: json) == trace.checkpoints.map(\.description) else {
      throw reader.error(
        "the events have other checkpoints than this line; the file was changed", at: "checkpoints")
    }
    let name = try reader.text("verdict", of: json)
    guard let verdict = Verdict(rawValue: name) else {
      let names = Verdict.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.error("there is no verdict \"\(name)\"; there are \(names)", at: "verdict")
    }
    self.init(
      verdict: verdict, reason: json["reason"]?.string,
      divergences: try reader.list("divergences", of: json))
  }
}

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
      let isLast = lines.dropFirst(reader.number).allSatisfy(\.isEmpty)
      if header.session == nil || !isLast { throw error }
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

extension TraceFile {
  /// What is kept of a run.
  ///
  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - client: The client under test, as the command line calls it.
  ///   - kit: The version of the kit.
  ///   - sources: The texts that the scenario was read from, its own file first.
  ///   - choices: What makes an ordinary run go the same way, where that is not all that the result
  ///     says itself: as for a run whose order was explored.
  public init(
    of result: ScenarioResult, client: String, kit: String, sources: [Source],
    choices: [Scenario.Choice]? = nil
  ) {
    let scenario = result.scenario
    self.init(
      header: Header(
        kit: kit, scenario: scenario.id, title: scenario.title, file: scenario.file,
        profile: result.profile, seed: result.seed, client: client, clients: scenario.clients,
        judging: scenario.judging, choices: choices ?? result.choices, sources: sources,
        session: result.liveSession),
      trace: result.trace,
      end: End(
        verdict: result.verdict, reason: result.reason,
        divergences: result.divergences.map(\.json)))
  }
}

extension ScenarioResult {
  /// What is known at the beginning of a run by the machine's clock; `nil` for one in virtual time.
  fileprivate var liveSession: TraceFile.LiveSession? {
    if epoch == Configuration.standardEpoch { return nil }
    return TraceFile.LiveSession(epoch: epoch, data: scenario.data)
  }
}

extension TraceFile {
  /// The file: one JSON object a line, the header first, then the events, then what came out.
  ///
  /// The same run gives the same bytes, in every process and on every machine.
  ///
  /// - Complexity: O(*n*) in the size of the events.
  public var text: String {
    var bytes: [UInt8] = []
    func add(_ json: JSON) {
      json.write(to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    }
    add(header.json)
    for event in trace.events { add(event.json(clients: header.clients, header.profile.dialect)) }
    add(end.json(of: trace))
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TraceFile.Header {
  /// The first line.
  package var json: JSON {
    guard let session else { return .object(members) }
    let live: JSON = [
      "epoch": .number(session.epoch.milliseconds), "data": session.data.json,
    ]
    return .object(members + [.init("live", live)])
  }

  private var members: [JSON.Member] {
    let all: JSON = [
      "trace": .number(Double(TraceFile.version)), "kennel": .string(kit),
      "scenario": .string(scenario), "title": .string(title), "file": .string(file),
      "profile": .string(profile.name), "seed": .string(String(seed)), "client": .string(client),
      "clients": .array(clients.map { .string($0) }), "judge": .string(judging.rawValue),
      "choices": .array(choices.map(\.json)),
      "sources": .array(sources.map { ["file": .string($0.file), "text": .string($0.text)] }),
    ]
    return all.members ?? []
  }
}

extension TraceFile.End {
  fileprivate func json(of trace: Trace) -> JSON {
    [
      "end": [
        "events": .number(Double(trace.count)), "hash": .string(trace.hash.description),
        "checkpoints": .array(trace.checkpoints.map { .string($0.description) }),
        "verdict": .string(verdict.rawValue), "reason": reason.map { .string($0) } ?? .null,
        "divergences": .array(divergences),
      ]
    ]
  }
}
