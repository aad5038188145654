import Dispatch
import Glibc
import TestKit
import Testing
import Wilddog
import WilddogSync
import WilddogTesting

/// What tests of applications rely on.
@Suite struct SimulatedNetworkTests {
  /// What blocks have reported. Unchecked: used on one thread.
  final class Log: @unchecked Sendable {
    var lines: [String] = []
    var threads: Set<UInt> = []
    var waiting: CheckedContinuation<Void, Never>?

    func callAsFunction(_ line: String) {
      lines.append(line)
      threads.insert(UInt(pthread_self()))
    }
  }

  let network = SimulatedNetwork(seed: 1, data: ["a": 1])
  let phone: SimulatedDevice
  let log = Log()

  init() { phone = network.device("phone") }

  private func reference(_ path: String) -> WDGSyncReference {
    phone.sync.reference(withPath: path)
  }

  private func observe(_ path: String) {
    reference(path).observe(.value, with: { [log] in log("\($0.int ?? -1)") })
  }

  @Test func `blocks are called while time passes, on the thread of the test`() {
    observe("a")
    reference("a").setValue(
      2, withCompletionBlock: { [log] error, _ in log(error == nil ? "ok" : "no") })
    #expect(log.lines == [])
    network.advance(by: .zero)
    #expect(log.lines == ["2"], network.trace)
    network.settle()
    #expect(log.lines == ["2", "ok"], network.trace)
    #expect(log.threads == [UInt(pthread_self())])
  }

  @Test func `time passes as the test says`() {
    network.schedule(after: .seconds(2)) { [log, network] in log("\(network.elapsed)") }
    network.schedule(after: .seconds(1)) { [log, network] in
      log("\(network.elapsed)")
      network.schedule(after: .milliseconds(500)) { log("\(network.elapsed)") }
    }
    network.schedule(after: .seconds(3600)) { [log] in log("late") }
    network.advance(by: .seconds(3))
    #expect(log.lines == ["1.0 seconds", "1.5 seconds", "2.0 seconds"])

    // What is an hour away keeps nothing from settling.
    network.settle()
    #expect(network.elapsed == .seconds(3))
  }

  @Test func `an application is configured as in a program`() throws {
    let laptop = network.device("laptop")
    let reference = laptop.run {
      WDGApp.configure(with: WDGOptions(syncURL: "https://my-app.wilddogio.com"))
      WDGSync.persistenceEnabled = true
      return WDGSync.sync().reference(fromURL: "https://my-app.wilddogio.com/a")
    }
    reference.observe(
      .value,
      with: { [log] snapshot in
        log("\(snapshot.int ?? -1)")
        WDGSyncReference.goOffline()
      })
    network.settle()
    #expect(log.lines == ["1"])
    #expect(!laptop.isConnected)

    network.inject(.kill(laptop))
    #expect(!laptop.isRunning)
    network.inject(.start(laptop, .kept))
    #expect(laptop.sync.reference().description() == "https://my-app.wilddogio.com/")
    network.settle()
    #expect(laptop.isConnected)
  }

  @Test func `the first edition runs on its own profile`() {
    let network = SimulatedNetwork(profile: .wilddog1)
    let phone = network.device("phone")
    let reference = phone.run { Wilddog(url: network.url) }
    reference.child(byAppendingPath: "a").setValue(1)
    network.settle()
    #expect(network.server["a"] == 1, network.trace)
  }

  @Test func `each process has what the one before it has stored`() {
    let device = network.device("device", keepsData: true)
    network.inject(.cut(device))
    device.sync.reference(withPath: "a").setValue(5)
    network.settle()
    network.inject(.kill(device))
    network.inject(.start(device, .kept))
    network.inject(.heal(device))
    network.settle()
    #expect(network.server["a"] == 5, network.trace)
  }

  @Test func `objects of a process that was killed do nothing any more`() {
    observe("a")
    let old = reference("a")
    network.settle()
    network.inject(.kill(phone))
    network.inject(.start(phone, .kept))
    old.setValue(9)
    network.server.set("a", 3)
    network.settle()
    #expect(network.server["a"] == 3, network.trace)
    #expect(log.lines == ["1"])
  }

  @Test func `a message can be lost on the way, or its answer`() {
    observe("a")
    network.settle()
    network.inject(.drop(phone), .before, .request(.put))
    reference("a").setValue(2)
    network.advance(by: .milliseconds(100))
    #expect(network.server["a"] == 1, network.trace)
    #expect("\(network.trace)".contains("lost: put /a 2"), network.trace)

    network.settle()
    #expect(network.server["a"] == 2, network.trace)
  }

  @Test func `what the function of a transaction calls is done when it has returned`() {
    let (counter, copy) = (reference("a"), reference("b"))
    counter.runTransactionBlock({ data in
      copy.setValue(data.int ?? 0)
      data.value = (data.int ?? 0) + 1
      return .success(withValue: data)
    })
    network.settle()
    #expect(network.server["a"] == 2, network.trace)
    #expect(network.server["b"] == 1, network.trace)
  }

  @Test func `rules and users are those of the server`() {
    network.server.accept(token: "secret", of: "alice", for: .seconds(60))
    network.server.setRules(
      #"{"rules": {".read": true, ".write": "auth.uid == 'alice'"}}"#)
    phone.sync.signIn(withToken: "secret")
    let ended: @Sendable ((any Error)?, WDGSyncReference) -> Void = { [log] error, _ in
      log(error.map { "\($0)" } ?? "ok")
    }
    reference("a").setValue(2, withCompletionBlock: ended)
    network.settle()
    network.advance(by: .seconds(61))
    reference("a").setValue(3, withCompletionBlock: ended)
    network.settle()

    #expect(log.lines == ["ok", "permission_denied"], network.trace)
    #expect(network.server["a"] == 2)
  }

  private static let trace = """
            0 ms  server                set / {"a":1}
            0 ms  phone                 starts
            0 ms  phone                 asks for a connection
            0 ms  phone                 listen /a   value   as 1
           10 ms  phone                 connection opened
           20 ms  phone <- server       hello   session session1
           20 ms  phone -> server       stats {"sdk.kennel.wilddog":1}   request 1
           20 ms  phone -> server       listen /a   request 2
           40 ms  phone <- server       answer ok ""   request 1
           40 ms  phone <- server       data /a 1
           40 ms  phone                 raised value 1   on 1
           40 ms  phone <- server       answer ok   request 2
           40 ms  network (phone)       cut
           40 ms  server <- phone       connection closed   session session1
           40 ms  phone                 connection lost
    """

  @Test func `the trace shows calls, messages, events and faults`() throws {
    observe("a")
    network.settle()
    network.inject(.cut(phone))
    #expect(network.trace.rawValue == Self.trace)
    let guide = try SourceTree.text(of: "Specs/guides/testing-applications.md")
    #expect(guide.contains("```\n\(Self.trace)\n```"))
  }
}

// Tasks.

extension SimulatedNetworkTests {
  @Test func `tasks run in virtual time`() throws {
    let reference = reference("a")
    let value = try network.wait { [network] in
      try await reference.set(4)
      await network.sleep(for: .seconds(60))
      return try await reference.read().int
    }
    #expect(value == 4)
    #expect(network.server["a"] == 4)
    #expect(network.elapsed > .seconds(60) && network.elapsed < .seconds(61))
  }

  @Test func `tasks that run beside each other have one order`() throws {
    let reference = reference("n")
    func run() throws -> [String] {
      let log = Log()
      try network.wait {
        await withTaskGroup { group in
          for number in 1...4 {
            group.addTask {
              try? await reference.child("\(number)").set(number)
              log("\(number)")
            }
          }
        }
      }
      #expect(log.threads.count == 1)
      return log.lines
    }

    #expect(try run().sorted() == ["1", "2", "3", "4"])
  }

  @Test func `a sequence of events ends with its task`() throws {
    let reference = reference("a")
    let task = network.task { [log] in
      do {
        for try await (snapshot, _) in reference.events(.value) { log("\(snapshot.int ?? -1)") }
      } catch {
        log("\(error)")
      }
      log("end")
    }
    network.settle()
    network.server.set("a", 2)
    network.settle()
    #expect(log.lines == ["1", "2"])

    task.cancel()
    network.settle()
    #expect(log.lines == ["1", "2", "end"])
  }

  @Test func `a task that waits for ever ends with what it waits for`() throws {
    network.inject(.cut(phone))
    let reference = reference("a")
    let timeout = #expect(throws: SimulatedTimeout.self) {
      try network.wait(within: .seconds(30)) { try await reference.set(4) }
    }
    #expect(timeout.map { "\($0)" }?.contains("set /a 4") == true)
    #expect(throws: SyncError.self) {
      try network.wait { try await reference.child("a.b").set(1) }
    }
  }
}

// What a test does wrong.

extension SimulatedNetworkTests {
  struct Misuse: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var message: String
    var make: @Sendable (SimulatedNetwork, SimulatedDevice) -> Void
  }

  static let misuses = [
    Misuse(testDescription: "a name twice", message: "has a device phone already") {
      network, _ in _ = network.device("phone")
    },
    Misuse(testDescription: "killed", message: "on phone was killed; inject .start(phone, .kept)") {
      network, phone in
      network.inject(.kill(phone))
      _ = phone.sync
    },
    Misuse(testDescription: "time in a block", message: "settle() inside a block or a task") {
      network, _ in
      network.schedule(after: .zero) { network.settle() }
      network.settle()
    },
    Misuse(testDescription: "time goes back", message: "time cannot go back by 1.0 seconds") {
      network, _ in network.advance(by: .seconds(-1))
    },
    Misuse(testDescription: "a foreign device", message: "the device other belongs to another") {
      network, _ in network.inject(.cut(SimulatedNetwork().device("other")))
    },
    Misuse(
      testDescription: "two databases",
      message: "one database, here https://example.wilddogio.com/; the application on phone uses "
        + "https://b.wilddogio.com/ as well"
    ) { network, phone in
      _ = phone.sync
      phone.run { WDGApp.configure(with: .init(syncURL: "https://b.wilddogio.com")) }
      _ = phone.sync
    },
    Misuse(
      testDescription: "another edition",
      message: "a client of wilddog-1, and the server one of wilddog-2; make the network with"
    ) { network, phone in phone.run { _ = Wilddog(url: network.url) } },
    Misuse(testDescription: "an address", message: "phone makes a call that ends a program: ") {
      _, phone in _ = phone.sync.reference(fromURL: "https://c.wilddogio.com/")
    },
    Misuse(testDescription: "a path", message: "a.b: invalid_path: ") { network, _ in
      network.server.set("a.b", 1)
    },
    Misuse(testDescription: "a value", message: "a: invalid_value: ") { network, _ in
      network.server.set("a", Log())
    },
    Misuse(testDescription: "rules", message: "the rules have mistakes:\n  rules:1:12: ") {
      network, _ in network.server.setRules(#"{"rules": {".reed": true}}"#)
    },
    Misuse(testDescription: "never at rest", message: "scheduled work is due in 1 s") {
      network, _ in
      network.schedule(after: .zero) { Self.repeatEverySecond(network) }
      network.settle()
    },
    Misuse(testDescription: "a loop", message: "the application does not settle: ") {
      network, phone in
      let reference = phone.sync.reference(withPath: "a")
      reference.observe(.value, with: { reference.setValue(($0.int ?? 0) + 1) })
      network.settle()
    },
    Misuse(testDescription: "another thread", message: "phone was called on another thread") {
      network, phone in
      let reference = phone.sync.reference(withPath: "a")
      network.schedule(after: .zero) { onAnotherThread { reference.setValue(1) } }
      network.settle()
    },
    Misuse(testDescription: "a task goes on", message: "a task came from a thread of its own") {
      network, _ in
      let log = Log()
      network.task { await withCheckedContinuation { log.waiting = $0 } }
      network.schedule(after: .zero) { onAnotherThread { log.waiting?.resume() } }
      network.settle()
    },
    Misuse(testDescription: "in a transaction", message: "isConnected inside the function of a") {
      network, phone in
      phone.sync.reference(withPath: "a").runTransactionBlock({ data in
        _ = phone.isConnected
        data.value = (data.int ?? 0) + 1
        return .success(withValue: data)
      })
      network.settle()
    },
  ]

  private static func onAnotherThread(_ work: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "other").async {
      work()
      done.signal()
    }
    done.wait()
  }

  private static func repeatEverySecond(_ network: SimulatedNetwork) {
    network.schedule(after: .seconds(1)) { repeatEverySecond(network) }
  }

  @Test(arguments: misuses)
  func `what a test does wrong is an issue that says what to do`(misuse: Misuse) {
    withKnownIssue {
      misuse.make(network, phone)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("simulated network: ") }
        && issue.comments.contains { $0.rawValue.contains(misuse.message) }
    }
  }

  @Test func `a network leaves nothing behind`() {
    weak var gone: SimulatedNetwork?
    do {
      let network = SimulatedNetwork()
      gone = network
      let list = SharedList(network.device("phone").sync, user: "alice")
      list.add("milk")
      network.settle()
      #expect(list.texts == ["milk"])
    }
    #expect(gone == nil)
  }
}
