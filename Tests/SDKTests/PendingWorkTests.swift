import ClientEngine
import ClientInterface
import ClientMachine
import Foundation
import Testing
import WilddogSync
import Wire

/// Waiting: for what is pending, and no longer than a task wants to.
@Suite struct PendingWorkTests {
  private let platform = IdlePlatform()
  private let engine: Engine
  private let sync: WDGSync
  private var root: WDGSyncReference { sync.reference() }

  init() {
    let engine = platform.makeEngine()
    let application = Application(trap: { Issue.record("\($0)") }) { _, _, _ in engine }
    self.engine = engine
    sync = Application.$current.withValue(application) {
      WDGApp.configure(with: WDGOptions(syncURL: "https://kennel.wilddogio.com/"))
      return WDGSync.sync()
    }
  }

  @Test func `what waits for pending writes is called when those of then have ended`() {
    let called = Collected<String>()
    sync.waitForPendingWrites { called.append("none") }
    root.child("a").setValue(1)
    root.child("b").runTransactionBlock { data in
      data.value = 1
      return .success(withValue: data)
    }
    sync.waitForPendingWrites { called.append("both") }
    root.child("c").setValue(1)
    sync.waitForPendingWrites { called.append("all") }
    #expect(called.elements == ["none"])

    engine.open()
    let numbers = platform.writes
    for (index, expected) in [
      ("a", ["none"]), ("b", ["none", "both"]), ("c", ["none", "both", "all"]),
    ] {
      engine.answer(numbers[index] ?? 0)
      #expect(called.elements == expected, "\(index)")
    }
  }

  @Test func `a task that waits for the server can be cancelled`() async {
    let (root, sync) = (root, sync)
    let tasks = [
      Task { try await root.child("a").set(1) },
      Task { try await root.child("a").remove() },
      Task { _ = try await root.child("b").read() },
      Task { _ = try await root.child("b").getData() },
      Task { _ = try await root.child("c").transaction { .success(withValue: $0) } },
      Task {
        root.child("d").setValue(1)
        try await sync.waitForPendingWrites()
      },
    ]
    for task in tasks { task.cancel() }

    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `a credential that the server takes back is reported`() {
    engine.open()
    let ended = Collected<(any Error)?>()
    sync.signIn(withToken: "token") { ended.append($0) }
    engine.answer(platform.sent.compactMap(\.credentialNumber).last ?? 0)
    #expect(ended.elements.count == 1)
    #expect(platform.problems == [])

    engine.handle(.frame(.credentialRevoked(status: "expired_token", reason: "it has expired")))

    #expect(platform.problems == [.signedOut])
  }

  @Test func `what cannot be kept can be asked for`() {
    #expect(sync.persistenceProblem == nil)
    platform.keepingProblem = "the disk is full"
    #expect(sync.persistenceProblem == "the disk is full")
  }

  @Test func `a time stamp is what the server replaces`() {
    #expect(WDGServerValue.timestamp() == [".sv": "timestamp"])
    #expect(sync.reference(withPath: "a/b").url == "https://kennel.wilddogio.com/a/b")
  }
}

extension ClientMessage {
  fileprivate var credentialNumber: Int? {
    if case let .request(number, .authenticate) = self { number } else { nil }
  }
}
