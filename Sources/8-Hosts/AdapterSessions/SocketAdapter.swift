import AdapterProtocol
import ClientInterface
import Dispatch
import Glibc
import HostedSDKs
import System

/// The documented SDK behind the adapter protocol, with its own clock, sockets and files.
///
/// Everything is done on one queue: the requests of the kit, and what the SDK calls.
package final class SocketAdapter {
  private let queue = DispatchQueue(label: "kennel.adapter")
  private var host: AdapterHost?
  private let folder: String
  private let isKept: Bool
  /// Counts runs: each begins without files, unless they are to be kept.
  private var run = 0

  /// - Parameter folder: Where clients keep their files; nil for one that is removed at the end.
  package init(_ folder: String?) {
    isKept = folder != nil
    self.folder = folder ?? "/tmp/kennel-adapter-\(getpid())"
  }

  /// Answers each line of standard input, until its end or `bye`.
  ///
  /// - Parameter version: The version that it introduces itself with.
  package func serve(version: String) {
    var hello = AdapterHello(
      name: "sdk", version: version, capabilities: DocumentedClient.capabilities, canReset: true)
    hello.revision = ProtocolChange.revision
    hello.lacks = DocumentedClient.lacks
    hello.canKill = true
    (hello.clock, hello.transport) = (.real, .socket)
    var host = AdapterHost(hello) { [unowned self] in makeClient($0, $1) }
    host.runBegins = { [unowned self] in run += 1 }
    self.host = host
    var isFinished = false
    while !isFinished, let line = readLine() {
      isFinished = queue.sync {
        write(self.host?.answer(Array(line.utf8)) ?? [])
        return self.host?.isFinished ?? true
      }
    }
    queue.sync { self.host = nil }
    if !isKept { removeFiles() }
  }

  private func removeFiles() {
    for name in (try? Files.entries(of: folder)) ?? [] {
      let own = Files.join(folder, name)
      for file in (try? Files.entries(of: own)) ?? [] { unlink(Files.join(own, file)) }
      rmdir(own)
    }
    rmdir(folder)
  }

  private func makeClient(_ name: String, _ profile: Profile) -> any SyncClient {
    let own = Files.join(folder, isKept ? name : "\(run)-\(name)")
    return SocketClient(profile, on: queue, in: own) { [unowned self] outputs in
      write(host?.lines(about: outputs, of: name) ?? [])
    }
  }

  /// Writes at once and whole. Where nothing reads any more, nothing is written.
  private func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
