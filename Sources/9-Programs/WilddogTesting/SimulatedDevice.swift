internal import ClientEngine
internal import ClientInterface
internal import ClientMachine
internal import Simulator
public import WilddogSync

/// A device of a simulated network: an application on it has a clock, a storage and a connection of its own.
public struct SimulatedDevice: Hashable, Sendable {
  let network: SimulatedNetwork
  let state: DeviceState

  /// What the trace calls it.
  public var name: String { state.name }

  /// The database, as the application on this device has it. After `.kill` and `.start` it is that of the
  /// new process: what was made with the earlier one does nothing any more.
  public var sync: WDGSync {
    if !isRunning {
      network.report("the application on \(name) was killed; inject .start(\(name), .kept) first")
    }
    return run { WDGSync.sync() }
  }

  /// Runs code of the application on this device: `WDGSync.sync()`, `Wilddog(url:)`, `goOffline()` and the
  /// settings of `WDGSync` are those of the device inside, as in the blocks of its SDK. What is to be set
  /// before the first reference is made is set in here.
  ///
  /// - Parameter work: The code.
  /// - Returns: What it returns.
  /// - Throws: What it throws.
  public func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    try Application.$current.withValue(state.application) { try work() }
  }

  /// Whether it has a connection that works.
  public var isConnected: Bool {
    guard let index = state.index else { return false }
    return network.asked("isConnected") { $0.isConnected(index) } ?? false
  }

  /// Whether the application runs: not between `.kill` and `.start`.
  public var isRunning: Bool {
    guard let index = state.index else { return true }
    return network.asked("isRunning") { $0.isRunning(index) } ?? false
  }

  public static func == (a: SimulatedDevice, b: SimulatedDevice) -> Bool { a.state === b.state }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(state)) }
}

/// What a device has: the application, and the client of its present process.
///
/// Unchecked: it is used like its network.
final class DeviceState: @unchecked Sendable {
  let name: String
  private(set) var application: Application
  /// The position of the device in the run, once its application has used the database.
  var index: ClientIndex?
  /// The client of the process that runs, or ran last.
  var engine: Engine?

  init(_ name: String, _ network: SimulatedNetwork, keepsData: Bool) {
    self.name = name
    application = Self.makeApplication(name, network)
    application.configuration.keepsData = keepsData
    application.defaultURL = network.url
  }

  /// Begins the next process, which is configured as the last one was.
  func restart(on network: SimulatedNetwork) {
    let last = application
    application = Self.makeApplication(name, network)
    application.configuration = last.configuration
    application.defaultURL = last.defaultURL
    engine = nil
  }

  private static func makeApplication(_ name: String, _ network: SimulatedNetwork) -> Application {
    Application { [weak network] error in
      network?.report("\(name) makes a call that ends a program: \(error)")
    } makeEngine: { [weak network] address, edition, configuration in
      network?.engine(ofDevice: name, at: address, edition, configuration.persistence)
    }
  }
}
