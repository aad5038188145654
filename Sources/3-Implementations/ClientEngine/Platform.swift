package import ClientInterface
package import Wire

/// What an SDK takes from outside: time, timers, randomness, a connection, storage and the queue
/// on which the application is called.
///
/// The engine calls it one call at a time, and expects no call of its own before such a call has
/// returned. What happens comes back with ``Engine/handle(_:)``, from any thread.
package protocol Platform: AnyObject {
  /// The time by the clock of the machine.
  var now: Instant { get }

  /// Asks for a connection, to the host of the database if none is named; answered by `opened` or
  /// `refused`.
  func connect(to host: String?)
  func send(_ message: ClientMessage)
  /// Closes the connection, or stops asking for one. Nothing follows from it.
  func disconnect()

  /// Wakes the engine with `timer` after an interval. Setting a timer again moves it.
  func setTimer(_ timer: TimerID, after interval: Interval, _ purpose: TimerPurpose)
  func cancelTimer(_ timer: TimerID)

  /// Keeps a text over the end of the process; it is safe when ``commit()`` has returned.
  func store(_ text: String, as key: String)
  func erase(_ key: String)
  /// All that came of one input was handed over.
  func commit()

  /// Calls the application on its queue, after everything that was handed over before (OBS-20).
  func callBack(_ work: @escaping () -> Void)
  /// Tells the application what the blocks of its calls do not.
  func report(_ problem: SyncProblem)
  /// The application has called the SDK as only its code can make it, whatever its data are (ERR-1): the
  /// end of a program, as an uncaught exception is, unless the platform belongs to a test.
  func trap(_ error: SyncError)
  /// Something for the developer.
  func log(_ text: String)
  /// The engine has ended: connection, timers and files are given back.
  func end()
  /// What went wrong last with what is to be kept; `nil` if everything is.
  var keepingProblem: String? { get }

  /// The client has handled an input. What it did is carried out after that, in the same order.
  func follow(_ input: ClientInput, _ outputs: [ClientOutput])
}

extension Platform {
  package func follow(_ input: ClientInput, _ outputs: [ClientOutput]) {}
}

/// What an engine needs to begin.
package struct EngineSettings: Sendable {
  package var profile: Profile
  package var address: DatabaseAddress
  package var opening: ClientInput.Opening

  package init(_ profile: Profile, _ address: DatabaseAddress, _ opening: ClientInput.Opening) {
    self.profile = profile
    self.address = address
    self.opening = opening
  }
}
