import ReferenceServer
import Testing
import Tree

@Suite struct AccessTests {
  @Test func `without a rule nobody may do anything`() throws {
    let harness = try Harness("{}", ["room": 1])

    #expect(!harness.reads("room"))
    #expect(!harness.writes("room", 2))
  }

  @Test func `a permission holds for everything below, whatever is stated there`() throws {
    let harness = try Harness(
      #"{"room": {".read": true, ".write": true, "secret": {".read": false, ".write": false}}}"#)

    #expect(harness.reads("room/secret"))
    #expect(harness.writes("room/secret/deep", 1))
    #expect(!harness.reads(.root))
    #expect(!harness.writes(.root, ["room": 1]))
  }

  @Test func `a permission below does not open what is above`() throws {
    let harness = try Harness(#"{"room": {"open": {".read": true}}}"#)

    #expect(harness.reads("room/open/a"))
    #expect(!harness.reads("room"))
  }

  @Test(arguments: [("ann", true), ("bob", false), (nil, false)] as [(String?, Bool)])
  func `a key that is left open can be compared with the user`(
    user: String?, isAllowed: Bool
  )
    throws
  {
    let harness = try Harness(
      user: user,
      #"{"users": {"$uid": {".read": "$uid === auth.uid", ".write": "auth.uid == $uid"}}}"#)

    #expect(harness.reads("users/ann") == isAllowed)
    #expect(harness.writes("users/ann/name", "Ann") == isAllowed)
  }

  @Test func `a key with rules of its own is none of the others`() throws {
    let harness = try Harness(
      #"{".write": true, "point": {"x": {".validate": "newData.isNumber()"}, "y": {}, "$other": {".validate": false}}}"#
    )

    #expect(harness.writes("point", ["x": 1, "y": "any"]))
    #expect(!harness.writes("point", ["x": "1"]))
    #expect(!harness.writes("point", ["x": 1, "z": 2]))
    #expect(harness.writes("point/z", .null))
  }

  @Test func `what is written is valid everywhere, above and below`() throws {
    let harness = try Harness(
      #"""
      {".write": true,
       "rooms": {"$room": {".validate": "newData.hasChildren(['title'])",
                           "title": {".validate": "newData.isString() && newData.val().length < 9"}}}}
      """#, ["rooms": ["a": ["title": "A", "open": true]]])

    #expect(harness.writes("rooms/b", ["title": "B"]))
    #expect(!harness.writes("rooms/b", ["size": 1]))
    #expect(!harness.writes("rooms/b/size", 1))
    #expect(harness.writes("rooms/a/size", 1))
    #expect(!harness.writes("rooms", ["b": ["title": "much too long"]]))
    #expect(!harness.writes("rooms/a/title", .null))
    #expect(harness.writes("rooms/a", .null))
  }

  @Test func `an update is allowed as a whole, and sees itself`() throws {
    let harness = try Harness(
      #"""
      {"log": {"$id": {".write": "newData.parent().parent().child('count').val() === 1"}},
       "count": {".write": true}}
      """#)

    #expect(harness.writes([("log/a", 1), ("count", 1)]))
    #expect(!harness.writes([("log/a", 1), ("count", 2)]))
    #expect(!harness.writes([("log/a", 1)]))
    #expect(!harness.writes([("other", 1), ("count", 1)]))
  }

  @Test func `root and data are what is stored, newData what would be`() throws {
    let harness = try Harness(
      #"{"a": {".write": "!data.exists() && !root.child('a').exists() && newData.val() == 1"}}"#)

    #expect(harness.writes("a", 1))
    #expect(!harness.writes("a", 2))
  }

  @Test func `a priority is written where its node is`() throws {
    let harness = try Harness(#"{"a": {".write": "newData.getPriority() == 5"}}"#, ["a": 1])

    #expect(
      harness.rules.allowWrite(
        to: ["a/.priority"], from: harness.tree,
        to: harness.tree.setting(Node(5), at: Path("a/.priority")),
        for: RuleRequest(auth: .null, time: 0)))
  }

  @Test func `a rule can ask which query is made`() throws {
    let harness = try Harness(
      user: "ann",
      #"{"baskets": {".read": "query.orderByChild == 'owner' && query.equalTo == auth.uid && query.limitToFirst <= 10"}}"#
    )
    let own = Query.Bound("ann")

    #expect(
      harness.reads(
        "baskets", Query(ordering: .child("owner"), start: own, end: own, limit: .first(10))))
    #expect(
      !harness.reads(
        "baskets", Query(ordering: .child("owner"), start: own, end: own, limit: .first(11))))
    #expect(!harness.reads("baskets", Query(ordering: .key, limit: .first(1))))
    #expect(!harness.reads("baskets"))
  }

  @Test func `indexes are those of the location itself`() throws {
    let rules = try Harness(
      #"{"a": {".indexOn": ["height", "size/x"], "$b": {".indexOn": ".value"}}}"#
    ).rules

    #expect(rules.isIndexed("a", by: .child("height")))
    #expect(rules.isIndexed("a", by: .child("size/x")))
    #expect(!rules.isIndexed("a", by: .child("weight")))
    #expect(!rules.isIndexed("a", by: .value))
    #expect(rules.isIndexed("a/x", by: .value))
    #expect(!rules.isIndexed("other", by: .value))
    #expect(rules.isIndexed("other", by: .key))
    #expect(rules.isIndexed("other", by: .priority))
  }
}
