import Document
import TestKit
import Testing
import Tree
import Wire

@Suite struct QueryTests {
  private func vectors() throws -> [JSON] {
    try Kit.vectors["queryId"]?.elements ?? []
  }

  /// A query as a listen carries it, through the reader.
  private func query(_ json: JSON) throws -> Query? {
    let message: JSON = [
      "t": "d", "d": ["r": 1, "a": "q", "b": ["p": "a", "q": json, "t": 1, "h": ""]],
    ]
    guard case let .request(_, .listen(listen)) = try ClientMessage(json: message) else {
      return nil
    }
    return listen.query
  }

  @Test func `query objects are those of the vectors`() throws {
    let rows = try vectors()
    for row in rows {
      let object = row["obj"] ?? .null
      let query = try query(object)

      #expect(query?.json(in: .firebase).text == object.text)
      #expect(query?.filters == row["loadsAll"]?.bool.map { !$0 })
      #expect((query == .all) == row["isDefault"]?.bool)
      #expect((query?.identifier == "default") == (row["id"] == "default"))
    }
    #expect(rows.count == 23)
  }

  @Test func `two queries have one identifier only if they are one query`() throws {
    var seen: [String: Query] = [:]
    for row in try vectors() {
      guard let query = try query(row["obj"] ?? .null) else { continue }
      #expect(seen[query.identifier] ?? query == query)
      seen[query.identifier] = query
    }
    #expect(seen.count == 22)
  }

  @Test(arguments: [
    (Query.all, "{}", "{}"),
    (Query(ordering: .key), #"{"i":".key"}"#, #"{"i":".key"}"#),
    (Query(ordering: .child("a/b")), #"{"i":"a/b"}"#, #"{"i":"a/b"}"#),
    (
      Query(ordering: .value, start: .init(1), end: .init("x", key: "k"), limit: .first(3)),
      #"{"sp":1,"ep":"x","en":"k","l":3,"vf":"l","i":".value"}"#,
      #"{"sp":1,"sin":true,"ep":"x","en":"k","ein":true,"l":3,"vf":"l","i":".value"}"#
    ),
    (
      Query(start: .init(nil), limit: .last(2)), #"{"sp":null,"l":2,"vf":"r"}"#,
      #"{"sp":null,"sin":true,"l":2,"vf":"r"}"#
    ),
    (
      Query(start: .init(1, edge: .exclusive), end: .init(2, key: "k", edge: .exclusive)),
      #"{"sp":1,"sn":"[MAX_NAME]","sin":false,"ep":2,"en":"k","ein":false}"#,
      #"{"sp":1,"sn":"[MAX_NAME]","sin":false,"ep":2,"en":"k","ein":false}"#
    ),
  ])
  func `the dialects differ in what they say about inclusion`(
    query: Query, wilddog: String, firebase: String
  ) throws {
    #expect(query.json(in: .wilddog).text == wilddog)
    #expect(query.json(in: .firebase).text == firebase)
    #expect(try self.query(query.json(in: .wilddog)) == query)
    #expect(try self.query(query.json(in: .firebase)) == query)
  }

  @Test(arguments: [
    // A key beyond all keys at the bound's value, seen from inside the range, excludes them.
    (#"{"sp":1,"sn":"[MAX_NAME]"}"#, Query(start: .init(1, edge: .exclusive))),
    (#"{"ep":1,"en":"[MIN_NAME]","ein":true}"#, Query(end: .init(1, edge: .exclusive))),
    (#"{"sp":1,"sn":"[MIN_NAME]"}"#, Query(start: .init(1))),
    (#"{"ep":1,"en":"[MAX_NAME]","ein":false}"#, Query(end: .init(1))),
    // An old limit without a side counts from the anchored end.
    (#"{"l":2}"#, Query(limit: .last(2))),
    (#"{"sp":1,"l":2}"#, Query(start: .init(1), limit: .first(2))),
    (#"{"i":".priority"}"#, Query.all),
  ])
  func `names before and after every key are understood`(text: String, query: Query) throws {
    #expect(try self.query(try JSON(parsing: text)) == query)
  }

  @Test(arguments: [
    ("1", "the query is a number, expected a mapping"),
    (#"{"i":1}"#, #""i" of the query is a number, expected a string"#),
    (#"{"sp":{}}"#, #""sp" of the query is a mapping, expected a scalar or null"#),
    (#"{"ep":[]}"#, #""ep" of the query is a list, expected a scalar or null"#),
    (#"{"sp":1,"sn":2}"#, #""sn" of the query is a number, expected a string"#),
    (#"{"ep":1,"ein":1}"#, #""ein" of the query is a number, expected a boolean"#),
    (
      #"{"sp":1,"sin":false}"#,
      #""sin" of the query is false without "sn", expected "[MAX_NAME]" there"#
    ),
    (
      #"{"ep":1,"ein":false,"i":".value"}"#,
      #""ein" of the query is false without "en", expected "[MIN_NAME]" there"#
    ),
    (#"{"l":0}"#, #""l" of the query is 0, expected a positive number"#),
    (#"{"l":-2,"vf":"l"}"#, #""l" of the query is -2, expected a positive number"#),
    (#"{"l":"2"}"#, #""l" of the query is "2", expected a whole number"#),
    (#"{"l":1,"vf":"x"}"#, #""vf" of the query is "x", expected "l" or "r""#),
  ])
  func `a malformed query is told why`(query: String, reason: String) throws {
    let text = #"{"t":"d","d":{"r":1,"a":"q","b":{"p":"a","q":\#(query),"t":1}}}"#

    #expect(try complaint(text, from: .client) == reason)
  }
}
