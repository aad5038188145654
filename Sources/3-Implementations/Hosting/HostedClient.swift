public import ClientInterface

/// Runs an SDK with callbacks or `async` where the kit expects a state machine.
///
/// Each input is handed to the SDK, and everything that it causes without time passing and without
/// the network is done before ``handle(_:at:into:)`` returns: work that was put off with
/// ``Environment/perform(_:)``, and tasks on the environment's executor until all of them wait.
///
/// It is an object: make a new one for each client of each run.
public final class HostedClient: SyncClient {
  /// What the SDK can do, by the names in `needs:` of scenarios, as stated when it was made.
  public let capabilities: Set<String>
  /// What its interface lacks of that, as stated when it was made.
  public let lacks: Set<Feature>

  private enum Kind {
    case callbacks((Environment) -> any HostedSDK)
    case async((Environment) -> any AsyncHostedSDK)
  }

  private let profile: Profile
  private let kind: Kind
  private var process: Environment?

  /// A client whose SDK calls back.
  ///
  /// - Parameters:
  ///   - profile: What the server speaks.
  ///   - capabilities: What the SDK can do.
  ///   - lacks: What its interface lacks of that.
  ///   - make: Makes the SDK for a process that starts.
  public init(
    profile: Profile, capabilities: Set<String> = Capability.all, lacks: Set<Feature> = [],
    callbacks make: @escaping (Environment) -> any HostedSDK
  ) {
    self.profile = profile
    self.capabilities = capabilities
    self.lacks = lacks
    kind = .callbacks(make)
  }

  /// A client whose SDK is called with `await`.
  public init(
    profile: Profile, capabilities: Set<String> = Capability.all, lacks: Set<Feature> = [],
    async make: @escaping (Environment) -> any AsyncHostedSDK
  ) {
    self.profile = profile
    self.capabilities = capabilities
    self.lacks = lacks
    kind = .async(make)
  }

  deinit { process?.end() }

  /// Hands an input to the SDK and runs what it causes; without an open process only `open` counts.
  public func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    switch input {
    case let .open(opening): open(opening, at: now)
    case .close: end()
    default:
      guard let process else { return }
      process.now = now
      process.duringInput { Self.hand(input, to: process) }
    }
    if let process { outputs += process.takeOutputs() }
  }

  /// What the SDK has done since the last input, where it has a clock of its own.
  package func takeOutputs() -> [ClientOutput] { process?.takeOutputs() ?? [] }

  private func open(_ opening: ClientInput.Opening, at now: Instant) {
    end()
    let environment = Environment(profile, opening, at: now)
    environment.duringInput {
      switch kind {
      case let .callbacks(make):
        let sdk = make(environment)
        environment.makeCall = { try sdk.perform($0, as: $1) }
      case let .async(make):
        let sdk = make(environment)
        environment.makeCall = { [unowned environment] operation, call in
          environment.task { try await sdk.perform(operation, as: call) }
        }
      }
      process = environment
    }
  }

  private func end() {
    process?.end()
    process = nil
  }

  private static func hand(_ input: ClientInput, to process: Environment) {
    switch input {
    case let .call(call, operation): process.call(operation, as: call)
    case .opened: process.connectionDid(.opened)
    case .refused: process.connectionDid(.refused)
    case let .frame(message): process.connectionDid(.received(message))
    case .closed: process.connectionDid(.closed)
    case let .timer(id): process.fire(id)
    case .open, .close: break
    }
  }
}
