internal import ClientInterface
internal import Wire

/// A client that changes what another one hears, or what comes of it.
///
/// A value, as long as the other one is.
struct Spoiled<Memory: Sendable>: SyncClient {
  /// What the other one hears in place of an input.
  typealias Hearing = @Sendable (ClientInput, Witness, inout Memory) -> [ClientInput]
  /// What comes out in place of its outputs.
  typealias Doing = @Sendable (Turn, inout Memory) -> [ClientOutput]

  private var client: any SyncClient
  private var memory: Memory
  private var witness = Witness()
  private var numbers = RequestNumbers()
  private let hears: Hearing?
  private let does: Doing?

  init(_ client: any SyncClient, _ memory: Memory, hears: Hearing? = nil, does: Doing? = nil) {
    self.client = client
    self.memory = memory
    self.hears = hears
    self.does = does
  }

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    guard let input = numbers.translated(input) else { return }
    for heard in hears?(input, witness, &memory) ?? [input] {
      var caused: [ClientOutput] = []
      client.handle(heard, at: now, into: &caused)
      let before = witness
      witness.note(heard, caused)
      let turn = Turn(input: heard, outputs: caused, now: now, before: before, after: witness)
      outputs += numbers.assigned(to: does?(turn, &memory) ?? caused)
    }
  }

  var capabilities: Set<String> { client.capabilities }
}

/// Numbers requests anew, so that a wrapper can add, drop and reorder them and the numbers ascend.
struct RequestNumbers: Sendable {
  /// The number by which the client knows a request; 0 for one that it did not send.
  private var own: [Int: Int] = [:]
  private var last = 0

  mutating func assigned(to outputs: [ClientOutput]) -> [ClientOutput] {
    outputs.map { output in
      guard case let .send(.request(number, request)) = output else { return output }
      last += 1
      own[last] = number
      return .send(.request(last, request))
    }
  }

  /// An input with the client's own numbers; `nil` for an answer that is none of its business.
  mutating func translated(_ input: ClientInput) -> ClientInput? {
    guard case .frame(.response(var response)) = input,
      let number = own.removeValue(forKey: response.request)
    else { return input }
    if number == 0 { return nil }
    response.request = number
    return .frame(.response(response))
  }
}
