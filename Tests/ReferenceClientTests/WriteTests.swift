import ClientInterface
import ReferenceClient
import Testing
import Tree
import Wire

@Suite struct WriteTests {
  @Test func `a write is reported at once, its echo and its answer are not`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1], request: 2)

    #expect(
      driver.set("w", "room/b", 2) == [
        #"send {"r":3,"a":"p","b":{"p":"/room/b","d":2}}"#,
        "l child_added b 2 after a",
        #"l value {"a":1,"b":2}"#,
      ])
    #expect(driver.put("room/b", 2) == [])
    #expect(driver.answer(3) == ["w ok"])
  }

  @Test func `a refused write is rolled back before its call fails`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1], request: 2)
    _ = driver.set("w1", "room", ["b": 2])
    _ = driver.set("w2", "room/c", 3)

    #expect(
      driver.answer(3, "PERMISSION_DENIED") == [
        "l child_removed b 2", "l child_added a 1 first", #"l value {"a":1,"c":3}"#,
        "w1 failed permission_denied",
      ])
    #expect(
      driver.answer(4, "permission_denied") == [
        "l child_removed c 3", #"l value {"a":1}"#, "w2 failed permission_denied",
      ])
  }

  @Test func `a further write is laid over what is left of the earlier ones, and over new data`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1], request: 2)
    _ = driver.set("w1", "room/b", 2)
    _ = driver.set("w2", "room/c", 3)
    _ = driver.answer(3, "permission_denied")

    #expect(
      driver.set("w3", "room/d", 4) == [
        #"send {"r":5,"a":"p","b":{"p":"/room/d","d":4}}"#,
        "l child_added d 4 after c", #"l value {"a":1,"c":3,"d":4}"#,
      ])
    _ = driver.put("room/a", 5)
    #expect(driver.set("w4", "room/c", 6).last == #"l value {"a":5,"c":6,"d":4}"#)
  }

  @Test func `a write above covers those made before`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1], request: 2)
    _ = driver.set("w1", "room/b", 2)
    _ = driver.set("w2", "room", ["c": 3])

    #expect(driver.answer(3, "permission_denied") == ["w1 failed permission_denied"])
    #expect(
      driver.answer(4, "permission_denied") == [
        "l child_removed c 3", "l child_added a 1 first", #"l value {"a":1}"#,
        "w2 failed permission_denied",
      ])
  }

  @Test func `a deep write into the unknown shows nothing above, and the location below is known`()
  {
    var driver = CaseDriver.connected()
    _ = driver.listen("above", "room")
    _ = driver.listen("below", "room/a/b")

    #expect(
      driver.set("w", "room/a/b", 1) == [
        #"send {"r":3,"a":"p","b":{"p":"/room/a/b","d":1}}"#, "below value 1",
      ])
    #expect(
      driver.put("room", ["a": ["c": 2]]) == [
        #"above child_added a {"b":1,"c":2} first"#, #"above value {"a":{"b":1,"c":2}}"#,
      ])
  }

  @Test func `a child written into the unknown is added without a value event`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l", "room")

    #expect(driver.set("w", "room/a", 1).dropFirst() == ["l child_added a 1 first"])
    #expect(driver.answer(3) == ["w ok"])
    #expect(driver.put("room", ["a": 1]) == [#"l value {"a":1}"#])
  }

  @Test func `what was accepted stays shown until the server speaks of it`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l", "room")
    _ = driver.set("w", "room/a", 1)
    _ = driver.answer(3)

    #expect(driver.put("room/b", 2) == ["l child_added b 2 after a"])
    #expect(
      driver.put("room", ["b": 2]) == ["l child_removed a 1", #"l value {"b":2}"#])
  }

  @Test func `server data below a pending write stay hidden`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1], request: 2)
    _ = driver.set("w", "room/a", 2)

    #expect(driver.put("room/a", 5) == [])
    #expect(
      driver.put("room", ["a": 5, "b": 6]) == [
        "l child_added b 6 after a", #"l value {"a":2,"b":6}"#,
      ])
    #expect(
      driver.answer(3) == ["l child_changed a 5 first", #"l value {"a":5,"b":6}"#, "w ok"])
  }

  @Test func `an update is one change and one request`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1, "b": 2, "c": ["d": 3]], request: 2)
    let assignments: [Assignment] = [
      .init("z", Node(9)), .init("a", .empty), .init("c/d", Node(4)),
    ]

    #expect(
      driver.call("w", .update("room", assignments)) == [
        #"send {"r":3,"a":"m","b":{"p":"/room","d":{"z":9,"a":null,"c/d":4}}}"#,
        "l child_removed a 1", "l child_added z 9 after c", #"l child_changed c {"d":4} after b"#,
        #"l value {"b":2,"c":{"d":4},"z":9}"#,
      ])
  }

  @Test func `a priority moves, and on nothing it changes nothing`() {
    var driver = CaseDriver.connected()
    driver.know("room", ["a": 1, "b": 2], request: 2)

    #expect(
      driver.call("w", .setPriority("room/a", 5)) == [
        #"send {"r":3,"a":"p","b":{"p":"/room/a/.priority","d":5}}"#,
        #"l child_moved a {".value":1,".priority":5} after b"#,
        #"l child_changed a {".value":1,".priority":5} after b"#,
        #"l value {"a":{".value":1,".priority":5},"b":2}"#,
      ])
    #expect(
      driver.call("v", .setPriority("room/x", 5)) == [
        #"send {"r":4,"a":"p","b":{"p":"/room/x/.priority","d":5}}"#
      ])
    #expect(
      driver.set("u", "room/a", 1) == [
        #"send {"r":5,"a":"p","b":{"p":"/room/a","d":1}}"#,
        "l child_moved a 1 first", "l child_changed a 1 first", #"l value {"a":1,"b":2}"#,
      ])
  }

  @Test func `a timestamp is estimated by the server's clock and then corrected`() {
    var driver = CaseDriver()
    _ = driver.feed(.opened)
    _ = driver.hello(ahead: 1000)
    driver.know("room", .null, request: 2)

    #expect(
      driver.set("w", "room/t", [".sv": "timestamp"]) == [
        #"send {"r":3,"a":"p","b":{"p":"/room/t","d":{".sv":"timestamp"}}}"#,
        "l child_added t 1480000001000 first", #"l value {"t":1480000001000}"#,
      ])
    #expect(driver.put("room/t", 1_480_000_001_007) == [])
    #expect(
      driver.answer(3) == [
        "l child_changed t 1480000001007 first", #"l value {"t":1480000001007}"#, "w ok",
      ])
  }

  @Test func `increments add up on what is shown`() {
    var driver = CaseDriver.connected()
    driver.know("n", 5, request: 2)
    let increment: JSON = [".sv": ["increment": 2]]

    #expect(driver.set("w1", "n", increment).last == "l value 7")
    #expect(driver.set("w2", "n", increment).last == "l value 9")
    #expect(driver.put("n", 7) == [])
    #expect(driver.answer(3) == ["w1 ok"])
    #expect(driver.answer(4, "permission_denied") == ["l value 7", "w2 failed permission_denied"])
  }
}
