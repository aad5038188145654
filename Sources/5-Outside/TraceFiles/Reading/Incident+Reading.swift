internal import ClientInterface
internal import Document
internal import Faults
internal import Trace
internal import Tree
internal import Wire

extension Incident {
  static let verbs = ["fault", "armed", "futile"]

  /// Reads what a member of an event states.
  ///
  /// - Parameters:
  ///   - verb: The name of the member, one of `verbs`.
  ///   - json: The event.
  ///   - client: The client of the event.
  ///   - clients: The names of all clients, in order of their index.
  ///   - reader: Where the event is.
  /// - Throws: `SourceError`, with what was expected.
  init(
    _ verb: String, of json: JSON, _ client: ClientIndex?, _ clients: [String],
    _ reader: LineReader
  ) throws(SourceError) {
    let value = try reader.member(verb, of: json)
    if verb == "fault", let text = value.string {
      self.init(version1: text, client, clients)
      return
    }
    guard let member = value.members?.first, value.members?.count == 1 else {
      throw reader.error(
        "\"\(verb)\" is \(value.text), expected an object with one member", at: verb)
    }
    let inside = reader.inside(verb)
    if verb == "futile" {
      guard let client else { throw reader.error("\"client\" is missing") }
      self = .futile(try FutileAct(member.name, of: value, inside), client)
      return
    }
    if client == nil, member.name == FaultKind.revokeAuth.key {
      let name = try inside.inside(member.name).text("client", of: member.value)
      guard let index = clients.firstIndex(of: name) else {
        throw inside.error("there is no client \"\(name)\"", at: member.name)
      }
      self = .credentialRevoked(ClientIndex(index), name: name)
      return
    }
    let fault = try inside.fault(member, of: client)
    self = verb == "armed" ? .armed(fault) : .fault(fault)
  }
}

extension Incident.FutileAct {
  fileprivate init(_ name: String, of json: JSON, _ reader: LineReader) throws(SourceError) {
    switch name {
    case "secondConnection": self = .secondConnection
    case "unconnectedMessage": self = .unconnectedMessage
    case "lostRecord": self = .lostRecord(key: try reader.text(name, of: json))
    case "unknownCall": self = .unknownCall(CallID(try reader.text(name, of: json)))
    case "deadCall": self = .deadCall
    default: throw reader.error("\"\(name)\" is nothing that a client can do", at: name)
    }
  }
}

extension LineReader {
  fileprivate func fault(
    _ member: JSON.Member, of client: ClientIndex?
  ) throws(SourceError) -> IndexedFault {
    guard let kind = FaultKind.allCases.first(where: { $0.key == member.name }) else {
      throw error("there is no fault \"\(member.name)\"", at: member.name)
    }
    var fields = FaultFields<ClientIndex>(client: client)
    try inside(member.name).read(kind, member.value, into: &fields)
    guard let fault = IndexedFault(kind, fields) else {
      throw error("\(member.name) has no client; expected \"client\" beside it", at: member.name)
    }
    return fault
  }

  private func read(
    _ kind: FaultKind, _ json: JSON, into fields: inout FaultFields<ClientIndex>
  ) throws(SourceError) {
    switch kind.form {
    case .client, .everyone, .server, .process:
      for field in kind.form.fields { try read(field, json, into: &fields) }
      if kind == .shutdown { fields.reason = try text("reason", of: json) }
    case .latency:
      let lowest = try interval("lowest", of: json)
      let highest = try interval("highest", of: json)
      guard lowest >= .zero, lowest <= highest else {
        throw error("latency cannot go from \(lowest.text) to \(highest.text)", at: "lowest")
      }
      fields.latency = Latency(lowest, through: highest)
    case .rule: fields.rule = try rule(json)
    case .path: fields.path = Path(try text("path", of: json))
    case .write: fields.write = try write(json)
    }
  }

  private func read(
    _ field: FaultKind.Field, _ json: JSON, into fields: inout FaultFields<ClientIndex>
  ) throws(SourceError) {
    let name = field.rawValue
    switch field {
    case .notices: fields.notices = try word(name, of: json)
    case .direction: fields.direction = try word(name, of: json)
    case .messages, .writes, .times: fields.count = try integer(name, of: json)
    case .after, .down, .skew: fields.interval = try interval(name, of: json)
    case .host: fields.host = try text(name, of: json)
    case .onDisconnects: fields.fate = try word(name, of: json)
    case .data: fields.data = try word(name, of: json)
    case .storage: fields.storage = try word(name, of: json)
    case .at: fields.bytes = try integer(name, of: json)
    case .shift: fields.interval = try interval("by", of: json)
    case .gain:
      let (gain, per) = (try integer("gain", of: json), try integer("per", of: json))
      guard let drift = ClockDrift(checking: gain, per: per) else {
        throw error("a clock cannot gain \(gain) in \(per)", at: "gain")
      }
      fields.drift = drift
    }
  }

  private func rule(_ json: JSON) throws(SourceError) -> SecurityRule {
    var denied: Set<SecurityRule.Access> = []
    for name in try texts("deny", of: json) {
      guard let access = SecurityRule.Access(rawValue: name) else {
        throw error("\"deny\" has \"\(name)\" in it, expected read or write", at: "deny")
      }
      denied.insert(access)
    }
    var exempt = SecurityRule.Exemption.noUser
    if json["unless"]?.string != nil {
      exempt = .authenticated
    } else if let user = json["unless"]?["uid"]?.string {
      exempt = .user(user)
    }
    return SecurityRule(
      Path(try text("path", of: json)), deny: denied, unless: exempt,
      status: json["status"]?.string.map { ErrorCode($0) })
  }

  private func write(_ json: JSON) throws(SourceError) -> ServerWrite {
    if json["remove"] != nil { return .remove(Path(try text("remove", of: json))) }
    let value = try member("value", of: json)
    if json["set"] != nil { return .set(Path(try text("set", of: json)), Node(json: value)) }
    guard let parts = [Assignment](json: value) else {
      throw error("\"value\" is \(value.kind), expected a mapping of paths to values", at: "value")
    }
    return .update(Path(try text("update", of: json)), parts)
  }

  private func interval(_ name: String, of json: JSON) throws(SourceError) -> Interval {
    let value = try member(name, of: json)
    return try reading(name) { try Interval(value, called: name) }
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, of json: JSON
  ) throws(SourceError) -> Word {
    let text = try text(name, of: json)
    guard let word = Word(rawValue: text) else {
      let all = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("\"\(name)\" is \"\(text)\", expected one of \(all)", at: name)
    }
    return word
  }
}

extension ClockDrift {
  /// `nil` for what no clock can do.
  init?(checking gain: Int, per: Int) {
    guard (1...1_000_000_000).contains(per), gain > -per, gain <= 1_000_000 else { return nil }
    self.init(gain: gain, per: per)
  }
}
