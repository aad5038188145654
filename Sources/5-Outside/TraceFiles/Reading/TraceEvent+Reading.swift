internal import ClientInterface
internal import Document
internal import Trace
internal import Tree
internal import Wire

extension TraceEvent {
  init(_ json: JSON, clients: [String], _ reader: LineReader) throws(SourceError) {
    let time = try reader.member("t", of: json)
    let interval = try reader.reading("t") { try Interval(time, called: "t") }
    self.init(
      sequence: try reader.integer("n", of: json),
      cause: json["cause"] == nil ? nil : try reader.integer("cause", of: json),
      time: interval, step: try reader.integer("step", of: json),
      kind: try Kind(json, Self.client(json, clients, reader), clients, reader))
  }

  private static func client(
    _ json: JSON, _ clients: [String], _ reader: LineReader
  ) throws(SourceError) -> ClientIndex? {
    guard json["client"] != nil else { return nil }
    let name = try reader.text("client", of: json)
    guard let index = clients.firstIndex(of: name) else {
      throw reader.error(
        "there is no client \"\(name)\"; there are \(clients.joined(separator: ", "))", at: "client"
      )
    }
    return ClientIndex(index)
  }
}

extension TraceEvent.Kind {
  private static let verbs =
    [
      "begins", "in", "out", "serverIn", "serverOut", "lostToServer", "lostToClient",
      "serverOpened", "serverClosed",
    ] + Incident.verbs + ["serverWrite", "serverUpdate"]

  fileprivate init(
    _ json: JSON, _ client: ClientIndex?, _ clients: [String], _ reader: LineReader
  ) throws(SourceError) {
    guard let member = json.members?.first(where: { Self.verbs.contains($0.name) }) else {
      let verbs = Self.verbs.joined(separator: ", ")
      throw reader.error("the line contains no event; expected one of \(verbs)")
    }
    let value = member.value
    let inside = reader.inside(member.name)
    switch member.name {
    case "begins": self = .step(try reader.text("begins", of: json))
    case let verb where Incident.verbs.contains(verb):
      self = .fault(try Incident(verb, of: json, client, clients, reader))
    case "serverWrite":
      self = .serverWrite(
        Path(try inside.text("path", of: value)), Node(json: try inside.member("value", of: value)))
    case "serverUpdate":
      let content = try inside.member("value", of: value)
      guard let assignments = [Assignment](json: content) else {
        throw inside.error(
          "\"value\" is \(content.kind), expected a mapping of paths to values", at: "value")
      }
      self = .serverUpdate(Path(try inside.text("path", of: value)), assignments)
    default:
      guard let client else { throw reader.error("\"client\" is missing") }
      self = try Self.kind(member.name, json, client, reader)
    }
  }

  private static func kind(
    _ verb: String, _ json: JSON, _ client: ClientIndex, _ reader: LineReader
  ) throws(SourceError) -> TraceEvent.Kind {
    let value = try reader.member(verb, of: json)
    switch verb {
    case "in": return .input(client, try reader.reading(verb) { try ClientInput(json: value) })
    case "out": return .output(client, try reader.reading(verb) { try ClientOutput(json: value) })
    case "serverIn":
      return .serverReceived(client, try reader.reading(verb) { try ClientMessage(json: value) })
    case "serverOut":
      return .serverSent(client, try reader.reading(verb) { try ServerMessage(json: value) })
    case "lostToServer":
      return .lostToServer(client, try reader.reading(verb) { try ClientMessage(json: value) })
    case "lostToClient":
      return .lostToClient(client, try reader.reading(verb) { try ServerMessage(json: value) })
    case "serverOpened": return .serverOpened(client, session: try reader.text(verb, of: json))
    default: return .serverClosed(client, session: try reader.text(verb, of: json))
    }
  }
}
