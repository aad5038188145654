import ClientInterface
import Testing
import Tree
import Wire

@testable import ReferenceClient

@Suite struct OnDisconnectTests {
  @Test func `a request is answered in the next turn`() {
    var driver = CaseDriver.connected()

    #expect(
      driver.call("c", .onDisconnectUpdate("a", [.init("b", Node(1)), .init("c/d", Node(2))])) == [
        #"send {"r":2,"a":"om","b":{"p":"/a","d":{"b":1,"c/d":2}}}"#
      ])
    #expect(driver.answer(2) == ["timer 2 now"])
    #expect(driver.feed(.timer(2)) == ["c ok"])
  }

  @Test func `what was acknowledged is shown after the connection is gone, once`() {
    var driver = CaseDriver.connected()
    driver.know("a", ["x": 1, "y": 2], request: 2)
    _ = driver.listen("info", ".info/connected", to: [.value])
    _ = driver.call("c1", .onDisconnectSet("a/z", Node(3)))
    _ = driver.call("c2", .onDisconnectRemove("a/x"))
    _ = driver.call("c3", .onDisconnectRemove("a/y"))
    _ = driver.call("c4", .onDisconnectCancel("a/y"))
    for request in 3...6 { _ = driver.answer(request) }
    _ = driver.feed(.timer(2))

    #expect(
      driver.feed(.closed) == [
        "cancel timer 3", "timer 1 back-off", "info value false", "l child_added z 3 after y",
        #"l value {"x":1,"y":2,"z":3}"#, "l child_removed x 1", #"l value {"y":2,"z":3}"#,
      ])
    _ = driver.call("c", .goOnline)
    _ = driver.feed(.opened)
    _ = driver.hello()
    #expect(driver.feed(.closed) == ["cancel timer 3", "timer 1 back-off", "info value false"])
  }

  @Test func `a request without an answer is forgotten, one not sent goes out later`() {
    var driver = CaseDriver.connected()
    _ = driver.call("sent", .onDisconnectSet("a", Node(1)))
    _ = driver.feed(.closed)
    _ = driver.call("waiting", .onDisconnectSet("b", Node(1)))
    _ = driver.feed(.timer(1))
    _ = driver.feed(.opened)

    #expect(driver.hello().dropFirst() == [#"send {"r":4,"a":"o","b":{"p":"/b","d":1}}"#])
    #expect(driver.answer(2) == [])
    #expect(driver.answer(4) == ["timer 2 now"])
    #expect(driver.feed(.timer(2)) == ["waiting ok"])
  }

  @Test func `an answer in the instant of the loss belongs to the lost connection`() {
    var driver = CaseDriver.connected()
    driver.know("a", 1, request: 2)
    _ = driver.call("c", .onDisconnectSet("a", Node(2)))
    _ = driver.answer(3)

    #expect(driver.feed(.closed) == ["cancel timer 3", "timer 1 back-off", "l value 2"])
    #expect(driver.feed(.timer(2)) == ["c ok"])
    _ = driver.feed(.timer(1))
    _ = driver.feed(.opened)
    _ = driver.hello()
    _ = driver.put("a", 5)
    #expect(driver.feed(.closed) == ["cancel timer 3", "timer 1 back-off"])
  }

  @Test func `a refused request is not remembered`() {
    var driver = CaseDriver.connected()
    driver.know("a", 1, request: 2)
    _ = driver.call("c", .onDisconnectSet("a", Node(2)))
    _ = driver.answer(3, "permission_denied")

    #expect(driver.feed(.timer(2)) == ["c failed permission_denied"])
    #expect(driver.feed(.closed) == ["cancel timer 3", "timer 1 back-off"])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `the memory is a tree of values by path`(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    var memory = AcceptedOnDisconnects()
    var model = Sparse()
    func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }
    for _ in 0..<12 {
      let path = Path((0..<1 + roll(3)).map { _ in Key(["a", "b"][roll(2)]) })
      let value: JSON = [.null, 1, ["a": 2], ["b": ["a": 3], "c": 4]][roll(4)]
      if roll(3) == 0 {
        memory.forget(path)
        model.forget(path)
      } else {
        memory.remember(Node(json: value), at: path)
        model.remember(Node(json: value), at: path)
      }
      var copy = memory
      let observed = copy.takeAll().map { "\($0.path) = \($0.node)" }.sorted()

      #expect(observed == model.operations(at: .root).sorted(), "seed \(seed)")
    }
  }
}

/// What the client remembers, as a tree that is taken apart and put together by recursion.
private struct Sparse {
  var node: Node?
  var below: [Key: Sparse] = [:]

  mutating func remember(_ new: Node, at path: Path) {
    guard let key = path.keys.first else {
      self = Sparse(node: new)
      return
    }
    if let node {
      self.node = node.setting(new, at: path)
    } else {
      below[key, default: Sparse()].remember(new, at: path.dropFirst())
    }
  }

  mutating func forget(_ path: Path) {
    guard let key = path.keys.first else {
      self = Sparse()
      return
    }
    if let whole = node {
      if whole.isScalar { return }
      node = nil
      for entry in whole.children { below[entry.key] = Sparse(node: entry.node) }
    }
    below[key]?.forget(path.dropFirst())
  }

  func operations(at path: Path) -> [String] {
    if let node { return ["\(path) = \(node)"] }
    return below.flatMap { $0.value.operations(at: path.appending($0.key)) }
  }
}

@Suite struct RefusalTests {
  private static let bad = Node(json: ["a#": 1])

  @Test(
    arguments: [
      (.set("a.b", Node(1)), "invalid_path"),
      (.set(".info/x", Node(1)), "invalid_path"),
      (.remove(".info"), "invalid_path"),
      (.listen("l", .init("a#"), [.value]), "invalid_path"),
      (.set("a", bad), "invalid_value"),
      (.push("a", bad), "invalid_value"),
      (.onDisconnectSet("a", bad), "invalid_value"),
      (.set("a", Node(1, priority: true)), "invalid_value"),
      (.set("a", Node(.number(.nan))), "invalid_value"),
      (.setPriority("a", true), "invalid_value"),
      (.setPriority("a", .number(.infinity)), "invalid_value"),
      (.setPriority("a#", 1), "invalid_path"),
      (.update("a", [.init("b", bad)]), "invalid_value"),
      (.update("a", [.init("b#", Node(1))]), "invalid_path"),
      (.update("a", [.init("", Node(1))]), "invalid_path"),
      (.update("a", [.init("b", Node(1)), .init("b/c", Node(1))]), "invalid_path"),
      (.onDisconnectUpdate("a", [.init("b/c", Node(1)), .init("b", Node(1))]), "invalid_path"),
      (.transaction(".info/x", .abort, localEvents: .shown), "invalid_path"),
      (.transaction("a", .set(["b.": 1]), localEvents: .shown), "invalid_value"),
      (.listen("l", .init("a", Query(limit: .first(0))), [.value]), "invalid_query"),
      (.once("l", .init("a", Query(limit: .last(-1))), .value), "invalid_query"),
      (.listen("l", .init("a", Query(ordering: .key, start: .init(1))), [.value]), "invalid_query"),
      (
        .listen("l", .init("a", Query(ordering: .key, end: .init("a", key: "b"))), [.value]),
        "invalid_query"
      ),
    ] as [(Operation, String)])
  func `a call with bad arguments is refused and does nothing`(operation: Operation, code: String) {
    var driver = CaseDriver.connected()

    #expect(driver.call("c", operation) == ["c threw \(code)"])
    #expect(driver.set("w", "x", 1) == [#"send {"r":2,"a":"p","b":{"p":"/x","d":1}}"#])
  }

  @Test func `the local tree can be listened to`() {
    var driver = CaseDriver.connected()

    #expect(driver.listen("l", ".info/connected") == ["l value true"])
    #expect(driver.call("c", .unlisten("l")) == [])
  }
}
