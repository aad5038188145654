import System
import Tree

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
      ) { _ in delayByLargeWrites(isRecording) },
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

  /// How much a large write is, and how many of them are measured.
  private static let largeWrites = (children: 100_000, count: 5)
  /// How long a client is measured after the last of them was answered, in nanoseconds: others are
  /// sent it meanwhile.
  private static let measuredAfterwards: Int64 = 500_000_000

  /// The longest that a client waits for the answer to a small write while another one writes
  /// 100,000 children again and again, and a third one listens to them; milliseconds.
  static func delayByLargeWrites(_ isRecording: Bool) -> Double? {
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
        other.send(BenchSocket.put(asked))
      }
      if writer.frames > written, written < largeWrites.count {
        written += 1
        writer.send(BenchSocket.largePut(written, children: largeWrites.children))
      } else if writer.frames > largeWrites.count {
        lastAnswered = min(lastAnswered, now)
        return now - lastAnswered > measuredAfterwards
      }
      return false
    }
    return isDone ? milliseconds(longest) : nil
  }
}

extension BenchSocket {
  /// A write of many numbers with the names of pushed children, in segments.
  fileprivate static func largePut(_ number: Int, children: Int) -> [UInt8] {
    var text = "{\"t\":\"d\",\"d\":{\"r\":\(number),\"a\":\"p\",\"b\":{\"p\":\"/large\",\"d\":{"
    for child in 0..<children {
      text += "\(child == 0 ? "" : ",")\"-Nx\(10_000_000_000_000_000 + child)\":\(child + number)"
    }
    text += "}}}}"
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
