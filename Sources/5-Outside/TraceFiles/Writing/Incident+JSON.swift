internal import ClientInterface
internal import Faults
internal import Trace
internal import Tree
internal import Wire

extension Incident {
  /// What happened, as the one member that contains it. The client is a member of the event.
  var content: (verb: String, value: JSON) {
    switch self {
    case let .fault(fault): ("fault", fault.json)
    case let .credentialRevoked(_, name):
      ("fault", .object([.init(FaultKind.revokeAuth.key, ["client": .string(name)])]))
    case let .armed(fault): ("armed", fault.json)
    case let .futile(act, _): ("futile", act.json)
    case let .stated(text, _): ("fault", .string(text))
    }
  }
}

extension Incident.FutileAct {
  fileprivate var json: JSON {
    switch self {
    case .secondConnection: ["secondConnection": [:]]
    case .unconnectedMessage: ["unconnectedMessage": [:]]
    case let .lostRecord(key): ["lostRecord": .string(key)]
    case let .unknownCall(call): ["unknownCall": .string(call.name)]
    case .deadCall: ["deadCall": [:]]
    }
  }
}

extension FaultKind {
  /// What a trace calls it: as steps of scenarios do, and what concerns the process or the machine
  /// of a client by its name alone.
  var key: String { group == .process ? name : step }
}

extension Fault {
  fileprivate var json: JSON { .object([.init(kind.key, .object(members))]) }

  private var members: [JSON.Member] {
    let (kind, fields) = parts
    switch kind.form {
    case .client, .everyone, .server, .process:
      let stated = kind.form.fields.flatMap { fields.members(of: $0) }
      // No scenario states it.
      return stated + (kind == .shutdown ? [.init("reason", .string(fields.reason))] : [])
    case .latency:
      return [
        .init("lowest", fields.latency.lowest.json), .init("highest", fields.latency.highest.json),
      ]
    case .rule: return fields.rule.members
    case .path: return [.init("path", .string(fields.path.description))]
    case .write: return fields.write.members
    }
  }
}

extension FaultFields {
  fileprivate func members(of field: FaultKind.Field) -> [JSON.Member] {
    switch field {
    case .notices: [.init(field.rawValue, .string(notices.rawValue))]
    case .direction: [.init(field.rawValue, .string(direction.rawValue))]
    case .messages, .writes, .times: [.init(field.rawValue, .number(Double(count)))]
    case .after, .down, .skew: [.init(field.rawValue, interval.json)]
    case .host: [.init(field.rawValue, .string(host))]
    case .onDisconnects: [.init(field.rawValue, .string(fate.rawValue))]
    case .data: [.init(field.rawValue, .string(data.rawValue))]
    case .storage: [.init(field.rawValue, .string(storage.rawValue))]
    case .at: [.init(field.rawValue, .number(Double(bytes)))]
    case .shift: [.init("by", interval.json)]
    case .gain:
      [.init("gain", .number(Double(drift.gain))), .init("per", .number(Double(drift.per)))]
    }
  }
}

extension SecurityRule {
  fileprivate var members: [JSON.Member] {
    let exempt: JSON =
      switch unless {
      case .noUser: .null
      case .authenticated: "authenticated"
      case let .user(name): ["uid": .string(name)]
      }
    return [
      .init("path", .string(path.description)),
      .init("deny", .array(denied.map { .string($0.rawValue) })), .init("unless", exempt),
      .init("status", status.map { .string($0.name) } ?? .null),
    ]
  }
}

extension ServerWrite {
  fileprivate var members: [JSON.Member] {
    let path = JSON.string(path.description)
    return switch self {
    case let .set(_, node): [.init("set", path), .init("value", node.json)]
    case let .update(_, parts): [.init("update", path), .init("value", parts.json)]
    case .remove: [.init("remove", path)]
    }
  }
}

extension Interval {
  fileprivate var json: JSON { .number(milliseconds) }
}
