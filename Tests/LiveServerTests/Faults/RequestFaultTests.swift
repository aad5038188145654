import ClientInterface
import Faults
import LiveServer
import ReferenceServer
import Testing
import Tree

/// Faults of requests of REST, and of streams of events.
@Suite struct LiveRequestFaultTests {
  @Test func `requests and their answers take their time`() {
    var net = Net("alice")
    net.inject(.latency(.fixed(.milliseconds(30)), nil))
    let put = net.ask("PUT", "/a.json", "1")
    net.wait(29)
    #expect(net.tree == "")
    net.wait(1)
    #expect(net.tree == #"{"a":1}"#)
    #expect(net.came(to: put) == [])
    net.wait(30)

    #expect(net.came(to: put) == ["200"])
  }

  @Test func `requests wait while their client is stalled, and break with a cut`() {
    var net = Net("alice")
    net.inject(.stall(alice, .toServer))
    let put = net.ask("PUT", "/a.json?client=alice", "1")
    let other = net.ask("PUT", "/b.json", "2")
    #expect(net.came(to: other) == ["200"])
    #expect(net.tree == #"{"b":2}"#)
    net.inject(.resume(alice, .both))
    #expect(net.came(to: put) == ["200"])
    net.inject(.stall(alice, .toClient))
    let second = net.ask("PUT", "/a.json?client=alice", "3")
    net.inject(.cut(alice))

    #expect(net.came(to: second) == ["closed 1006"])
    #expect(net.tree == #"{"a":3,"b":2}"#)
    #expect(net.ask("GET", "/a.json?client=alice") == nil)
    #expect(net.bitten == [true, true, true, true])
  }

  @Test func `streams are connections`() {
    var net = Net("alice")
    net.inject(.latency(.fixed(.milliseconds(5)), alice))
    let stream = net.ask("STREAM", "/a.json?client=alice")
    net.wait(5)
    #expect(net.came(to: stream) == ["stream 200"])
    net.wait(5)
    #expect(net.came(to: stream) == [#"event: put data: {"path":"/","data":null}"#])
    net.inject(.closeAfter(alice, messages: 1, .toClient))
    _ = net.ask("PUT", "/a.json", "1")
    net.wait(5)
    #expect(
      net.came(to: stream) == [#"event: put data: {"path":"/","data":1}"#, "closed 1006"])

    #expect(net.bitten == [true, true])
    #expect(net.live.client(of: 2) == alice)
  }

  @Test func `a stream that is half-open receives nothing, not even that it is alive`() {
    var net = Net("alice")
    net.inject(.heal(alice))
    let stream = net.ask("STREAM", "/a.json?client=alice")
    _ = net.came(to: stream)
    net.inject(.halfOpen(alice, notices: .neither))
    _ = net.ask("PUT", "/a.json", "1")
    net.now = net.now + .seconds(31)
    net.perform { $0.disturb { $0.tick() } }

    #expect(net.came(to: stream) == [])
    #expect(net.bitten == [false, true])
  }

  @Test func `streams are told of revocations, and not of what only clients do`() {
    var net = Net(
      FaultyServer(
        LiveServer(LiveServerSettings(tokens: ["t": TokenClaims(user: "ann")])), clients: ["alice"])
    )
    net.inject(.heal(alice))
    let streams = ["/a", "/b"].map { net.ask("STREAM", "\($0).json?client=alice&auth=t") }
    for stream in streams { _ = net.came(to: stream) }
    net.inject(.redirect(alice, host: "there"))
    net.inject(.shutdown(alice, reason: "away"))
    #expect(net.came(to: streams[0]) == [])
    #expect(net.bitten == [false, false, false])
    net.inject(.revoke("/a"))
    #expect(
      net.came(to: streams[0]) == ["event: cancel data: null", "closed 1000"])
    net.inject(.revokeAuth(alice))
    #expect(
      net.came(to: streams[1]) == [
        #"event: auth_revoked data: "credential is no longer valid""#, "closed 1000",
      ])

    #expect(net.bitten == [false, false, false, true, true])
  }

  @Test func `requests are judged by a server with faults as well`() {
    var net = Net("alice")
    net.inject(.stale(writes: 1, .withheld))
    net.inject(.serverClock(skew: .seconds(3600)))
    let stale = net.ask("PUT", "/a.json", "1", ["if-match": "null_etag"])
    #expect(net.came(to: stale) == ["412"])
    let put = net.ask("PUT", "/a.json", #"{".sv":"timestamp"}"#, ["if-match": "null_etag"])

    #expect(net.came(to: put) == ["200"])
    #expect(net.tree == #"{"a":1480003600000}"#)
    #expect(net.bitten == [true, true])
  }
}
