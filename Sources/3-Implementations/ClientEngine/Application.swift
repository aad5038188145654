package import ClientInterface
package import Dispatch
internal import Tree

/// The databases that an application uses, and how it has configured them.
///
/// There is one in a program. A test makes one for each client, and is in it as long as it calls
/// the SDK in its name.
///
/// Unchecked: every stored property is used with `lock` taken, or never changes.
package final class Application: @unchecked Sendable {
  /// Makes the engine of a database; `nil` for an address that leads to none.
  package typealias EngineMaker = @Sendable (DatabaseAddress, Edition, Configuration) -> Engine?

  /// Finds the numeric addresses of a host, best first; none for one that is not known.
  package typealias HostFinder = @Sendable (String) -> [String]

  /// Which documents the application was written by; what speaks the dialect of Firebase follows none.
  package enum Edition: Sendable {
    case first
    case second
  }

  /// What holds for engines that are made from now on (OFF-23).
  package struct Configuration: Sendable {
    /// Whether data and writes are kept over the end of the process, and how many bytes of data.
    package var keepsData = false
    package var cacheBytes: UInt = 10 * 1024 * 1024
    /// On which queue the application is called (OBS-20).
    package var callbackQueue = DispatchQueue.main
    package var isLogging = false
    /// Where messages for the developer go; standard error if `nil`.
    package var logger: (@Sendable (String) -> Void)?
    /// Learns what the blocks of calls do not, on the callback queue.
    package var problemHandler: (@Sendable (SyncProblem) -> Void)?
    /// Where files are kept; `nil` for the usual folder of the user.
    package var folder: String?
    /// Host and port of a server that stands in for those of all databases; `nil` for none.
    package var emulator: String?
    /// Which of several applications of a program this is, if it has a name.
    package var name: String?
    /// Finds the addresses of a host by its name, and may take any time; as the system does if `nil`.
    package var findHost: HostFinder?
    /// A file with the certificates that are trusted besides those of the system; `nil` for none.
    package var authorities: String?

    package init() {}

    package var persistence: ClientInput.Persistence? {
      keepsData ? .init(cacheBytes: Int(clamping: cacheBytes)) : nil
    }
  }

  private let lock = SerialLock()
  private let makeEngine: EngineMaker
  private let trap: @Sendable (SyncError) -> Void
  private var engines: [(address: DatabaseAddress, engine: Engine)] = []
  private var isOffline = false
  private var settings = Configuration()
  private var home: String?

  /// - Parameters:
  ///   - trap: What becomes of a call that is not allowed and reaches no database.
  ///   - makeEngine: Makes the engine of a database when it is first used.
  package init(
    trap: @escaping @Sendable (SyncError) -> Void, makeEngine: @escaping EngineMaker
  ) {
    self.trap = trap
    self.makeEngine = makeEngine
  }

  /// What holds for databases that are not used yet.
  package var configuration: Configuration {
    get { lock.locked { settings } }
    set { lock.locked { settings = newValue } }
  }

  /// The address of the database that is meant where none is named.
  package var defaultURL: String? {
    get { lock.locked { home } }
    set { lock.locked { home = newValue } }
  }

  /// The root of that database; without one a refusal.
  package var defaultLocation: Location {
    guard let defaultURL else {
      return refused(
        SyncError("invalid_url", "no database is configured; call WDGApp.configure(with:) before"))
    }
    return location(of: defaultURL, .second)
  }

  /// The location of an address, in the database that it names.
  ///
  /// - Returns: The location; after a refusal, which ends a program, the root of any database.
  package func location(of url: String, _ edition: Edition) -> Location {
    lock.locked {
      guard let (address, path) = DatabaseAddress.parse(url),
        let engine = engine(of: address, edition)
      else { return refused(.noAddress(url)) }
      return Location(engine).child(path.relativeText)
    }
  }

  private func engine(of address: DatabaseAddress, _ edition: Edition) -> Engine? {
    if let known = engines.first(where: { $0.address == address }) { return known.engine }
    guard let engine = makeEngine(address, edition, settings) else { return nil }
    engines.append((address, engine))
    if isOffline { engine.perform(.goOffline) }
    return engine
  }

  /// Reports a call that is not allowed.
  private func refused(_ error: SyncError) -> Location {
    trap(error)
    guard let engine = lock.locked({ engines.first?.engine }) else { error.endProgram() }
    return Location(engine)
  }

  /// Takes all databases offline or online, also those that are used later (CON-17), or gives up
  /// what they have on its way (WRT-30).
  ///
  /// The databases are called without the lock: an engine that runs the function of a transaction
  /// has its own lock taken, and the function may ask for this one.
  package func go(_ operation: Operation) {
    let engines = lock.locked {
      isOffline = operation.isOnline.map { !$0 } ?? isOffline
      return self.engines.map(\.engine)
    }
    for engine in engines { engine.perform(operation) }
  }

  /// The version of the SDKs.
  package static let version = "1.0.0"
}
