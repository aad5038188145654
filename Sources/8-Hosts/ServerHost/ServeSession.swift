import Glibc
import LiveServer
import Scenario
package import System
import WebPages

/// A live server on ports of this machine, for clients that have sockets of their own.
///
/// It serves in the thread that calls ``run(until:started:)``.
package struct ServeSession {
  /// What is known once clients can connect.
  package struct Start {
    package let port: Int
    /// The port for control; nil for none.
    package let controlPort: Int?
    /// What is done of the steps of the scenario, and what is not: lines; nil without a scenario.
    package let scenarioNotes: String?
    /// The addresses for other machines, with the token; empty where there is none.
    package let otherAddresses: [String]
  }

  /// From how many bytes on messages are read and written in another thread.
  private static let largeMessage = 1 << 16

  private let options: ServerOptions
  private let plan: FaultPlan
  private let loop: SocketLoop

  /// Reads the file of faults, and makes the directory for recordings.
  ///
  /// - Throws: `Failure.unusable` with everything that is wrong in the file of faults, and
  ///   `Failure.results` when the directory cannot be made.
  package init(_ options: ServerOptions) throws(Failure) {
    self.options = options
    var settings = options.settings
    let watch = Dashboard(options)
    settings.largeMessage = Self.largeMessage
    settings.isRecorded = options.recordingFolder != nil || watch.isOn
    var recordings: RecordingThread?
    if let folder = options.recordingFolder {
      let scenario = options.scenario.map { (id: $0.id, sources: options.sources) }
      recordings = RecordingThread(
        try RecordingFolder(
          folder, .init(data: settings.data, scenario: scenario), warn: options.warn))
    }
    plan = try FaultPlan(file: options.faultFile, options.scenario)
    loop = SocketLoop(
      plan.server(settings, seed: options.seed), rules: plan.rules, recordings: recordings,
      maxConnections: options.maxConnections, warn: options.warn)
    loop.watch = watch
    if options.isOnLAN { loop.lan = LANAccess(token: Self.freshToken()) }
  }

  /// Listens on 127.0.0.1 and ::1, and serves until it is asked to end; then it closes every
  /// connection, which takes 0.4 s at most.
  ///
  /// - Parameters:
  ///   - isFinished: Is asked at least every 50 ms whether the server is to end.
  ///   - started: Is called once, when clients can connect.
  /// - Throws: `Failure.notStarted` when a port is not free, what `started` throws, and
  ///   `Failure.results` when the data cannot be exported.
  package func run(
    until isFinished: @escaping () -> Bool, started: (Start) throws(Failure) -> Void
  ) throws(Failure) {
    // A file that may not grow must be an error, not the end of this process.
    signal(SIGXFSZ, SIG_IGN)
    loop.isAskedToEnd = isFinished
    try loop.run(port: options.port, controlPort: options.controlPort) {
      port, controlPort throws(Failure) in
      try started(
        Start(
          port: port, controlPort: controlPort, scenarioNotes: plan.sentence,
          otherAddresses: otherAddresses(port)))
    }
    if let file = options.exportFile { try DataExport(file: file).write(loop.live.server) }
  }
}

extension ServeSession {
  private func otherAddresses(_ port: Int) -> [String] {
    guard let lan = loop.lan else { return [] }
    return LANAccess.ownAddresses().map { "http://\($0):\(port)/?ns=\(lan.token)" }
  }

  /// 103 random bits as a text.
  fileprivate static func freshToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(generator.next(), radix: 36) }.joined()
  }
}

extension Dashboard {
  /// What the options say is to be seen. The token is another one for each start.
  fileprivate init(_ options: ServerOptions) {
    let token = ServeSession.freshToken()
    let files = options.hasPage ? LivePage.files : []
    self.init(
      token: token,
      files: files.map { File(path: $0.path, type: $0.type, bytes: $0.bytes) },
      hasControl: options.controlPort != nil)
  }
}
