internal import ClientEngine
internal import ClientInterface
internal import ClientMachine
internal import Simulator
internal import Wire

/// One process of a device: to the SDK its machine, to the simulator its client.
///
/// The simulator acts on everything that the client puts out, so that a run of an application is like any
/// other run, and this machine has nothing left to do but to keep the blocks that are to be called.
final class DeviceMachine: SyncClient, Platform {
  let name: String
  // What the application holds may outlive the network.
  private weak var state: DeviceState?
  private weak var network: SimulatedNetwork?
  private let address: DatabaseAddress
  private let profile: Profile
  private let application: Application

  /// Whether the simulator is giving it something, and the time by its clock then.
  private var given: Instant?
  /// What the client has done with it.
  private var reply: [ClientOutput]?
  /// What the client has done with a call by itself.
  private var prepared: [ClientOutput]?

  init(_ state: DeviceState, _ network: SimulatedNetwork, at address: DatabaseAddress) {
    name = state.name
    self.state = state
    self.network = network
    self.address = address
    profile = network.profile
    application = state.application
  }

  func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    if let prepared {
      outputs += prepared
      return
    }
    given = now
    if let opening = input.opening {
      let settings = EngineSettings(profile, address, opening)
      state?.engine = Engine(settings, on: self) { state?.engine = $0 }
    } else if input.isEnd {
      state?.engine?.end()
    } else {
      state?.engine?.handle(input)
    }
    outputs += reply ?? []
    (given, reply) = (nil, nil)
  }

  /// Hands a call to the simulator that the client has handled already.
  func hand(_ input: ClientInput, _ outputs: [ClientOutput], to simulator: inout Simulator) {
    guard let asked = input.asked, let index = state?.index else { return }
    prepared = outputs
    simulator.call(index, asked.call, asked.operation)
    prepared = nil
  }
}

// What the SDK asks of its machine.

extension DeviceMachine {
  func follow(_ input: ClientInput, _ outputs: [ClientOutput]) {
    if given != nil, reply == nil {
      reply = outputs
    } else {
      network?.take(input, outputs, of: self)
    }
  }

  var now: Instant {
    if let given { return given }
    guard let index = state?.index else { return Instant(nanoseconds: 0) }
    return network?.asked("a call", { $0.clock(of: index) }) ?? Instant(nanoseconds: 0)
  }

  func callBack(_ work: @escaping () -> Void) {
    network?.callBack { [application] in Application.$current.withValue(application) { work() } }
  }

  func report(_ problem: SyncProblem) {
    log(problem.description)
    if let handler = application.configuration.problemHandler { callBack { handler(problem) } }
  }

  func trap(_ error: SyncError) {
    network?.report("\(name) makes a call that ends a program: \(error)")
  }

  func log(_ text: String) {
    let configuration = application.configuration
    if configuration.isLogging { configuration.logger?(text) }
  }

  // The simulator does all of this with what the client puts out.
  func connect(to host: String?) {}
  func send(_ message: ClientMessage) {}
  func disconnect() {}
  func setTimer(_ timer: TimerID, after interval: Interval, _ purpose: TimerPurpose) {}
  func cancelTimer(_ timer: TimerID) {}
  func store(_ text: String, as key: String) {}
  func erase(_ key: String) {}
  func commit() {}
  func end() {}
  var keepingProblem: String? { nil }
}
