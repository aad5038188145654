internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
internal import Trace
internal import Tree

extension TraceFile.Header {
  init(_ json: JSON, _ reader: LineReader) throws(TraceFileError) {
    guard let version = json["trace"]?.integer else {
      throw reader.error("this is no trace: the first line has no number \"trace\"")
    }
    guard version <= TraceFile.version else {
      throw reader.error(
        "the trace has version \(version); this kit reads up to \(TraceFile.version)")
    }
    let name = try reader.text("profile", of: json)
    guard let profile = Profile(named: name) else {
      let names = Profile.all.map(\.name).joined(separator: ", ")
      throw reader.error("there is no profile \"\(name)\"; there are \(names)")
    }
    let seed = try reader.text("seed", of: json)
    guard let seed = UInt64(seed) else {
      throw reader.error("\"seed\" is \"\(seed)\", expected a whole number of 64 bits")
    }
    let clients = try reader.list("clients", of: json).compactMap(\.string)
    var sources: [TraceFile.Source] = []
    for source in try reader.list("sources", of: json) {
      sources.append(
        .init(file: try reader.text("file", of: source), text: try reader.text("text", of: source)))
    }
    self.init(
      kit: try reader.text("kennel", of: json), scenario: try reader.text("scenario", of: json),
      title: try reader.text("title", of: json), file: try reader.text("file", of: json),
      profile: profile, seed: seed, client: try reader.text("client", of: json), clients: clients,
      choices: try Self.choices(json, clients, reader), sources: sources)
  }

  private static func choices(
    _ json: JSON, _ clients: [String], _ reader: LineReader
  ) throws(TraceFileError) -> [Scenario.Choice] {
    let list = JSON.array(try reader.list("choices", of: json))
    guard let node = DocumentReader.readJSON(Array(list.text.utf8)).root else { return [] }
    let read = ScenarioReader.choices(in: node, clients: clients, file: reader.file)
    if let problem = read.problems.first { throw reader.error("choices: \(problem.message)") }
    return read.choices
  }
}

extension TraceFile.End {
  init(_ json: JSON, of trace: Trace, _ reader: LineReader) throws(TraceFileError) {
    let count = try reader.integer("events", of: json)
    guard count == trace.count else {
      throw reader.error(
        "the trace has \(trace.count) events, but should have \(count); lines are missing")
    }
    let hash = try reader.text("hash", of: json)
    guard hash == trace.hash.description else {
      throw reader.error(
        "the events have the hash \(trace.hash), but this line says \(hash); the file was changed")
    }
    let name = try reader.text("verdict", of: json)
    guard let verdict = Verdict(rawValue: name) else {
      let names = Verdict.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.error("there is no verdict \"\(name)\"; there are \(names)")
    }
    self.init(
      verdict: verdict, reason: json["reason"]?.string,
      divergences: try reader.list("divergences", of: json))
  }
}
