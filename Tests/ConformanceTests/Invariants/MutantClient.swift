import ClientInterface
import Wire

/// A client whose outputs are spoiled in one way.
struct MutantClient: SyncClient {
  var client: any SyncClient
  /// Replaces what an input caused. The memory is the client's own.
  var corrupt: @Sendable (ClientInput, [ClientOutput], inout Memory) -> [ClientOutput]
  var memory = Memory()

  struct Memory {
    var held: [ClientOutput] = []
    var number = 0
    var listeners: [ListenerID: Operation.Target] = [:]
    var calls: [CallID] = []
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    if input.isOpen { memory = Memory() }
    if case let .call(_, .listen(id, target, _)) = input { memory.listeners[id] = target }
    outputs += corrupt(input, caused, &memory)
  }

  var capabilities: Set<String> { client.capabilities }
}

extension ClientInput {
  fileprivate var isOpen: Bool {
    if case .open = self { true } else { false }
  }
}

/// A defect that an invariant must notice.
struct Defect: Sendable, CustomStringConvertible {
  var description: String
  var invariant: String
  var corrupt: @Sendable (ClientInput, [ClientOutput], inout MutantClient.Memory) -> [ClientOutput]

  init(
    _ description: String, _ invariant: String,
    _ corrupt:
      @escaping @Sendable (ClientInput, [ClientOutput], inout MutantClient.Memory) ->
      [ClientOutput]
  ) {
    self.description = description
    self.invariant = invariant
    self.corrupt = corrupt
  }

  /// Whose events change, one by one.
  static func event(
    _ description: String, _ invariant: String,
    _ change: @escaping @Sendable (Event, MutantClient.Memory) -> [Event]
  ) -> Defect {
    Defect(description, invariant) { _, outputs, memory in
      outputs.flatMap { output -> [ClientOutput] in
        guard case let .event(event) = output else { return [output] }
        return change(event, memory).map { .event($0) }
      }
    }
  }

  /// Whose frames change, one by one.
  static func request(
    _ description: String, _ invariant: String,
    _ change: @escaping @Sendable (Int, Request) -> [ClientOutput]
  ) -> Defect {
    Defect(description, invariant) { _, outputs, _ in
      outputs.flatMap { output -> [ClientOutput] in
        guard case let .send(.request(number, request)) = output else { return [output] }
        return change(number, request)
      }
    }
  }
}
