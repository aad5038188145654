import Testing
import Wilddog
import WilddogSync

extension RealSocketTests {
  /// The SDK over real sockets, with a server of this process.
  @Suite struct SocketTests {
    @Test(arguments: ["", "&v=5"])
    func `what one writes another reads`(dialect: String) async throws {
      try await LocalServer.with { server in
        let url = "\(server)/?ns=one\(dialect)"
        WDGApp.configure(with: WDGOptions(syncURL: url))
        let root = WDGSync.sync().reference(fromURL: url)
        let long = String(repeating: "ä", count: 40_000)

        try await root.child("a").set(["text": long, "number": 4] as [String: any Sendable])
        // Another client of the same server.
        let other = Wilddog(url: url + "&client=other").child(byAppendingPath: "a")
        let value = try await other.read().value as? [String: Any]

        #expect(value?["text"] as? String == long)
        #expect(value?["number"] as? Double == 4)
      }
    }

    @Test func `a refused connection is tried again`() async throws {
      WDGSync.callbackQueue = LocalServer.callbacks
      let url = "http://127.0.0.1:1/?ns=refused"
      WDGApp.configure(with: WDGOptions(syncURL: url))
      let root = WDGSync.sync().reference(fromURL: url)
      for try await event in root.child(".info/connected").events(.value) {
        #expect(event.snapshot.value as? Bool == false)
        break
      }
    }

    @Test func `a transaction counts, and events follow`() async throws {
      try await LocalServer.with { server in
        let url = "\(server)/?ns=count"
        WDGApp.configure(with: WDGOptions(syncURL: url))
        let counter = WDGSync.sync().reference(fromURL: url).child("counter")
        for _ in 0..<3 {
          let ended = try await counter.transaction { data in
            data.value = (data.value as? Double ?? 0) + 1
            return .success(withValue: data)
          }
          #expect(ended.committed)
        }
        var seen: [Double] = []
        for try await event in counter.events(.value) {
          seen.append(event.snapshot.value as? Double ?? -1)
          guard seen.count == 1 else { break }
          counter.setValue(10)
        }

        #expect(seen == [3, 10])
      }
    }
  }
}
