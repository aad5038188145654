import Testing

@testable import ServerHost

@Suite struct ChannelTests {
  private func channel() -> Channel { Channel(maxBodyBytes: 1) }

  @Test func `a long answer is written in parts`() {
    let channel = channel()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    channel.append(.bytes(bytes), of: 1)
    channel.append(.end, of: 1)
    var written: [UInt8] = []
    var parts = 0

    while case let .bytes(part)? = channel.next() {
      #expect(part.count <= 1 << 18)
      #expect(channel.waitingBytes == 1_000_000 - written.count - part.count)
      written += part
      parts += 1
    }

    #expect(written == bytes)
    #expect(parts == 4)
    #expect(channel.isEmpty)
  }

  @Test func `one event may lead to more than may wait`() {
    let channel = channel()
    for _ in 0..<3 { channel.append(.bytes([UInt8](repeating: 0, count: 40 << 20)), of: 1) }
    #expect(channel.waitingBefore == 0)

    channel.append(.bytes([1]), of: 2)

    #expect(channel.waitingBefore > Channel.byteLimit)
  }

  @Test func `memory is given back when much less is held than before`() {
    let channel = channel()
    var load = MemoryInUse()
    channel.append(.bytes([UInt8](repeating: 0, count: 40 << 20)), of: 1)
    load.count(channel)
    let whileHeld = load.returnsMemory()
    while channel.next() != nil {}
    load.count(channel)
    let afterwards = [load.returnsMemory(), load.returnsMemory()]

    #expect(!whileHeld)
    #expect(afterwards == [true, false])
  }
}
