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
    case let .store(key, text): ["store": ["key": .string(key), "text": .string(text)]]
    case let .erase(key): ["erase": ["key": .string(key)]]
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
