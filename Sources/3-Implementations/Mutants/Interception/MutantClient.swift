package import ClientInterface
package import RunModel
internal import Wire

/// A client that changes what another one receives, or what comes of it, and can do what that one
/// can.
package protocol WrappingClient: SyncClient {
  var client: any SyncClient { get }
}

extension WrappingClient {
  package var capabilities: Set<String> { client.capabilities }
}

/// A client that changes what another one receives, or what comes of it.
///
/// A value, as long as the other one is.
package struct MutantClient<Memory: Sendable>: WrappingClient {
  /// What the other one receives in place of an input; `nil` for the input as it is.
  package typealias InputRewriter =
    @Sendable (ClientInput, ClientModel, inout Memory) -> [ClientInput]?
  /// What comes out in place of its outputs; `nil` for these as they are.
  package typealias OutputRewriter = @Sendable (InterceptedStep, inout Memory) -> [ClientOutput]?

  package var client: any SyncClient
  private var memory: Memory
  /// What is known of the other one. What profiles leave open is not asked.
  private var model = ClientModel(.firebase)
  private var turn = 0
  private var numbers = RequestRenumbering()
  private let rewritesInput: InputRewriter?
  private let does: OutputRewriter?

  package init(
    _ client: any SyncClient, _ memory: Memory, rewritesInput: InputRewriter? = nil,
    does: OutputRewriter? = nil
  ) {
    self.client = client
    self.memory = memory
    self.rewritesInput = rewritesInput
    self.does = does
    // A client that is not opened, as in tests, is followed as well.
    follow(.open(ClientInput.Opening()), [], at: Instant(nanoseconds: 0))
  }

  package mutating func handle(
    _ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]
  ) {
    guard let input = numbers.translated(input) else { return }
    for received in rewritesInput?(input, model, &memory) ?? [input] {
      var caused: [ClientOutput] = []
      client.handle(received, at: now, into: &caused)
      let before = model
      follow(received, caused, at: now)
      let step = InterceptedStep(
        input: received, outputs: caused, now: now, before: before, after: model)
      outputs += numbers.assigned(to: does?(step, &memory) ?? caused)
    }
  }

  private mutating func follow(_ input: ClientInput, _ outputs: [ClientOutput], at now: Instant) {
    turn += 1
    var step = ClientStep()
    step.begin(ClientIndex(0), input, sequence: turn, time: now - Instant(nanoseconds: 0))
    for output in outputs { step.add(output, sequence: turn) }
    model.take(step)
  }
}

/// Numbers requests again, so that a wrapper can add, drop and reorder them and the numbers ascend.
struct RequestRenumbering: Sendable {
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
