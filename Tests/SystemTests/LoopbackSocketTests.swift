import Glibc
import System
import Testing

@Suite struct LoopbackSocketTests {
  @Test func `a port that is listened at is taken, and accepts connections`() throws {
    let (listener, port) = try #require(LoopbackSocket.listening(at: 0))

    #expect(LoopbackSocket.listening(at: port) == nil)
    let one = try #require(LoopbackSocket.connected(to: UInt16(port)))
    close(one)
    close(listener)
    #expect(LoopbackSocket.connected(to: UInt16(port)) == nil)
  }

  @Test func `a free port is one that can be listened at`() throws {
    let port = try #require(LoopbackSocket.freePort())
    let (listener, own) = try #require(LoopbackSocket.listening(at: port))
    #expect(own == port)
    close(listener)
  }

  @Test func `no host has no connection`() {
    #expect(LoopbackSocket.connected(to: 1, of: "no host") == nil)
  }
}
