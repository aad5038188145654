import Foundation
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

    @Test func `what JSONSerialization reads is stored as it was`() async throws {
      try await LocalServer.with { server in
        let url = "\(server)/?ns=foundation"
        WDGApp.configure(with: WDGOptions(syncURL: url))
        let root = WDGSync.sync().reference(fromURL: url)
        let text = #"{"gone":null,"list":[0,1,2],"no":false,"one":1,"yes":true,"zero":0}"#

        root.setValue(try JSONSerialization.jsonObject(with: Data(text.utf8)))
        root.child("old").setValue(1)
        root.updateChildValues(["old": NSNull(), "new": NSNumber(value: 1)])
        // Its answer comes after those of the others.
        try await root.child("none").remove()
        let other = Wilddog(url: url + "&client=other")
        let value = try await other.read().value as? [String: Any]

        #expect(value?.keys.sorted() == ["list", "new", "no", "one", "yes", "zero"])
        #expect(value?["list"] as? [Double] == [0, 1, 2])
        #expect(value?["one"] as? Double == 1)
        #expect(value?["zero"] as? Double == 0)
        #expect(value?["new"] as? Double == 1)
        #expect(value?["yes"] as? Bool == true)
        #expect(value?["no"] as? Bool == false)
      }
    }

    @Test func `applications of one program have connections of their own`() async throws {
      try await LocalServer.with { server in
        let options = WDGOptions(syncURL: "\(server)/?ns=applications")
        let first = WDGSync.sync(forAppNamed: "first", with: options)
        let second = WDGSync.sync(forAppNamed: "second", with: options)
        let again = WDGSync.sync(forAppNamed: "first", with: options)

        try await first.reference(withPath: "a").set(1)
        first.goOffline()
        try await second.reference(withPath: "a").set(2)
        let isConnected = try await first.reference(withPath: ".info/connected").read().value
        let value = try await second.reference(withPath: "a").read()

        #expect(isConnected as? Bool == false)
        #expect(value.int == 2)
        #expect(first.reference() == again.reference())
        #expect(first.reference() != second.reference())
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
