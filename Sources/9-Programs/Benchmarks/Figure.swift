import ClientEngine
import ClientInterface
import ClientMachine
import Dispatch
import Document
import Glibc
import Simulator
import Synchronization
package import System
import Trace
import Tree
import WilddogSync

/// One thing that `kennel bench` measures.
package struct Figure: Sendable {
  /// The name by which it can be asked for.
  package let name: String
  package let remark: String
  /// What it should come to, if anybody said.
  package var target: Target?
  package let measure: @Sendable (_ rounds: Int) -> Double?
  /// How a measured number reads, for example `58.1 ns a step`.
  package let text: @Sendable (Double) -> String

  package enum Target: Sendable {
    case atMost(Double)
    case atLeast(Double)

    package func isReached(by value: Double) -> Bool {
      switch self {
      case let .atMost(limit): value <= limit
      case let .atLeast(limit): value >= limit
      }
    }
  }

  package init(
    _ name: String, _ remark: String, target: Target? = nil,
    text: @escaping @Sendable (Double) -> String,
    measure: @escaping @Sendable (_ rounds: Int) -> Double?
  ) {
    self.name = name
    self.remark = remark
    self.target = target
    self.text = text
    self.measure = measure
  }

  /// `<= 60 ns a step`; nothing without a target.
  package var targetText: String {
    switch target {
    case nil: ""
    case let .atMost(limit)?: "<= \(text(limit))"
    case let .atLeast(limit)?: ">= \(text(limit))"
    }
  }

  /// Whether the target is reached, in words; nothing without a target.
  package func verdict(on value: Double?) -> String {
    guard let target, let value else { return "" }
    return target.isReached(by: value) ? "reached: \(targetText)" : "missed: \(targetText)"
  }
}

extension Figure {
  /// All figures, in the order in which they are measured: memory before what needs much of it.
  package static let all: [Figure] =
    kernelFigures + campaignFigures + explorationFigures + otherFigures + liveFigures
    + sdkFigures

  /// Their names and what they mean, for a help of 79 columns.
  package static var list: String {
    all.map { figure in
      "  \(padded(figure.name, to: 17)) "
        + figure.remark.wrapped(to: 58).joined(separator: "\n" + padded("", to: 20))
    }.joined(separator: "\n")
  }

  private static let kernelFigures = [
    Figure(
      "kernel", "queue, network, choices, trace hash; with clients that do nothing",
      target: .atMost(60), text: tenths("ns an event")
    ) { rounds in leastTime(rounds) { Workload.runNoOp(pings: 30_000).trace.count } },
    Figure("messages", "the same, by what is taken out of the queue", text: tenths("ns a step")) {
      rounds in leastTime(rounds) { Workload.runNoOp(pings: 30_000).queueSteps }
    },
    Figure(
      "stack", "reference clients, server and kernel, nothing judged", text: tenths("ns an event")
    ) { rounds in
      leastTime(rounds) { (0..<20).reduce(0) { sum, _ in sum + Workload.run().trace.count } }
    },
  ]

  private static let seeds: Range<UInt64> = 0..<200

  private static let campaignFigures = [
    Figure(
      "campaign", "hunted scenarios with all invariants", target: .atMost(1500),
      text: tenths("ns an event")
    ) { rounds in leastTime(rounds) { HuntedRuns(seeds).events } },
    Figure("deliveries", "the same, by what is taken out of the queue", text: tenths("ns a step")) {
      rounds in leastTime(rounds) { HuntedRuns(seeds).queueSteps }
    },
    Figure(
      "scenarios", "such scenarios, on one core", target: .atLeast(5000), text: whole("a second")
    ) { rounds in leastTime(rounds) { HuntedRuns(seeds).scenarios }.map { 1e9 / $0 } },
    Figure(
      "time", "virtual to real, in such scenarios", target: .atLeast(10_000), text: whole("x")
    ) { rounds in
      leastTime(rounds) { Int(HuntedRuns(seeds).virtualNanoseconds / 1000) }.map { 1000 / $0 }
    },
    Figure(
      "two-cores", "hunts in two processes instead of one", target: .atLeast(1.8),
      text: tenths("x as much")
    ) { _ in TwoCores.gain() },
    Figure(
      "guidance", "an event of guided hunts beside one of blind ones, with the shadow",
      target: .atMost(1.3), text: hundredths("x the time")
    ) { rounds in HuntCost.ratio(rounds) },
    Figure("memory", "peak memory up to this point", target: .atMost(64), text: tenths("MB")) { _ in
      megabytes(Measurement.peakMemory)
    },
  ]

  private static let explorationFigures = [
    Figure(
      "explore-2x3", "all orders of two clients' calls and messages, 3 writes each",
      target: .atMost(1000), text: tenths("ms")
    ) { rounds in
      explorationTime(rounds, Race(clients: 2, writes: 3, calls: .interleaved))
    },
    Figure(
      "explore-3x2", "all orders of three clients' messages, 2 writes each",
      target: .atMost(200), text: tenths("ms")
    ) { rounds in explorationTime(rounds, Race(clients: 3, writes: 2, calls: .first)) },
    Figure(
      "explore-3x3", "all orders of three clients' calls and messages, 3 writes each",
      target: .atMost(60), text: tenths("s")
    ) { _ in
      explorationTime(1, Race(clients: 3, writes: 3, calls: .interleaved)).map { $0 / 1000 }
    },
  ]

  private static let otherFigures = [
    Figure("start-up", "kennel --version", text: tenths("ms")) { rounds in
      let times = (0..<rounds * 5).compactMap { _ in Measurement.startupTime(of: "/proc/self/exe") }
      return times.isEmpty ? nil : milliseconds(Measurement.median(times))
    },
    Figure(
      "large-list", "change of one child of 100,000 under one listener", text: tenths("ns a change")
    ) { rounds in
      var list = LargeList()
      return leastTime(rounds) { (0..<200).reduce(0) { sum, _ in sum + list.change() / 2 } }
    },
    Figure("list-memory", "at most held until here", text: tenths("MB")) { _ in
      megabytes(Measurement.peakMemory)
    },
  ]

  /// The milliseconds of exploring a race once.
  private static func explorationTime(_ rounds: Int, _ race: Race) -> Double? {
    leastTime(rounds) {
      _ = race.explore()
      return 1
    }.map { $0 / 1_000_000 }
  }

  /// Shows a number with two decimals and its unit.
  static func hundredths(_ unit: String) -> @Sendable (Double) -> String {
    { "\(canonicalText(of: ($0 * 100).rounded() / 100)) \(unit)" }
  }

  /// Shows a number with a decimal and its unit.
  static func tenths(_ unit: String) -> @Sendable (Double) -> String {
    { "\(canonicalText(of: ($0 * 10).rounded() / 10)) \(unit)" }
  }

  /// Shows a number without decimals and its unit.
  static func whole(_ unit: String) -> @Sendable (Double) -> String { { "\(Int($0)) \(unit)" } }

  static func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1_000_000 }

  static func megabytes(_ bytes: Int) -> Double { Double(bytes) / 1_048_576 }

  /// How many of something there were in a second.
  static func rate(of count: Int, in nanoseconds: Int64) -> Double {
    Double(count) * 1e9 / Double(nanoseconds)
  }

  /// The least time of some rounds for one of the units that `body` returns, in nanoseconds, after
  /// one round that does not count. Others may be using the machine: they only ever add.
  private static func leastTime(_ rounds: Int, _ body: () -> Int) -> Double? {
    _ = body()
    let rates = (0..<rounds).map { _ in
      var units = 0
      let time = Measurement.time { units = body() }
      return Double(time) / Double(max(1, units))
    }
    return rates.min()
  }
}

extension Figure {
  /// Measures figures, and writes a line for each of them below the name of the processor.
  package static func report(
    _ figures: [Figure], rounds: Int, write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try write("on  \(Measurement.processor)\n\n")
    for figure in figures {
      let value = figure.measure(rounds)
      try write(
        "\(padded(figure.name, to: 17)) \(padded(value.map(figure.text) ?? "not measured", to: 21)) "
          + "\(padded(figure.verdict(on: value), to: 29)) \(figure.remark)\n")
    }
  }
}

extension Growth {
  /// Measures everything that can grow, and writes a line for each kind.
  ///
  /// - Returns: Whether the time of all of them grows with what is in the run.
  package static func report(
    rounds: Int, write: (String) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var areLinear = true
    for growth in all {
      let seconds = growth.measure(rounds: rounds)
      areLinear = areLinear && growth.isLinear(seconds)
      try write(growth.line(of: seconds))
    }
    return areLinear
  }
}

extension Figure {
  /// What the live server does, without and with recordings.
  static let liveFigures = [false, true].flatMap { isRecording in
    rates(isRecording) + crowds(isRecording)
  }

  /// How many clients there are at once.
  private static let crowd = 1000

  private static func name(_ what: String, _ isRecording: Bool) -> String {
    (isRecording ? "recorded-" : "live-") + what
  }

  private static func remark(_ text: String, _ isRecording: Bool) -> String {
    isRecording ? text + ", with --record" : text
  }

  private static func rates(_ isRecording: Bool) -> [Figure] {
    [
      Figure(
        name("messages", isRecording),
        remark("writes answered over one pipelined connection", isRecording),
        target: .atLeast(10_000), text: whole("a second")
      ) { rounds in messageRate(rounds * 5000, isRecording) },
      Figure(
        name("p99", isRecording),
        remark("99 of 100 writes are answered within, at 5000 a second", isRecording),
        target: .atMost(20), text: tenths("ms")
      ) { rounds in latency(rounds * 500, isRecording) },
    ]
  }

  private static func crowds(_ isRecording: Bool) -> [Figure] {
    [
      Figure(
        name("connect", isRecording),
        remark("time until 1000 clients have received hello", isRecording), text: tenths("ms")
      ) { _ in withCrowd(isRecording) { _, _, time in milliseconds(time) } },
      Figure(
        name("memory", isRecording), remark("for each of 1000 clients with a listen", isRecording),
        target: .atMost(200), text: tenths("KB")
      ) { _ in
        withCrowd(isRecording) { server, before, _ in
          Double(server.memory - before) / 1024 / Double(crowd)
        }
      },
      Figure(
        name("fan-out", isRecording), remark("until all of them learn of one write", isRecording),
        text: tenths("ms")
      ) { _ in fanOut(isRecording) },
      Figure(
        name("large", isRecording),
        remark("the longest wait while another one writes 100,000 children", isRecording),
        target: .atMost(100), text: tenths("ms")
      ) { _ in delay(of: BenchSocket.put, behind: BenchSocket.putChildren, isRecording) },
      Figure(
        name("behind", isRecording),
        remark("the longest wait of 70 KB while another one writes arrays of 1 MB", isRecording),
        text: tenths("ms")
      ) { _ in delay(of: BenchSocket.putText(70_000), behind: BenchSocket.putArray, isRecording) },
      Figure(
        name("unread", isRecording),
        remark("held for 200 event streams that nobody reads, after 60 MB of writes", isRecording),
        target: .atMost(512), text: tenths("MB")
      ) { _ in memoryOfUnreadStreams(isRecording) },
      Figure(
        name("end", isRecording), remark("from SIGTERM to the end, with 1000 clients", isRecording),
        target: .atMost(1000), text: tenths("ms")
      ) { _ in withCrowd(isRecording) { server, _, _ in server.stop().map(milliseconds) } },
    ]
  }

  /// Sends all at once; how many are answered in a second.
  private static func messageRate(_ count: Int, _ isRecording: Bool) -> Double? {
    guard let server = ServedProcess(isRecording: isRecording), let socket = server.connect()
    else { return nil }
    let bytes = (1...count).flatMap { BenchSocket.put($0) }
    let begin = Measurement.now
    socket.send(bytes)
    guard BenchSocket.serve([socket], until: { socket.frames > count }) else { return nil }
    return rate(of: count, in: Measurement.now - begin)
  }

  /// Sends ten every two milliseconds; within how many milliseconds 99 of 100 are answered.
  private static func latency(_ count: Int, _ isRecording: Bool) -> Double? {
    guard let server = ServedProcess(isRecording: isRecording), let socket = server.connect()
    else { return nil }
    var sent: [Int64] = []
    var times: [Int64] = []
    let begin = Measurement.now
    let isDone = BenchSocket.serve([socket], pause: 1) {
      let now = Measurement.now
      while times.count < socket.frames - 1 { times.append(now - sent[times.count]) }
      while sent.count < count, now >= begin + Int64(sent.count / 10) * 2_000_000 {
        // What is late because this process was is not the server's fault, and not left out.
        sent.append(begin + Int64(sent.count / 10) * 2_000_000)
        socket.send(BenchSocket.put(sent.count))
      }
      return times.count == count
    }
    return isDone ? milliseconds(times.sorted()[count * 99 / 100]) : nil
  }

  /// Measures something of a server with many clients.
  private static func withCrowd(
    _ isRecording: Bool, _ body: (ServedProcess, _ before: Int, _ time: Int64) -> Double?
  ) -> Double? {
    guard let server = ServedProcess(isRecording: isRecording), server.connect() != nil else {
      return nil
    }
    let before = server.memory
    guard let (sockets, time) = server.crowd(of: crowd) else { return nil }
    return withExtendedLifetime(sockets) { body(server, before, time) }
  }

  private static func fanOut(_ isRecording: Bool) -> Double? {
    guard let server = ServedProcess(isRecording: isRecording),
      let (sockets, _) = server.crowd(of: crowd), let writer = server.connect()
    else { return nil }
    let begin = Measurement.now
    writer.send(BenchSocket.put(7))
    guard ServedProcess.wait(for: 3, on: sockets) else { return nil }
    return withExtendedLifetime(writer) { milliseconds(Measurement.now - begin) }
  }

  /// How many large writes are measured.
  private static let largeWrites = 5
  /// How long a client is measured after the last of them was answered, in nanoseconds: others are
  /// sent it meanwhile.
  private static let measuredAfterwards: Int64 = 500_000_000

  /// The longest that a client waits for the answer to a write while another one does large
  /// writes, and a third one listens to these; milliseconds.
  private static func delay(
    of small: (Int) -> [UInt8], behind large: (Int) -> [UInt8], _ isRecording: Bool
  ) -> Double? {
    guard let server = ServedProcess(isRecording: isRecording), let writer = server.connect(),
      let listener = server.connect(), let other = server.connect()
    else { return nil }
    listener.send(
      BenchSocket.frame(
        "{\"t\":\"d\",\"d\":{\"r\":1,\"a\":\"q\",\"b\":{\"p\":\"/large\",\"h\":\"\"}}}"))
    var (written, asked, longest) = (0, 0, Int64(0))
    var (lastAsked, lastAnswered) = (Int64(0), Int64.max)
    let isDone = BenchSocket.serve([writer, listener, other], pause: 1) {
      let now = Measurement.now
      if other.frames > asked {
        if asked > 0 { longest = max(longest, now - lastAsked) }
        asked += 1
        lastAsked = Measurement.now
        other.send(small(asked))
      }
      if writer.frames > written, written < largeWrites {
        written += 1
        writer.send(large(written))
      } else if writer.frames > largeWrites {
        lastAnswered = min(lastAnswered, now)
        return now - lastAnswered > measuredAfterwards
      }
      return false
    }
    return isDone ? milliseconds(longest) : nil
  }

  /// By how many megabytes a server grows that writes 1 MB sixty times to 200 event streams.
  private static func memoryOfUnreadStreams(_ isRecording: Bool) -> Double? {
    guard let server = ServedProcess(isRecording: isRecording), let writer = server.connect()
    else { return nil }
    let before = server.memory
    let streams = (0..<200).compactMap { _ in
      BenchSocket(port: server.port, asking: BenchSocket.eventStream("/large.json"))
    }
    guard streams.count == 200 else { return nil }
    let put = BenchSocket.putText(1_000_000)
    for number in 1...60 {
      writer.send(put(number))
      guard ServedProcess.wait(for: number + 1, on: [writer]) else { return nil }
    }
    return withExtendedLifetime(streams) { Double(server.memory - before) / 1_048_576 }
  }
}

extension BenchSocket {
  /// A request for the events of a location, of which nobody reads the answer.
  fileprivate static func eventStream(_ path: String) -> String {
    "GET \(path)?ns=bench HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
  }

  /// A write of 100,000 numbers with the names of pushed children.
  fileprivate static func putChildren(_ number: Int) -> [UInt8] {
    let children = (0..<100_000).map { "\"-Nx\(10_000_000_000_000_000 + $0)\":\($0 + number)" }
    return largePut(number, "{\(children.joined(separator: ","))}")
  }

  /// A write of an array of 1 MB, which has as many elements as so much text can hold.
  fileprivate static func putArray(_ number: Int) -> [UInt8] {
    largePut(number, "[\(number)" + String(repeating: ",1", count: 1 << 19) + "]")
  }

  /// Writes of a text with so many characters.
  fileprivate static func putText(_ count: Int) -> (Int) -> [UInt8] {
    let text = "\"" + String(repeating: "x", count: count) + "\""
    return { largePut($0, text) }
  }

  /// A write of much, in segments.
  private static func largePut(_ number: Int, _ value: String) -> [UInt8] {
    let text =
      "{\"t\":\"d\",\"d\":{\"r\":\(number),\"a\":\"p\",\"b\":{\"p\":\"/large\",\"d\":\(value)}}}"
    let bytes = Array(text.utf8)
    let starts = Array(stride(from: 0, to: bytes.count, by: segmentSize))
    return frame("\(starts.count)")
      + starts.flatMap { start in
        frame(String(decoding: bytes[start...].prefix(segmentSize), as: UTF8.self))
      }
  }

  /// How many bytes the Firebase framing carries in one frame.
  private static let segmentSize = 16384
}

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
      "sdk-backlog", "8000 writes under one listener without a connection, then answered",
      text: tenths("ms")
    ) { _ in Double(Measurement.time { backlog(8000) }) / 1_000_000 },
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

  /// Writes children of a list under a listener without a connection, connects, and waits for all
  /// answers.
  static func backlog(_ count: Int) {
    guard let server = ServedProcess(isRecording: false) else { return }
    let list = database("backlog-\(count)", port: server.port).child("list")
    let (shown, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    list.observe(.value) { _ in shown.signal() }
    shown.wait()
    WDGSyncReference.goOffline()
    for number in 1...count {
      list.child("key\(number)").setValue(number) { _, _ in answered.signal() }
    }
    WDGSyncReference.goOnline()
    for _ in 1...count { answered.wait() }
    withExtendedLifetime(server) {}
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
