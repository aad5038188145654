internal import ClientInterface
internal import Conformance
internal import Document
internal import Scenario
internal import Text
internal import Trace
internal import TraceFiles
internal import Tree

extension TextReport {
  /// Every message that a client sent, got or lost, as JSON on one line; nothing unless it is asked
  /// for.
  func wire(_ result: ScenarioResult) -> [String] {
    guard showsWire else { return [] }
    let names = result.scenario.clients
    var columns = TextTable([.right, .left, .left])
    for event in result.trace.events {
      let json = event.json(clients: names, result.profile.dialect)
      let frame: String
      switch event.kind {
      case .output(_, .send): frame = (json["out"]?["send"] ?? .null).text
      case .input(_, .frame): frame = (json["in"]?["frame"] ?? .null).text
      case .lostToServer, .lostToClient: frame = event.text
      default: continue
      }
      columns.append([event.time.shortText, ascii(event.route(names: names)), ascii(frame)])
    }
    return ["  wire"] + columns.lines.map { "    " + $0 }
  }
}
