internal import ClientEngine
public import ClientInterface
public import Faults
internal import Glibc
internal import Hosting
internal import Simulator
internal import Synchronization
public import Testing
internal import Trace
internal import Tree
internal import Wire

/// Devices, a network and a server in virtual time: an application that uses `WilddogSync` is tested on
/// them, with outages and races, without sleeping.
///
///     let network = SimulatedNetwork(seed: 7)
///     let phone = network.device("phone")
///     let list = SharedList(phone.sync, user: "alice")
///     network.inject(.cut(phone))
///     list.add("milk")
///     network.settle()
///     #expect(network.server["list"] == nil, network.trace)
///
/// Nothing happens unless time passes: in ``settle(within:sourceLocation:)``, ``advance(by:sourceLocation:)``
/// and ``wait(within:sourceLocation:for:)``, on the thread that calls them. There blocks of the application
/// are called too, in place of the callback queue; a call of the SDK never calls them by itself. The same
/// seed and the same calls give the same ``trace`` on every machine.
///
/// What the test does wrong is recorded as an issue, and is not done.
///
/// Unchecked: one thread at a time uses it, which the order of a test's statements ensures. While time
/// passes, calls from other threads are noticed by `driver`, reported and dropped.
public final class SimulatedNetwork: @unchecked Sendable {
  /// The server as a test sees it.
  public var server: SimulatedServer { SimulatedServer(network: self) }
  /// The address of the database for which the server stands. An application that is configured with the
  /// address of its own reaches this server as well.
  public let url: String

  let profile: Profile
  var simulator: Simulator
  private(set) var devices: [DeviceState] = []
  private let latency: Latency
  /// The first address that an application has used.
  private var address: DatabaseAddress?

  /// Blocks of applications that are to be called, in order, each with how many led to it in this instant.
  var blocks: ArraySlice<(depth: Int, work: () -> Void)> = []
  var depth = 0
  var agenda: [(due: Interval, number: Int, work: () -> Void)] = []
  var lastNumber = 0
  /// Calls that the function of a transaction made while its device was given something.
  private var postponed: ArraySlice<HandledCall> = []
  /// Whether the simulator is at work, and cannot be asked.
  private var isBusy = false
  /// The thread on which time passes; 0 while it does not.
  let driver = Atomic<UInt>(0)
  /// The devices that other threads have called meanwhile.
  let strays = Mutex<[String]>([])
  let executor: Executor
  /// Where the test has called last.
  var location: SourceLocation?

  /// For how long nothing must be going to happen after a network has settled.
  static let quiet = Interval.seconds(2)
  /// So many blocks that each called for the next one are a loop.
  private static let deepest = 1000

  /// A network with a server and no devices.
  ///
  /// - Parameters:
  ///   - seed: What decides everything that is left open: latencies within their range, generated keys,
  ///     delays of reconnecting.
  ///   - data: What the server has at the beginning: what `setValue` takes.
  ///   - latency: How long a message takes in one direction.
  ///   - profile: What the server speaks: `.wilddog2` for `WilddogSync`, `.wilddog1` for `Wilddog`,
  ///     `.firebase` for `WilddogSync` with an address of that service.
  ///   - sourceLocation: Where issues are reported.
  public init(
    seed: UInt64 = 0, data: Any? = nil,
    latency: ClosedRange<Duration> = .milliseconds(10)...(.milliseconds(10)),
    profile: Profile = .wilddog2, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let host = profile.dialect == .firebase ? "example.firebaseio.com" : "example.wilddogio.com"
    url = "https://" + host
    self.profile = profile
    self.latency = Latency(Interval(latency.lowerBound), through: Interval(latency.upperBound))
    executor = Executor(seed: seed)
    var configuration = Configuration(profile: profile, clients: [])
    configuration.seed = seed
    configuration.host = host
    simulator = Simulator(configuration)
    location = sourceLocation
    if data != nil { server.set("", data, sourceLocation: sourceLocation) }
  }

  /// A new device, on which the application runs that a test makes with its
  /// ``SimulatedDevice/sync``. It connects when that is first used and time passes.
  ///
  /// - Parameters:
  ///   - name: What the trace calls it.
  ///   - keepsData: Whether the application has switched persistence on.
  ///   - sourceLocation: Where issues are reported.
  /// - Returns: The device.
  public func device(
    _ name: String, keepsData: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) -> SimulatedDevice {
    location = sourceLocation
    if devices.contains(where: { $0.name == name }) {
      report("the network has a device \(name) already; give each device a name of its own")
    }
    let state = DeviceState(name, self, keepsData: keepsData)
    devices.append(state)
    return SimulatedDevice(network: self, state: state)
  }

  /// The virtual time that has passed since the network was made.
  public var elapsed: Duration { .nanoseconds(asked("elapsed", { $0.now })?.nanoseconds ?? 0) }

  /// A number for everything that has happened: equal after equal runs, on every machine.
  public var hash: String {
    let digits = String(asked("hash", { $0.trace.hash.bits }) ?? 0, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What has happened, in order: calls, messages, faults, events and the ends of calls; of a long run the
  /// last 200. Handed to `#expect`, a failure shows it.
  public var trace: Comment {
    Comment(rawValue: asked("trace", { $0.text(last: 200) }) ?? "")
  }
}

// Faults.

extension SimulatedNetwork {
  /// Lets something go wrong, or recover, now. Specs/faults.md describes every fault.
  ///
  /// - Parameters:
  ///   - fault: Such as `.cut(phone)`, `.heal(phone)`, `.drop(phone)`, `.halfOpen(phone, notices: .neither)`,
  ///     `.kill(phone)` or `.latency(.fixed(.milliseconds(200)), phone)`.
  ///   - sourceLocation: Where issues are reported.
  public func inject(
    _ fault: Fault<SimulatedDevice>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    change(fault, sourceLocation) { $0.inject($1) }
  }

  /// Lets something go wrong when time has passed.
  ///
  /// - Parameters:
  ///   - fault: What happens.
  ///   - interval: After how long.
  ///   - sourceLocation: Where issues are reported.
  public func inject(
    _ fault: Fault<SimulatedDevice>, after interval: Duration,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    change(fault, sourceLocation) { $0.arm($1, when: .after(max(.zero, Interval(interval)))) }
  }

  /// Lets something go wrong once, when a message arrives: `network.inject(.drop(phone), .before, .answer(.put))`.
  ///
  /// - Parameters:
  ///   - fault: What happens.
  ///   - edge: Before the message arrives, which a broken connection then prevents, or after it.
  ///   - frame: Which kind of message it waits for.
  ///   - device: Whose messages count; `nil` for those of all.
  ///   - nth: Which of these messages, from 1.
  ///   - sourceLocation: Where issues are reported.
  public func inject(
    _ fault: Fault<SimulatedDevice>, _ edge: Trigger.Edge, _ frame: Trigger.Frame,
    of device: SimulatedDevice? = nil, nth: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let index = device.flatMap { self.index(of: $0) }
    if device != nil, index == nil { return }
    change(fault, sourceLocation) { $0.arm($1, when: .message(frame, of: index, nth: nth, edge)) }
  }

  private func change(
    _ fault: Fault<SimulatedDevice>, _ sourceLocation: SourceLocation,
    _ work: (inout Simulator, IndexedFault) -> Void
  ) {
    location = sourceLocation
    do throws(UnknownDevice) {
      let indexed: IndexedFault = try fault.mapping(client: known)
      _ = asked("inject") { work(&$0, indexed) }
    } catch {
      // It has been reported.
    }
  }

  private func known(_ device: SimulatedDevice) throws(UnknownDevice) -> ClientIndex {
    guard let index = index(of: device) else { throw UnknownDevice() }
    return index
  }

  /// The index of a device, which starts now if it has not yet.
  func index(of device: SimulatedDevice) -> ClientIndex? {
    guard device.network === self else {
      report("the device \(device.name) belongs to another network")
      return nil
    }
    if device.state.index == nil { _ = device.sync }
    return device.state.index
  }

  private struct UnknownDevice: Error {}
}

// What devices need.

extension SimulatedNetwork {
  /// What the application on a device uses as its database. Its first use starts the device.
  func engine(
    ofDevice name: String, at address: DatabaseAddress, _ edition: Application.Edition,
    _ persistence: ClientInput.Persistence?
  ) -> Engine? {
    guard let state = devices.first(where: { $0.name == name }) else { return nil }
    check(address, edition, name)
    if state.engine == nil {
      let setup = ClientSetup(
        name: name, client: DeviceMachine(state, self, at: address), latency: latency,
        persistence: persistence
      ) { [unowned self, unowned state] in
        state.restart(on: self)
        return DeviceMachine(state, self, at: address)
      }
      state.index = asked("the first use of a database") { $0.join(setup) }
    }
    return state.engine
  }

  private func check(_ address: DatabaseAddress, _ edition: Application.Edition, _ name: String) {
    let first = self.address ?? address
    self.address = first
    if address != first {
      report(
        "a network has one database, here \(first.text(of: .root)); the application on \(name) uses"
          + " \(address.text(of: .root)) as well")
    }
    let spoken = address.profile(in: edition)
    if spoken != profile {
      report(
        "the application on \(name) is a client of \(spoken.name), and the server one of"
          + " \(profile.name); make the network with the profile \(spoken.name)")
    }
  }

  /// Has the simulator take note of a call that a device has handled.
  func take(_ call: ClientInput, _ outputs: [ClientOutput], of machine: DeviceMachine) {
    let own = UInt(pthread_self())
    let driving = driver.load(ordering: .sequentiallyConsistent)
    if driving != 0, driving != own {
      strays.withLock { $0.append(machine.name) }
    } else if isBusy {
      postponed.append(HandledCall(machine: machine, call: call, outputs: outputs))
    } else {
      inside { machine.hand(call, outputs, to: &$0) }
    }
  }

  /// Has a block called in its turn.
  func callBack(_ work: @escaping () -> Void) {
    if depth <= Self.deepest { return blocks.append((depth, work)) }
    report(
      "the application does not settle: \(depth) blocks in one instant, each because of the last")
  }

  /// Asks the simulator something, or changes it; `nil` inside a function that runs while it is at work.
  func asked<Answer>(_ call: String, _ work: (inout Simulator) -> Answer) -> Answer? {
    if isBusy {
      report("\(call) inside the function of a transaction, which may only compute its value")
      return nil
    }
    return inside(work)
  }

  @discardableResult
  func inside<Answer>(_ work: (inout Simulator) -> Answer) -> Answer {
    isBusy = true
    defer { isBusy = false }
    let answer = work(&simulator)
    while let next = postponed.popFirst() {
      next.machine.hand(next.call, next.outputs, to: &simulator)
    }
    return answer
  }

  /// Reports what the test does wrong.
  func report(_ problem: String, at sourceLocation: SourceLocation? = nil) {
    let place = sourceLocation ?? location
    let comment = Comment(rawValue: "simulated network: " + problem)
    if let place {
      Issue.record(comment, sourceLocation: place)
    } else {
      Issue.record(comment)
    }
  }
}

/// A call that a device has handled, and the simulator has not taken note of.
private struct HandledCall {
  let machine: DeviceMachine
  let call: ClientInput
  let outputs: [ClientOutput]
}

extension Interval {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
