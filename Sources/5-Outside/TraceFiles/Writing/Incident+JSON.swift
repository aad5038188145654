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
    case .client, .everyone, .server:
      let stated = kind.form.fields.map { JSON.Member($0.rawValue, fields.json(of: $0)) }
      // No scenario states it.
      return stated + (kind == .shutdown ? [.init("reason", .string(fields.reason))] : [])
    case .latency:
      return [
        .init("lowest", fields.latency.lowest.json), .init("highest", fields.latency.highest.json),
      ]
    case .rule: return fields.rule.members
    case .path: return [.init("path", .string(fields.path.description))]
    case .write: return fields.write.members
    case .process: return machineMembers
    }
  }

  /// What affects the process of a client, or the machine that it runs on.
  private var machineMembers: [JSON.Member] {
    switch self {
    case let .start(_, storage): [.init("storage", .string(storage.rawValue))]
    case let .skew(_, shift), let .jump(_, shift): [.init("by", shift.json)]
    case let .drift(_, drift):
      [.init("gain", .number(Double(drift.gain))), .init("per", .number(Double(drift.per)))]
    case let .writeError(_, count): [.init("times", .number(Double(count)))]
    case let .storageFull(_, bytes): [.init("at", .number(Double(bytes)))]
    default: []
    }
  }
}

extension FaultFields {
  fileprivate func json(of field: FaultKind.Field) -> JSON {
    switch field {
    case .notices: .string(notices.rawValue)
    case .direction: .string(direction.rawValue)
    case .messages, .writes: .number(Double(count))
    case .after, .down, .skew: interval.json
    case .host: .string(host)
    case .onDisconnects: .string(fate.rawValue)
    case .data: .string(data.rawValue)
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
