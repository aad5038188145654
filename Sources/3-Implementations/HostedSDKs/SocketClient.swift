internal import ClientEngine
public import ClientInterface
public import Dispatch
internal import Hosting

/// The documented SDK with its own clock, sockets and files, as the client of an adapter.
///
/// Unchecked: everything is done on its queue.
public final class SocketClient: SyncClient, @unchecked Sendable {
  private let queue: DispatchQueue
  private let folder: String
  private let report: ([ClientOutput]) -> Void
  private let profile: Profile
  private var hosted: HostedClient?
  private var engine: Engine?
  private var isReporting = false

  /// - Parameters:
  ///   - profile: What the server speaks.
  ///   - queue: Where inputs come, and where the application is called.
  ///   - folder: Where it keeps its files.
  ///   - report: Takes what it does between inputs, on the queue.
  public init(
    _ profile: Profile, on queue: DispatchQueue, in folder: String,
    report: @escaping ([ClientOutput]) -> Void
  ) {
    self.profile = profile
    self.queue = queue
    self.folder = folder
    self.report = report
  }

  deinit { engine?.end() }

  /// Hands a call to the SDK, and begins or ends its process; nothing else comes from outside.
  public func handle(_ input: ClientInput, at now: Instant, into outputs: inout [ClientOutput]) {
    switch input {
    case let .open(opening):
      engine?.end()
      hosted = opening.url.map { makeHosted($0) }
      hosted?.handle(input, at: now, into: &outputs)
    case .call: hosted?.handle(input, at: now, into: &outputs)
    case .close:
      engine?.end()
      engine = nil
      hosted = nil
    case .opened, .refused, .frame, .closed, .timer: break
    }
  }

  private func makeHosted(_ url: String) -> HostedClient {
    HostedClient(profile: profile) { [unowned self] environment in
      let glue = environment.makeGlue(for: .real(url, profile, on: queue, in: folder))
      engine = glue.engine
      environment.didEmit = { [weak self] in self?.reportSoon() }
      return glue.sdk
    }
  }

  private func reportSoon() {
    if isReporting { return }
    isReporting = true
    queue.async { [weak self] in
      guard let self else { return }
      isReporting = false
      if let outputs = hosted?.takeOutputs(), !outputs.isEmpty { report(outputs) }
    }
  }
}
