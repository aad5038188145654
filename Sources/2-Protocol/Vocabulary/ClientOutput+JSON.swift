public import ClientInterface
public import Tree
public import Wire

extension ClientOutput {
  /// The output as recordings and the adapter protocol write it, `{"event": {…}}`.
  ///
  /// - Complexity: O(*n*) in the size of the values.
  public func json(in dialect: Dialect) -> JSON {
    switch self {
    case .connect: ["connect": .object([])]
    case let .connectTo(host): ["connect": ["host": .string(host)]]
    case let .send(message): ["send": message.json(in: dialect)]
    case .disconnect: ["disconnect": .object([])]
    case let .setTimer(timer, interval, purpose):
      [
        "setTimer": [
          "timer": .number(Double(timer.number)), "after": .number(interval.milliseconds),
          "label": .string(purpose.rawValue),
        ]
      ]
    case let .cancelTimer(timer): ["cancelTimer": ["timer": .number(Double(timer.number))]]
    case let .event(event): ["event": event.json]
    case let .cancelled(listener, error):
      ["cancelled": ["listener": .string(listener.name), "error": .string(error.name)]]
    case let .completed(call, completion): ["completed": completion.json(of: call)]
    case let .answered(call, value): ["answered": ["call": .string(call.name), "value": value]]
    case let .threw(call, error):
      ["threw": ["call": .string(call.name), "error": .string(error.name)]]
    case let .updateRan(call, input): ["updateRan": ["call": .string(call.name), "input": input]]
    case let .calling(call): ["calling": ["call": .string(call.name)]]
    case let .returned(call): ["returned": ["call": .string(call.name)]]
    case let .store(key, text): ["store": ["key": .string(key), "text": .string(text)]]
    case let .erase(key): ["erase": ["key": .string(key)]]
    case let .uncaught(exception): ["uncaught": exception.json]
    case let .log(text): ["log": ["text": .string(text)]]
    }
  }
}

extension Event {
  /// `listener`, `type`, `key`, then `prev` or `children` where the type has them, and `value`.
  public var json: JSON {
    var members: [JSON.Member] = [
      .init("listener", .string(listener.name)), .init("type", .string(type.rawValue)),
      .init("key", key.map { .string($0.string) } ?? .null), .init("value", value.json),
    ]
    switch previous {
    case .none: break
    case .first: members.append(.init("prev", .null))
    case let .key(key): members.append(.init("prev", .string(key.string)))
    }
    if type == .value, let keys = childKeys {
      members.append(.init("children", .array(keys.map { .string($0.string) })))
    }
    return .object(members)
  }
}

extension UncaughtException {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [.init("message", .string(message))]
    if let type { members.append(.init("type", .string(type))) }
    if !stack.isEmpty { members.append(.init("stack", .string(stack))) }
    return .object(members)
  }
}

extension Completion {
  fileprivate func json(of call: CallID) -> JSON {
    var members: [JSON.Member] = [
      .init("call", .string(call.name)),
      .init("error", error.map { .string($0.name) } ?? .null),
    ]
    if let committed {
      members.append(.init("committed", .bool(committed)))
      members.append(.init("value", value?.json ?? .null))
    }
    return .object(members)
  }
}

extension ClientOutput {
  /// The output with all that `ClientOutput.init(json:)` can distinguish, as traces and adapters of
  /// the kit write it: by which ordering a value event lists its children where the client says
  /// that rather than the list, and that a transaction has no value.
  public func exactJSON(in dialect: Dialect) -> JSON {
    let json = json(in: dialect)
    switch self {
    case let .event(event):
      guard case let .sorted(ordering) = event.order else { return json }
      let sorted = JSON.Member("sorted", .string(ordering.indexName ?? ".priority"))
      return ["event": .object((json["event"]?.members ?? []) + [sorted])]
    case let .completed(_, completion):
      guard completion.value == nil else { return json }
      let members = (json["completed"]?.members ?? []).filter { $0.name != "value" }
      return ["completed": .object(members)]
    case .connect, .connectTo, .send, .disconnect, .setTimer, .cancelTimer, .cancelled, .answered,
      .threw, .updateRan, .calling, .returned, .store, .erase, .uncaught, .log:
      return json
    }
  }
}
