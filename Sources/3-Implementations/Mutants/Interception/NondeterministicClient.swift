public import ClientInterface
internal import ReferenceClient
internal import Wire

/// Clients that differ in each process or each time.
///
/// Nothing that is observed in one run is wrong with them. An audit must notice them; one that does
/// not proves nothing about the others.
public enum NondeterministicClient: String, CaseIterable, Hashable, Sendable {
  case unordered
  case clockReader = "clock-reader"

  /// What the command line calls it.
  public var name: String { rawValue }

  /// A new reference client with this defect, so that two equal runs may differ.
  public func makeClient(_ profile: Profile) -> any SyncClient {
    let client = ReferenceClient(profile: profile)
    switch self {
    case .unordered:
      return MutantClient(client, 0, does: { step, _ in Self.listeningUnordered(step) })
    case .clockReader: return ClockReader(client: client)
    }
  }

  private static func listeningUnordered(_ step: InterceptedStep) -> [ClientOutput] {
    guard case .frame(.hello) = step.input else { return step.outputs }
    var outputs = step.outputs
    let positions = outputs.indices.filter { outputs[$0].request?.isListen == true }
    // This is the defect: the order of a set is another one in each process.
    for (position, listen) in zip(positions, Set(positions.map { step.outputs[$0] })) {
      outputs[position] = listen
    }
    return outputs
  }
}

/// Reads the clock on the wall, which no client of a run may do: time is handed to it.
struct ClockReader: WrappingClient {
  private static let start = ContinuousClock.now

  var client: any SyncClient

  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    var caused: [ClientOutput] = []
    client.handle(input, at: now, into: &caused)
    let spent = Self.start.duration(to: .now) / .nanoseconds(1)
    // What the clock says below ten milliseconds: hardly ever the same in two runs, and so little that
    // the client does nothing wrong by it.
    let late = Interval(nanoseconds: Int64(spent) % 10_000_000)
    outputs += caused.map { output in
      guard case let .setTimer(timer, after, purpose) = output else { return output }
      return .setTimer(timer, after: after + late, purpose)
    }
  }
}
