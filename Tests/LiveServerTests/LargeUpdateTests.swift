import ClientInterface
import LiveServer
import ReferenceServer
import Testing
import Tree

/// Large updates, whose outcome is worked out before they are made, and what is sent of them.
@Suite struct LargeUpdateTests {
  private static let large = String(repeating: "x", count: 300)

  private static func settings() -> LiveServerSettings {
    var settings = LiveServerSettings(data: Node(json: ["a": ["old": 1, "b": ["c": 2]]]))
    settings.largeMessage = 200
    return settings
  }

  private static func message(
    _ action: String, _ path: String, _ data: String, _ number: Int
  ) -> String {
    let key = action == "q" ? "h" : "d"
    return
      #"{"t":"d","d":{"r":\#(number),"a":"\#(action)","b":{"p":"\#(path)","\#(key)":\#(data)}}}"#
  }

  @Test func `what another client writes while a large update is read is kept`() {
    var table = Table(Self.settings())
    let (alice, bob) = (table.connect(), table.connect())
    table.say(Self.message("m", "/a", #"{"b/d":"\#(Self.large)"}"#, 1), over: alice)
    table.say(Self.message("p", "/a/b/c", "3", 1), over: bob)

    #expect(table.work() == 1)

    let text = Scalar.string(.init(Self.large))
    #expect(
      table.live.server(of: "default")?.tree
        == Node(json: ["a": ["old": 1, "b": ["c": 3, "d": Node(text).json]]]))
  }

  @Test func `a stream of events waits for a large event, which is written once for all`() {
    var table = Table(Self.settings())
    let streams = (0..<2).map { _ in table.socket() }
    for stream in streams {
      table.begin("GET", "/a.json", "", ["accept": "text/event-stream"], on: stream)
      _ = table.received(stream)
    }
    let writer = table.connect()
    table.say(Self.message("m", "/a", #"{"b":"\#(Self.large)"}"#, 1), over: writer)
    #expect(table.work(upTo: 1) == 1)
    table.say(Self.message("p", "/a/b", "2", 2), over: writer)

    #expect(streams.map { table.received($0).count } == [0, 0])
    #expect(table.work() == 1)
    for stream in streams {
      #expect(
        table.received(stream) == [
          "event: patch\ndata: {\"path\":\"/\",\"data\":{\"b\":\"\(Self.large)\"}}\n\n",
          "event: put\ndata: {\"path\":\"/b\",\"data\":2}\n\n",
        ])
    }
  }

  @Test func `the large answers to two clients who ask with the same number are their own`() {
    var table = Table(Self.settings())
    let (alice, bob) = (table.connect(), table.connect())
    for (path, letter) in [("/l", "l"), ("/m", "m")] {
      let value = #"{"v":"\#(String(repeating: letter, count: 300))"}"#
      _ = table.ask("PUT", "\(path).json?print=silent", value)
      _ = table.work()
    }
    _ = (table.received(alice), table.received(bob))

    func get(_ path: String) -> String {
      #"{"t":"d","d":{"r":1,"a":"g","b":{"p":"\#(path)","q":{}}}}"#
    }
    table.say(get("/l"), Self.message("p", "/small", "1", 2), over: alice)
    table.say(get("/m"), over: bob)
    #expect(table.received(alice).isEmpty && table.received(bob).isEmpty)

    #expect(table.work() == 2)
    let (first, second) = (table.received(alice), table.received(bob))
    #expect(first.count == 2 && first.first?.contains("lll") == true)
    #expect(first.last == #"{"t":"d","d":{"r":2,"b":{"s":"ok","d":{}}}}"#)
    #expect(second.count == 1 && second.first?.contains("mmm") == true)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `everyone is sent the same in the same order, whenever updates are read`(seed: UInt64) {
    func sent(_ settings: LiveServerSettings) -> (texts: [[String]], tree: Node?) {
      var (random, pauses) = (RandomNumbers(seed: seed), RandomNumbers(seed: seed + 1000))
      var settings = settings
      settings.isRecorded = seed % 2 == 0
      var table = Table(settings)
      var listeners: [Socket] = []
      for path in ["/", "/a", "/a/b"] {
        listeners += [table.connect(), table.socket()]
        table.say(Self.message("q", path, #""""#, 1), over: listeners[listeners.count - 2])
        table.begin(
          "GET", "\(path).json", "", ["accept": "text/event-stream"],
          on: listeners.last ?? Socket(0))
      }
      let writer = table.connect()
      for number in 1...40 {
        table.say(Self.drawn(number, &random), over: writer)
        _ = table.work(upTo: Int(pauses.next() % 4))
      }
      _ = table.work()
      let texts = (listeners + [writer]).map { table.received($0) }
      return (texts, table.live.server(of: "default")?.tree)
    }
    var small = Self.settings()
    small.largeMessage = nil
    let (large, plain) = (sent(Self.settings()), sent(small))

    #expect(large.texts == plain.texts, "seed \(seed)")
    #expect(large.tree == plain.tree, "seed \(seed)")
  }

  /// A write of a few kinds, or a read.
  private static func drawn(_ number: Int, _ random: inout RandomNumbers) -> String {
    func one(_ choices: [String]) -> String { choices[Int(random.next() % UInt64(choices.count))] }
    let path = one(["/a", "/a/b", "/d"])
    let text = #""\#(number)\#(String(repeating: "y", count: [1, 250][Int(random.next() % 2)]))""#
    switch random.next() % 5 {
    case 0: return message("p", path, text, number)
    case 1: return message("p", path, "null", number)
    case 2: return #"{"t":"d","d":{"r":\#(number),"a":"g","b":{"p":"\#(path)","q":{}}}}"#
    default:
      let values = [text, "null", "1", #"{"k":1}"#, #"{".value":2,".priority":3}"#]
      let members = ["b", "c/d", "e", ".priority"].filter { _ in random.next() % 3 > 0 }.map {
        "\"\($0)\":\($0 == ".priority" ? one(["null", "4", "\"p\""]) : one(values))"
      }
      return message("m", path, "{\(members.joined(separator: ","))}", number)
    }
  }
}
