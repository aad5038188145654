import ClientEngine
import Document
import Faults
import Glibc
import LiveServer
import ReferenceServer
import Scenario
import ScenarioFiles
package import System
package import Trace
import Tree
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
  /// What is between clients and the server of others; nil for a server that does what they ask itself.
  private let proxy: Proxy?

  /// Reads the file of faults, and makes the directory for recordings.
  ///
  /// - Throws: `Failure.unusable` with everything that is wrong in the file of faults, and
  ///   `Failure.results` when the directory cannot be made, or that of the export.
  package init(_ options: ServerOptions) throws(Failure) {
    self.options = options
    // At the end it would be too late to say so.
    if let file = options.exportFile { try Files.makeDirectory(of: file) }
    var settings = options.settings
    let watch = Dashboard(options)
    settings.largeMessage = Self.largeMessage
    if let file = options.storeFile {
      settings.storage = try DataStore(file, warn: options.warn).storage
    }
    settings.isRecorded = options.recordingFolder != nil || watch.isOn
    var recordings: RecordingThread?
    if let folder = options.recordingFolder {
      let scenario = options.scenario.map { (id: $0.id, sources: options.sources) }
      recordings = RecordingThread(
        try RecordingFolder(
          folder, .init(data: settings.data, scenario: scenario), warn: options.warn))
    }
    plan = try FaultPlan(file: options.faultFile, options.scenario)
    if let upstream = options.upstream, let step = plan.stepOfServer {
      throw .unusable(
        "\(options.faultFile ?? "a fault"): \(step) happens in the server, and the one at \(upstream.host) "
          + "does not do it when asked; expected what happens to the network")
    }
    loop = SocketLoop(
      plan.server(settings, seed: options.seed), maxConnections: options.maxConnections,
      warn: options.warn)
    (loop.rules, loop.recordings, loop.watch) = (plan.rules, recordings, watch)
    proxy = options.upstream.map { [loop] in Proxy(to: $0, options, loop) }
    loop.observer = proxy
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
    proxy?.end()
    if let file = options.exportFile { try DataExport(file: file).write(loop.live.server) }
  }

  /// The connections between clients and a server of others by what was found on them.
  package var tally: Tally { proxy?.tally ?? Tally() }
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

/// What goes wrong at a live server from the start: by a scenario, and by a file of faults.
struct FaultPlan {
  let rules: [FaultRule]
  private let scenario: Scenario?
  private let read: ReadFaultRules?

  /// - Throws: `Failure.unusable` with everything that is wrong in the file.
  init(file: String?, _ scenario: Scenario?) throws(Failure) {
    self.scenario = scenario
    guard let file else {
      (read, rules) = (nil, [])
      return
    }
    let text = try Files.text(of: file)
    let read = ReadFaultRules(
      file: file, bytes: Array(text.utf8), clients: scenario?.clients ?? [],
      isJSON: file.hasSuffix(".json"))
    guard read.problems.isEmpty else { throw .mistakes(read.problems) }
    self.read = read
    rules = read.rules.map { FaultRule($0) }
  }

  /// A fault in the file that happens in the server itself; nil where there is none.
  var stepOfServer: String? {
    let kinds = read?.rules.compactMap(\.step.action.fault?.kind) ?? []
    return kinds.first { FaultKind.steps(of: .server).contains($0) }?.step
  }

  /// The server, before anything goes wrong.
  func server(_ settings: LiveServerSettings, seed: UInt64) -> FaultyServer {
    let live = LiveServer(settings)
    var server =
      scenario.map { FaultyServer(live, $0, seed: seed) } ?? FaultyServer(live, seed: seed)
    if let read { server.take(read) }
    return server
  }

  /// What is done of the scenario's steps, and what is not; nil without a scenario.
  var sentence: String? {
    guard let scenario else { return nil }
    let script = FaultScript(scenario)
    var lines: [String] = []
    if script.stepCount > 0 {
      lines.append(
        "steps of the network and the server that are done after the hello of the first client: "
          + "\(script.stepCount)")
    }
    if script.passedOver > 0 {
      lines.append(
        "steps that are passed over, calls of clients and expectations: \(script.passedOver)")
    }
    lines += script.unsupportedReasons.map { "passed over: \($0)" }
    return lines.map { $0 + "\n" }.joined()
  }
}

/// Writes the data of a server to files, for `--export-on-exit`.
struct DataExport {
  /// The file for the namespace that is meant where none is named; those of others have the
  /// namespace's name in front of the suffix.
  let file: String

  /// Writes the data of every namespace in export format, so that `--data` reads them. Each file has
  /// its old content or all of the new one.
  ///
  /// Any page may have named a namespace. So those that have nothing of their own are left out, and only
  /// the file that the user has named is replaced: others get a number where the name is taken.
  ///
  /// - Throws: `Failure.results` when a file cannot be written.
  func write(_ server: LiveServer) throws(Failure) {
    for name in server.namespaceNames {
      guard let tree = server.server(of: name)?.tree else { continue }
      let isNamed = name == HTTPRequest.defaultNamespace
      if !isNamed, tree.fingerprint == server.settings.data.fingerprint { continue }
      try Files.replace(tree.json.text + "\n", at: isNamed ? file : freePath(of: name))
    }
  }

  private func freePath(of namespace: String) -> String {
    var path = path(of: namespace)
    var number = 1
    while Files.exists(path) {
      number += 1
      path = self.path(of: "\(namespace)-\(number)")
    }
    return path
  }

  func path(of namespace: String) -> String {
    if namespace == HTTPRequest.defaultNamespace { return file }
    let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
    let name = file.dropFirst(folder.count)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "\(file).\(namespace)"
    }
    return "\(folder)\(name[..<dot]).\(namespace)\(name[dot...])"
  }
}
