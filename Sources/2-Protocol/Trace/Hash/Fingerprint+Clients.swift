internal import ClientInterface
internal import Tree
internal import Wire

extension Fingerprint {
  mutating func combine(_ input: ClientInput) {
    switch input {
    case let .open(opening):
      combine(1, opening.host)
      combine(opening.seed)
      combine(opening.persistence?.cacheBytes)
      for item in opening.storage {
        combine(item.key)
        combine(item.text)
      }
    case let .call(id, operation):
      combine(2, id.name)
      combine(operation)
    case .opened: combine(3)
    case .refused: combine(4)
    case let .frame(message):
      combine(5)
      combine(message)
    case .closed: combine(6)
    case let .timer(id): combine(7, id.number)
    case .close: combine(8)
    }
  }

  mutating func combine(_ output: ClientOutput) {
    switch output {
    case .connect: combine(1)
    case let .send(message):
      combine(2)
      combine(message)
    case .disconnect: combine(3)
    case let .setTimer(id, after, purpose):
      combine(4 | Self.code(of: purpose) << 4, id.number)
      combine(UInt64(bitPattern: after.nanoseconds))
    case let .cancelTimer(id): combine(5, id.number)
    case let .event(event):
      combine(6)
      combine(event)
    case let .cancelled(listener, error):
      combine(7, listener.name)
      combine(error.name)
    case let .completed(call, completion):
      combine(8, call.name)
      combine(completion)
    case let .answered(call, json):
      combine(9, call.name)
      combine(json)
    case let .threw(call, error):
      combine(10, call.name)
      combine(error.name)
    case let .updateRan(call, input):
      combine(11, call.name)
      combine(input)
    case let .log(text): combine(12, text)
    case let .store(key, text):
      combine(13, key)
      combine(text)
    case let .erase(key): combine(14, key)
    case let .connectTo(host): combine(15, host)
    case let .uncaught(exception): combine(16, exception.description)
    case let .calling(call): combine(17, call.name)
    case let .returned(call): combine(18, call.name)
    }
  }

  private mutating func combine(_ event: Event) {
    combine(event.listener.name)
    combine(Self.code(of: event.type))
    combine(event.key == nil ? 0 : 1)
    if let key = event.key { combine(key) }
    switch event.previous {
    case .none: combine(1)
    case .first: combine(2)
    case let .key(key):
      combine(3)
      combine(key)
    }
    combine(event.value)
    switch event.order {
    case .unstated: combine(1)
    case let .sorted(ordering):
      combine(2)
      combine(ordering)
    case let .listed(keys):
      combine(3)
      for key in keys { combine(key) }
    }
  }

  private mutating func combine(_ completion: Completion) {
    combine(completion.error?.name)
    combine(completion.committed.map { $0 ? 1 : 0 })
    combine(completion.value == nil ? 0 : 1)
    if let value = completion.value { combine(value) }
  }

  private static func code(of purpose: TimerPurpose) -> Int {
    switch purpose {
    case .backOff: 1
    case .keepAlive: 2
    case .idle: 4
    case .other: 3
    }
  }

  private static func code(of type: EventType) -> Int {
    switch type {
    case .childRemoved: 1
    case .childAdded: 2
    case .childMoved: 3
    case .childChanged: 4
    case .value: 5
    }
  }
}
