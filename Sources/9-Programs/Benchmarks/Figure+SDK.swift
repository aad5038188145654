import ClientEngine
import ClientInterface
import ClientMachine
import Dispatch
import Glibc
import Synchronization
import System
import Tree
import WilddogSync

extension Figure {
  /// What the documented SDK does, with its own clock and sockets.
  static let sdkFigures = [
    Figure(
      "sdk-writes", "writes shown to one listener, without a connection", target: .atLeast(50_000),
      text: whole("a second")
    ) { rounds in localWrites(rounds * 2000) },
    Figure(
      "sdk-acknowledged", "writes answered over one socket, 100 under way",
      target: .atLeast(10_000), text: whole("a second")
    ) { rounds in acknowledgedWrites(rounds * 5000) },
    Figure(
      "sdk-list", "a change under a listener of 100,000 children", target: .atMost(100),
      text: tenths("us")
    ) { rounds in listChange(rounds * 20) },
    Figure(
      "sdk-listeners", "for 10,000 listeners of a location each", target: .atMost(200),
      text: tenths("MB")
    ) { _ in listenerMemory(10_000) },
    Figure(
      "sdk-start", "first event of a cache of 10 MB", target: .atMost(100), text: tenths("ms")
    ) { _ in coldStart() },
  ]

  private static let queue = DispatchQueue(label: "kennel.bench")

  /// A database of its own; there is no server at port 1.
  private static func database(_ name: String, port: UInt16 = 1) -> WDGSyncReference {
    WDGSync.callbackQueue = queue
    let url = "http://127.0.0.1:\(port)/?ns=\(name)"
    WDGApp.configure(with: WDGOptions(syncURL: url))
    return WDGSync.sync().reference(fromURL: url)
  }

  private static func localWrites(_ count: Int) -> Double? {
    let reference = database("writes").child("number")
    let events = Mutex(0)
    reference.observe(.value) { _ in events.withLock { $0 += 1 } }
    let begin = Measurement.now
    for number in 1...count { reference.setValue(number) }
    queue.sync {}
    let time = Measurement.now - begin
    return events.withLock { $0 } == count ? rate(of: count, in: time) : nil
  }

  private static func acknowledgedWrites(_ count: Int) -> Double? {
    guard let server = ServedProcess(isRecording: false) else { return nil }
    let root = database("acknowledged", port: server.port)
    let slots = DispatchSemaphore(value: 100)
    let begin = Measurement.now
    for number in 1...count {
      guard slots.wait(timeout: .now() + 10) == .success else { return nil }
      root.child("key \(number % 100)").setValue(number) { _, _ in slots.signal() }
    }
    for _ in 1...100 where slots.wait(timeout: .now() + 10) == .timedOut { return nil }
    let time = Measurement.now - begin
    for _ in 1...100 { slots.signal() }
    withExtendedLifetime(server) {}
    return rate(of: count, in: time)
  }

  private static func listChange(_ count: Int) -> Double? {
    let list = database("list").child("list")
    let events = Mutex(0)
    list.setValue(Dictionary(uniqueKeysWithValues: (0..<100_000).map { ("key\($0)", $0) }))
    list.observe(.childChanged) { _ in events.withLock { $0 += 1 } }
    queue.sync {}
    let begin = Measurement.now
    for number in 1...count { list.child("key\(number)").setValue(-number) }
    queue.sync {}
    let time = Measurement.now - begin
    return events.withLock { $0 } == count ? Double(time) / 1000 / Double(count) : nil
  }

  private static func listenerMemory(_ count: Int) -> Double? {
    let root = database("listeners")
    let before = Measurement.memory(of: "self")
    for number in 0..<count { root.child("at/\(number)").observe(.value) { _ in } }
    return megabytes(Measurement.memory(of: "self") - before)
  }

  /// Fills a cache from a server, and reads it in another engine, which has none.
  private static func coldStart() -> Double? {
    guard let folder = BenchFolder(), let server = ServedProcess(isRecording: false),
      let (address, _) = DatabaseAddress.parse("http://127.0.0.1:\(server.port)/?ns=start")
    else { return nil }
    var configuration = Application.Configuration()
    configuration.keepsData = true
    configuration.cacheBytes = 100_000_000
    configuration.callbackQueue = queue
    configuration.folder = folder.path
    defer { folder.remove() }
    let text = String(repeating: "x", count: 1000)
    let rows = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("key\($0)", text) })
    // The server ends with its object, which is looked at no more.
    guard withExtendedLifetime(server, { fill(address, configuration, rows) }) else { return nil }
    return firstEvent(address, configuration)
  }

  private static func fill(
    _ address: DatabaseAddress, _ configuration: Application.Configuration, _ rows: [String: String]
  ) -> Bool {
    let engine = MachinePlatform.makeEngine(address, .wilddog2, configuration)
    let answered = DispatchSemaphore(value: 0)
    _ = Location(engine).observe(.value, { _, _ in }, cancel: nil)
    Location(engine).write(rows) { _ in answered.signal() }
    defer { engine.end() }
    return answered.wait(timeout: .now() + 30) == .success
  }

  private static func firstEvent(
    _ address: DatabaseAddress, _ configuration: Application.Configuration
  ) -> Double? {
    let shown = DispatchSemaphore(value: 0)
    let begin = Measurement.now
    let engine = MachinePlatform.makeEngine(address, .wilddog2, configuration)
    engine.perform(.goOffline)
    _ = Location(engine).observe(.value, { _, _ in shown.signal() }, cancel: nil)
    guard shown.wait(timeout: .now() + 30) == .success else { return nil }
    let time = Measurement.now - begin
    engine.end()
    return milliseconds(time)
  }
}
