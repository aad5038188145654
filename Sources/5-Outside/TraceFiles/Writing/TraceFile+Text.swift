internal import ClientInterface
internal import Conformance
internal import Scenario
internal import Trace
package import Tree

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
