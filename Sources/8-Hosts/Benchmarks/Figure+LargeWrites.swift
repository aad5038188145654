import System

extension Figure {
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
    return isDone ? Double(longest) / 1_000_000 : nil
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
