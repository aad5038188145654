import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct ListenTests {
  private let last = Query(ordering: .value, limit: .last(2))

  @Test func `data come first, the answer adds nothing`() {
    var driver = CaseDriver.connected()

    #expect(driver.listen("l", "a") == [#"send {"r":2,"a":"q","b":{"p":"/a","h":""}}"#])
    #expect(
      driver.put("a", ["10": 1, "9": 2]) == [
        "l child_added 9 2 first", "l child_added 10 1 after 9", #"l value {"9":2,"10":1}"#,
      ])
    #expect(driver.answer(2) == [])
  }

  @Test func `an answer alone means that nothing is there`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l", "a")

    #expect(driver.answer(2) == ["l value null"])
    #expect(driver.answer(2) == [])
  }

  @Test func `listeners of one query receive change by change, in order of registration`() {
    var driver = CaseDriver.connected()
    driver.know("a", ["x": 1], as: "l1", request: 2)

    #expect(driver.listen("l2", "a") == ["l2 child_added x 1 first", #"l2 value {"x":1}"#])
    #expect(
      driver.merge("a", ["y": 2, "x": .null]) == [
        "l1 child_removed x 1", "l2 child_removed x 1", "l1 child_added y 2 first",
        "l2 child_added y 2 first", #"l1 value {"y":2}"#, #"l2 value {"y":2}"#,
      ])
  }

  @Test func `below comes before the location, and the location before what is above`() {
    var driver = CaseDriver.connected()
    driver.know("a", ["b": ["c": 1]], as: "above", request: 2)
    _ = driver.listen("below", "a/b/c")
    _ = driver.listen("at", "a/b", to: [.value])
    _ = driver.listen("beside", "a/x", to: [.value])

    #expect(
      driver.put("a/b", ["c": 2]) == [
        "below value 2", #"at value {"c":2}"#, #"above child_changed b {"c":2} first"#,
        #"above value {"b":{"c":2}}"#,
      ])
  }

  @Test func `a covering listen is sent first, then those below are taken back`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("below", "a/b")
    _ = driver.listen("window", "a", last)

    #expect(
      driver.listen("all", "a") == [
        #"send {"r":4,"a":"q","b":{"p":"/a","h":""}}"#,
        #"send {"r":5,"a":"n","b":{"p":"/a","q":{"l":2,"vf":"r","i":".value"},"t":1}}"#,
        #"send {"r":6,"a":"n","b":{"p":"/a/b"}}"#,
      ])
    #expect(driver.listen("second", "a/c/d") == [])
    #expect(driver.listen("ordered", "a", Query(ordering: .key)) == [])
  }

  @Test func `uncovering listens again before it lets go, silently`() {
    var driver = CaseDriver.connected()
    driver.know("a", ["b": 1], as: "all", request: 2)
    _ = driver.listen("below", "a/b")
    _ = driver.listen("window", "a", last)

    #expect(
      driver.call("c", .unlisten("all")) == [
        #"send {"r":3,"a":"q","b":{"p":"/a","q":{"l":2,"vf":"r","i":".value"},"t":1,"#
          + #""h":"\#(Node(json: ["b": 1]).hash)"}}"#,
        #"send {"r":4,"a":"q","b":{"p":"/a/b","h":"YPVfR2bXt/lcDjiQZ8pOkAd3qkQ="}}"#,
        #"send {"r":5,"a":"n","b":{"p":"/a"}}"#,
      ])
    #expect(driver.answer(3) == [])
    #expect(
      driver.put("a", ["b": 2], tag: 1) == [
        "window child_moved b 2 first", "window child_changed b 2 first", #"window value {"b":2}"#,
      ])
    #expect(driver.put("a/b", 2) == ["below value 2"])
  }

  @Test func `the last of a query takes the listen back`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l1", "a")
    _ = driver.listen("l2", "a")

    #expect(driver.call("c", .unlisten("l1")) == [])
    #expect(driver.call("c", .unlisten("l2")) == [#"send {"r":3,"a":"n","b":{"p":"/a"}}"#])
    #expect(driver.call("c", .unlisten("l2")) == [])
    #expect(driver.put("a", 1) == [])
  }

  @Test func `removing all removes every query exactly at the place`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("window", "a", last)
    _ = driver.listen("again", "a", last)
    _ = driver.listen("below", "a/b")
    let removed = driver.call("c", .unlistenAll(.init("a")))

    #expect(
      removed == [#"send {"r":4,"a":"n","b":{"p":"/a","q":{"l":2,"vf":"r","i":".value"},"t":1}}"#])
    #expect(driver.put("a", ["b": 1], tag: 1) == [])
    #expect(driver.put("a/b", 1) == ["below value 1"])
  }

  @Test func `removing all of one query leaves the others`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("one", "a", last)
    _ = driver.listen("two", "a", Query(limit: .first(1)))
    _ = driver.call("c", .unlistenAll(.init("a", last)))

    #expect(driver.put("a", ["b": 1], tag: 1) == [])
    #expect(
      driver.put("a", ["b": 1], tag: 2) == [
        "two child_added b 1 first", #"two value {"b":1}"#,
      ])
  }

  @Test func `once receives one event and goes`() {
    var driver = CaseDriver.connected()
    let once = driver.call("c", .once("o", .init("a"), .childAdded))

    #expect(once == [#"send {"r":2,"a":"q","b":{"p":"/a","h":""}}"#])
    #expect(
      driver.put("a", ["x": 1, "y": 2]) == [
        #"send {"r":3,"a":"n","b":{"p":"/a"}}"#, "o child_added x 1 first",
      ])
    #expect(driver.put("a", ["z": 1]) == [])
  }

  @Test func `once is answered at once from what is known`() {
    var driver = CaseDriver.connected()
    driver.know("a", ["b": 1], request: 2)

    #expect(driver.call("c", .once("o", .init("a/b"), .value)) == ["o value 1"])
  }

  @Test func `a refused listen cancels its listeners in order, and says nothing`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("window", "a", last)
    _ = driver.listen("l1", "a")
    _ = driver.call("c", .once("l2", .init("a"), .value))
    _ = driver.listen("below", "a/b")
    _ = driver.answer(2)

    #expect(
      driver.answer(3, "permission_denied") == [
        #"send {"r":5,"a":"q","b":{"p":"/a/b","h":""}}"#, "window cancelled permission_denied",
        "l1 cancelled permission_denied", "l2 cancelled permission_denied",
      ])
    #expect(driver.put("a/c", 1) == [])
  }

  @Test func `a revoked query alone is cancelled`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("one", "a", last)
    _ = driver.listen("two", "a", Query(limit: .first(1)))

    #expect(
      driver.feed(.frame(.revoked("a", queries: [last]))) == ["one cancelled permission_denied"])
    #expect(driver.put("a", ["b": 1], tag: 2).count == 2)
  }

  @Test func `a revocation that crosses the end of its listen is ignored`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("child", "a/b")
    _ = driver.listen("all", "a")

    #expect(driver.feed(.frame(.revoked("a/b", queries: nil))) == [])
    #expect(driver.put("a/b", 1).contains("child value 1"))
  }

  @Test(arguments: Profile.all)
  func `a revoked range is found again in every profile`(profile: Profile) {
    var driver = CaseDriver.connected(profile)
    let query = Query(start: .init(1), limit: .last(2))
    var sent = query
    sent.reach = .withinKind
    _ = driver.listen("range", "a", query)

    #expect(
      driver.feed(.frame(.revoked("a", queries: [query]))) == ["range cancelled permission_denied"])
    _ = driver.listen("again", "a", query)
    #expect(
      driver.feed(.frame(.revoked("a", queries: [sent]))) == ["again cancelled permission_denied"])
  }

  @Test func `a window slides, and is refilled from what is known`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("w", "a", last)
    _ = driver.put("a", ["x": 1, "y": 2], tag: 1)

    #expect(
      driver.set("c", "a/z", 3) == [
        #"send {"r":3,"a":"p","b":{"p":"/a/z","d":3}}"#,
        "w child_removed x 1", "w child_added z 3 after y", #"w value {"y":2,"z":3}"#,
      ])
    #expect(
      driver.answer(3, "permission_denied") == [
        "w child_removed z 3", "w child_added x 1 first", #"w value {"x":1,"y":2}"#,
        "c failed permission_denied",
      ])
    #expect(
      driver.set("d", "a/y", .null).dropFirst() == ["w child_removed y 2", #"w value {"x":1}"#])
  }

  @Test func `one change among very many children is one event`() {
    var driver = CaseDriver.connected()
    let children = Children((0..<100_000).map { (Key(String($0)), Node(.number(Double($0)))) })
    _ = driver.listen("l", "a", to: [.childAdded, .childChanged, .childRemoved, .childMoved])
    let added = driver.feed(.frame(.put("a", Node(children), tag: nil)))

    #expect(added.count == 100_000)
    #expect(driver.put("a/50000", "x") == [#"l child_changed 50000 "x" after 49999"#])
    #expect(driver.put("a/99999", .null) == ["l child_removed 99999 99999"])
  }
}
