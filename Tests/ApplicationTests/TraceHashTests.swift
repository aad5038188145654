import TestKit
import Testing
import WilddogTesting

/// A run of an application is the same on every machine: in every process, whatever its tests do besides.
@Suite struct TraceHashTests {
  struct Run: CustomTestStringConvertible, Sendable {
    var test: String
    var hash: String
    var make: @Sendable (SharedListTests) throws -> Void

    var testDescription: String { test }
  }

  /// A change of the SDK or of the network that an application can notice changes some of these.
  static let runs = [
    Run(test: "what one adds", hash: "359383d67fceb111") {
      $0.`what one adds is there at once, and the others see it`()
    },
    Run(test: "two add", hash: "fe519fd004ef9a71") {
      $0.`what two add at the same time is in the same order for both`()
    },
    Run(test: "joins later", hash: "7fab456e5187a40d") {
      $0.`a device that joins later gets the whole list`()
    },
    Run(test: "removed and marked", hash: "203b3c7e637b82d4") {
      try $0.`what is removed by one and marked by the other does not come back`()
    },
    Run(test: "written at the server", hash: "76503c5cb4e4a034") {
      $0.`what others write at the server is shown`()
    },
    Run(test: "added without a network", hash: "994aaf9bcb5960aa") {
      $0.`what is added without a network arrives later`()
    },
    Run(test: "both offline", hash: "b332b13364607630") {
      $0.`both add offline, and both lists become the same`()
    },
    Run(test: "lost answer", hash: "895fe13d4c346f2c") {
      $0.`an answer that is lost does not add anything twice`()
    },
    Run(test: "offline mode", hash: "08761a8e906f6fa6") {
      $0.`offline mode sends nothing until it is over`()
    },
    Run(test: "slow network", hash: "6fc8478e6ee60e18") {
      $0.`a slow network shows everything late, and in order`()
    },
    Run(test: "restart of the server", hash: "9d4157a580441409") {
      $0.`a restart of the server loses nothing`()
    },
    Run(test: "presence", hash: "f7b239e282537e3a") {
      $0.`presence ends with the connection, and comes back with it`()
    },
    Run(test: "half-open", hash: "1a3159b824ed37be") {
      $0.`who is cut off without a word is there until the server notices`()
    },
    Run(test: "leaves", hash: "016ad1b9c61558ca") {
      $0.`who leaves stays away, also after an outage`()
    },
    Run(test: "killed", hash: "94a76cdd48f2f9b4") { $0.`who is killed leaves`() },
    Run(test: "two count", hash: "7946043a2a1ea1e4") {
      try $0.`two count at the same time, and both count`()
    },
    Run(test: "many count", hash: "3445799b88ddd270") {
      try $0.`many count at once, and each counts`()
    },
    Run(test: "refused", hash: "cf7e427657b73fc1") {
      $0.`what the rules refuse is taken back, and reported`()
    },
    Run(test: "restart of the application", hash: "285a8a029c3b2dcc") {
      $0.`what was added offline survives a restart of the application`()
    },
    Run(test: "any latencies", hash: "11c8d0eb7f482760") {
      $0.`whatever the latencies and outages, both lists become the same`()
    },
  ]

  @Test(arguments: runs)
  func `each example has its trace`(run: Run) throws {
    let example = SharedListTests()
    try run.make(example)
    #expect(example.network.hash == run.hash, "the hash of \(run.test)")
  }

  @Test(arguments: 1...20)
  func `the lists become the same with any seed`(seed: UInt64) {
    SharedListTests(seed: seed).`whatever the latencies and outages, both lists become the same`()
  }

  @Test func `another seed, or another call, has another trace`() {
    func hash(seed: UInt64, _ change: (SimulatedNetwork) -> Void = { _ in }) -> String {
      let network = SimulatedNetwork(seed: seed)
      let list = SharedList(network.device("phone").sync, user: "alice")
      network.settle()
      list.add("milk")
      change(network)
      network.settle()
      return network.hash
    }

    #expect(hash(seed: 1) == hash(seed: 1))
    #expect(hash(seed: 1) != hash(seed: 2))
    #expect(hash(seed: 1) != hash(seed: 1) { $0.server.set("other", 1) })
    #expect(hash(seed: 1).count == 16)
  }

  @Test func `the guide shows the example as it is`() throws {
    let guide = try SourceTree.text(of: "Specs/guides/testing-applications.md")
    for file in ["OutageTests", "SharedList"] {
      let text = try SourceTree.text(of: "Tests/ApplicationTests/Example/\(file).swift")
      #expect(guide.contains("```swift\n\(text)```"), "\(file)")
    }
  }
}
