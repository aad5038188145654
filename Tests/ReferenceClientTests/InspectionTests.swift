import ClientInterface
import ReferenceClient
import Testing
import Tree

@Suite struct InspectionTests {
  private func ask(_ inspection: Inspection, _ profile: Profile = .wilddog2) -> [String] {
    var driver = CaseDriver(profile)
    return driver.call("x", .inspect(inspection))
  }

  static let references: [(Inspection, String)] = [
    (Inspection(.reference("a/b"), "key"), #"answered "b""#),
    (Inspection(.reference("a/b"), "parent"), #"answered "/a""#),
    (Inspection(.reference("a/b"), "root"), #"answered "/""#),
    (Inspection(.reference("a"), "child", "b/c"), #"answered "/a/b/c""#),
    (Inspection(.reference("a"), of: "b", "equals", "a/b"), "answered true"),
    (Inspection(.reference("a b"), "url"), #"answered "https://kennel.test/a%20b""#),
    (Inspection(.address("https://kennel.test/a"), "key"), #"answered "a""#),
    (Inspection(.address("https://other.test/a"), "key"), "threw invalid_url"),
    (Inspection(.address("kennel.test/a"), "key"), "threw invalid_url"),
    (Inspection(.address("https://kennel.test/a%2Eb"), "key"), "threw invalid_path"),
    (Inspection(.reference("a.b"), "key"), "threw invalid_path"),
    (Inspection(.reference("a"), "child", 5), "threw invalid_path"),
    (Inspection(.reference("a"), "colour"), "threw not_supported"),
    (Inspection(.snapshot("l"), "colour"), "threw no_snapshot"),
    (Inspection(.query("a", steps: []), "colour"), "threw not_supported"),
    (Inspection(.mutableData(1, changes: []), "colour"), "threw not_supported"),
  ]

  @Test(arguments: references)
  func `a reference answers without a connection`(inspection: Inspection, line: String) {
    #expect(ask(inspection) == ["x " + line])
  }

  @Test(arguments: [(Profile.wilddog1, #""/""#), (.wilddog2, "null"), (.firebase, "null")])
  func `the parent of the root depends on the profile`(profile: Profile, parent: String) {
    #expect(ask(Inspection(.reference(.root), "parent"), profile) == ["x answered " + parent])
  }

  @Test(arguments: [
    (Profile.wilddog1, #"{"0":1,"3":2}"#), (.wilddog2, "[1,null,null,2]"),
    (.firebase, "[1,null,null,2]"),
  ])
  func `half an array depends on the profile`(profile: Profile, value: String) {
    let data = Inspection.Subject.mutableData(["0": 1, "3": 2], changes: [])

    #expect(ask(Inspection(data, "value"), profile) == ["x answered " + value])
  }

  @Test func `a snapshot is that of the last event, also after the listener is gone`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l", "room")
    #expect(driver.call("x", .inspect(.init(.snapshot("l"), "value"))) == ["x threw no_snapshot"])

    _ = driver.put("room", ["a": ["b": 1]])
    _ = driver.answer(2)
    _ = driver.call("u", .unlisten("l"))
    _ = driver.set("w", "room", 5)

    let answers = ["value", "key", "ref", "childrenCount"].map {
      driver.call("x", .inspect(.init(.snapshot("l"), $0)))[0]
    }
    #expect(
      answers == [
        #"x answered {"a":{"b":1}}"#, #"x answered "room""#, #"x answered "/room""#,
        "x answered 1",
      ])
  }

  @Test func `a snapshot of a child event is that of the child`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l", "room", to: [.childAdded])
    _ = driver.put("room", ["a": ["b": 1]])

    let part = Inspection(.snapshot("l"), of: "b", "ref")
    #expect(driver.call("x", .inspect(part)) == [#"x answered "/room/a/b""#])
    #expect(driver.call("y", .inspect(.init(.snapshot("l"), "key"))) == [#"y answered "a""#])
  }

  @Test func `an earlier snapshot of a listener is that of its event`() {
    var driver = CaseDriver.connected()
    _ = driver.listen("l", "room")
    _ = driver.put("room", 1)
    _ = driver.answer(2)
    _ = driver.set("w", "room", 2)

    let answers = [1, 2, 3].map {
      driver.call("x", .inspect(.init(.snapshot("l", nth: $0), "value")))[0]
    }
    #expect(answers == ["x answered 1", "x answered 2", "x threw no_snapshot"])
  }

  @Test func `a completion is handed the reference of its call or a transaction's snapshot`() {
    var driver = CaseDriver.connected()
    _ = driver.set("w", "room/a", 2)
    _ = driver.call("t", .transaction("room/b", .abort, localEvents: .shown))

    func ask(_ call: CallID, _ question: String) -> [String] {
      driver.call("x", .inspect(.init(.completion(call), question)))
    }
    #expect(ask("w", "ref") == ["x threw no_snapshot"])
    _ = driver.answer(2)
    #expect(ask("w", "ref") == [#"x answered "/room/a""#])
    #expect(ask("w", "key") == [#"x answered "a""#])
    #expect(ask("w", "value") == ["x threw no_snapshot"])
    #expect(ask("t", "exists") == ["x answered false"])
    #expect(ask("t", "ref") == [#"x answered "/room/b""#])
  }

  static let changes: [([JSON], String)] = [
    ([], #"{"a":1,".priority":5}"#), ([["value": 2]], "2"), ([["priority": .null]], #"{"a":1}"#),
    ([["child": "b/c", "value": 2]], #"{"a":1,"b":{"c":2},".priority":5}"#),
    ([["child": "a", "priority": "p"]], #"{"a":{".value":1,".priority":"p"},".priority":5}"#),
    ([["child": "a", "value": .null]], "null"),
    ([["child": "x", "priority": 1]], #"{"a":1,".priority":5}"#),
  ]

  @Test(arguments: changes)
  func `mutable data follow their changes`(changes: [JSON], result: String) {
    let data = Inspection.Subject.mutableData(["a": 1, ".priority": 5], changes: changes)

    #expect(ask(Inspection(data, "export")) == ["x answered " + result])
  }

  static let queries: [([JSON], String)] = [
    ([["orderBy": ".key"], ["startAt": "a"], ["endAt": "b"], ["limitToLast": 1]], "answered true"),
    ([["orderBy": "a"], ["orderBy": "b"]], "threw invalid_query"),
    ([["limitToFirst": 1], ["limitToLast": 1]], "threw invalid_query"),
    ([["limitToFirst": 1.5]], "threw invalid_query"), ([["startAt": [1]]], "threw invalid_query"),
    ([["equalTo": 1], ["startAfter": 1]], "threw invalid_query"),
    ([["endAt": 1], ["endBefore": 1]], "threw invalid_query"),
    ([["orderBy": ".key"], ["startAt": 1]], "threw invalid_query"),
    ([["orderBy": "a.b"]], "threw invalid_path"), ([["orderBy": 5]], "threw invalid_query"),
    ([["size": 1]], "threw invalid_query"), ([5], "threw invalid_query"),
  ]

  @Test(arguments: queries)
  func `a query refuses what has no meaning`(steps: [JSON], line: String) {
    #expect(ask(Inspection(.query("a", steps: steps), "valid")) == ["x " + line])
  }
}
