/// A realtime-sync client, as a state machine.
///
/// This is all that the kit needs to know about an implementation. Whatever happens to the client
/// arrives as an input; whatever it does in consequence it appends to the outputs, in the order in
/// which it does it. It has no clock, no sockets, no threads and no randomness of its own:
///
/// - time is the argument `now`, and a timer is an output that comes back as an input;
/// - the network is `connect`, `send` and `disconnect` one way, `opened`, `refused`, `frame` and
///   `closed` the other;
/// - randomness starts from the seed in `ClientInput.Opening`.
///
/// The same inputs must always give the same outputs. A client that is a value can be copied in the
/// middle of a run, which makes exploring the orders of events cheap; one that is a class must be
/// created again for each run.
public protocol SyncClient {
  /// Handles one input at time `now` and appends everything that it causes, in order.
  ///
  /// Everything that the input causes without time passing and without the network belongs to
  /// `outputs`: the events of a local write, the frames that go out, the timers.
  ///
  /// - Parameters:
  ///   - input: What happened. The first is `open`, the last `close`.
  ///   - now: The time by the client's own clock. Never decreases unless a scenario moves the clock.
  ///   - outputs: What the client does. Append only.
  mutating func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput])

  /// What this client can do, by the names that scenarios use in `needs:`.
  var capabilities: Set<String> { get }

  /// What its programming interface lacks of these.
  var lacks: Set<Feature> { get }
}

extension SyncClient {
  /// Everything, unless the client declares otherwise.
  public var capabilities: Set<String> { Capability.all }

  /// Nothing, unless the client declares otherwise.
  public var lacks: Set<Feature> { [] }

  /// The names of all that it can do, capabilities and features alike.
  public var abilities: Set<String> { capabilities.union(Feature.names(without: lacks)) }
}
