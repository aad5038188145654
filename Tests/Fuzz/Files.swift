import Conformance
import Document
import Hunting
import Recordings
import ReferenceServer
import Reports
import RunModel
import Scenario
import ScenarioFiles
import System
import TraceFiles
import WebPages
import Workspace

func fuzzFaults(_ bytes: [UInt8]) {
  _ = ReadFaultRules(file: "faults", bytes: bytes, isJSON: bytes.first == UInt8(ascii: "["))
}

func fuzzKnownFailures(_ bytes: [UInt8]) {
  let context = KnownFailuresReader.Context(
    scenarios: [.init("a/b", in: ["firebase", "wilddog-2"])], rules: ["EVT-1"])
  _ = KnownFailuresReader.read(file: "known.yaml", bytes: bytes, context)
}

/// A list of known causes. Each of its patterns is asked.
func fuzzKnownCauses(_ bytes: [UInt8]) {
  let (list, problems) = KnownCauses.read(
    file: "causes.yaml", bytes: bytes, .init(rules: ["EVT-1"], hasProof: { $0 != "none.yaml" }))
  require(problems.isEmpty || list.causes.isEmpty, "a list with mistakes has causes")
}

/// A project file, `kennel.yaml`, in which a setting has one value, and one has several.
func fuzzProject(_ bytes: [UInt8]) {
  let settings: [Option<Void>] = [("known", false), ("exclude", true)].map {
    var option = OptionDescription(name: $0, value: "TEXT", summary: "")
    (option.setting, option.isRepeatable) = ($0, $1)
    return Option(option, read: { _, _ in nil }, values: { _ in [] })
  }
  let (project, problems) = ProjectFile.read(
    file: "/nowhere/kennel.yaml", bytes: bytes, SettingsTable(settings, clients: []))
  require(!problems.isEmpty || project.directory == "/nowhere", "the project is elsewhere")
}

/// What a hunt has found. What is known of it is the same when it is written and read again.
func fuzzFound(_ bytes: [UInt8]) {
  guard let found = FoundFile(text: String(decoding: bytes, as: UTF8.self)),
    found.scenario.parameters.isEmpty
  else { return }
  let again = FoundFile(text: found.text)
  require(again != nil, "a found file cannot be read again: \(found.text)")
  require(again?.scenario.find == found.scenario.find, "a find is read differently: \(found.text)")
}

/// Cases of sync points.
func fuzzCases(_ bytes: [UInt8]) {
  guard let cases = try? CaseReader.read(bytes, file: "cases.json") else { return }
  require(Set(Case.fileNames(of: cases)).count == cases.count, "two cases have one file")
}

/// Lines of the results of a campaign, each of them in every form.
func fuzzCampaign(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = try? Corpus(text: text, HuntSettings())
  for line in text.split(separator: "\n") {
    _ = Recipe(text: String(line))
    _ = StateTable.Entry(text: line)
    _ = SeedRanges.range(from: String(line))
    guard let record = ChunkRecord(line: String(line)) else { continue }
    let again = ChunkRecord(line: record.line)
    require(again?.line == record.line, "a record is read differently: \(record.line)")
  }
}

func fuzzReport(_ bytes: [UInt8]) {
  _ = try? ReportFile(String(decoding: bytes, as: UTF8.self), file: "report.jsonl")
}

func fuzzTrace(_ bytes: [UInt8]) {
  _ = try? TraceFile(String(decoding: bytes, as: UTF8.self), file: "a.trace.jsonl")
}

func fuzzRecording(_ bytes: [UInt8]) {
  _ = try? Recording.readable(String(decoding: bytes, as: UTF8.self), file: "a.jsonl")
}

/// What the monitor says of a recording or a trace.
func fuzzMonitor(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let transcript = try? WireTranscript(text, file: "a.jsonl") else { return }
  for finding in transcript.locatedFindings { _ = finding.text(file: "a.jsonl") }
}

/// A recorded session as a scenario.
func fuzzSession(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let session: ObservedSession
  if TraceFile.isTrace(text) {
    guard let file = try? TraceFile(text, file: "a.trace.jsonl") else { return }
    session = ObservedSession(file)
  } else {
    guard let recording = try? Recording.readable(text, file: "a.jsonl"),
      let only = try? ObservedSession([recording])
    else { return }
    session = only
  }
  let extracted = ExtractedScenario(of: session, title: "a session")
  _ = ScenarioReader.read(
    file: "a.yaml", bytes: Array(extracted.yaml(from: ["a.jsonl"]).utf8), load: { _ in nil })
}

/// The page about a trace: whatever the trace says, it is no script.
func fuzzView(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let file = try? TraceFile(text, file: "a.trace.jsonl") else { return }
  let html = Array(ViewerPage(of: file, name: "a.trace.jsonl").html.utf8)
  let start = Array("<script".utf8)
  let scripts = html.indices.count { index in
    html[index] == start[0]
      && html[index...].prefix(start.count).elementsEqual(start) { $0 | 0x20 == $1 | 0x20 }
  }
  require(scripts == 4, "a page has other scripts than its own")
}

/// A recording, given to the reference client.
func fuzzReplay(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let recording = try? Recording.readable(text, file: "a.jsonl") else { return }
  let replay = Replay(of: recording)
  require(replay.groupsWithOutput <= replay.groups, "more groups were compared than there are")
}

/// Tokens, which others sign or do not.
func fuzzToken(_ bytes: [UInt8]) {
  guard let token = String(validating: bytes, as: UTF8.self) else { return }
  let claims = TokenClaims(unsigned: token)
  require(claims?.user.isEmpty != true, "a token is of no user")
  _ = TokenClaims.reasonForRefusal(of: token)
}
