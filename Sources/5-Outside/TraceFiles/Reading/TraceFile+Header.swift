internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
import ScenarioFiles
internal import Trace
internal import Tree

extension TraceFile.Header {
  init(_ json: JSON, _ reader: LineReader) throws(SourceError) {
    guard let version = json["trace"]?.integer else {
      throw reader.error("this is no trace: the first line has no number \"trace\"", at: "trace")
    }
    guard version <= TraceFile.version else {
      throw reader.error(
        "the trace has version \(version); this kit reads up to \(TraceFile.version)", at: "trace")
    }
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
