import Faults
import ReferenceServer
import Testing
import Tree
import Wire

/// The forms in which the server words what it conveys.
@Suite struct FormTests {
  private static let data: JSON = ["room": ["a": ["x": 1, "y": 2], "b": ["x": 2], "c": ["x": 3]]]

  private static let change = ReferenceServer.Write.merge(
    "room", [Assignment("a/y", Node(5)), Assignment("b/x", Node(9))])

  @Test(
    arguments: [
      (.asWritten, [#"merge /room {"a/y":5,"b/x":9}"#]),
      (.whole, [#"put /room {"a":{"x":1,"y":5},"b":{"x":9},"c":{"x":3}}"#]),
      (.children, [#"merge /room {"a":{"x":1,"y":5},"b":{"x":9}}"#]),
      (.child, [#"merge /room {"a":{"x":1,"y":5},"b":{"x":9}}"#]),
      (.deep, [#"merge /room {"a/y":5,"b/x":9}"#]), (.deepest, [#"merge /room {"a/y":5,"b/x":9}"#]),
      (.reversed, [#"merge /room {"b/x":9,"a/y":5}"#]),
      (.twice, Array(repeating: #"merge /room {"a/y":5,"b/x":9}"#, count: 2)),
    ] as [(WireForm, [String])])
  func `a change of several children, to a plain listen`(form: WireForm, expected: [String]) {
    #expect(Self.told(Self.change, as: form, .listen("room")) == expected)
  }

  @Test(
    arguments: [
      (.asWritten, [#"merge /room {"a":{"x":1,"y":5},"b":null,"c":{"x":3}} tag 1"#]),
      (.whole, [#"put /room {"a":{"x":1,"y":5},"c":{"x":3}} tag 1"#]),
      (.child, [#"merge /room {"a":{"x":1,"y":5},"b":null,"c":{"x":3}} tag 1"#]),
      (.deep, [#"merge /room {"a/y":5,"b":null,"c":{"x":3}} tag 1"#]),
      (.reversed, [#"merge /room {"c":{"x":3},"b":null,"a":{"x":1,"y":5}} tag 1"#]),
    ] as [(WireForm, [String])])
  func `a change of a window`(form: WireForm, expected: [String]) {
    let query = Query(ordering: .child("x"), limit: .first(2))
    #expect(Self.told(Self.change, as: form, .listen("room", query, tag: 1)) == expected)
  }

  @Test(
    arguments: [
      (.asWritten, "put /room/a/y 5"),
      (.whole, #"put / {"room":{"a":{"x":1,"y":5},"b":{"x":2},"c":{"x":3}}}"#),
      (.children, #"merge / {"room":{"a":{"x":1,"y":5},"b":{"x":2},"c":{"x":3}}}"#),
      (.child, #"put /room {"a":{"x":1,"y":5},"b":{"x":2},"c":{"x":3}}"#),
      (.deep, #"merge / {"room/a/y":5}"#), (.deepest, "put /room/a/y 5"),
    ] as [(WireForm, String)])
  func `a single change deep below a listen`(form: WireForm, expected: String) {
    #expect(Self.told(.put("room/a/y", Node(5)), as: form, .listen("")) == [expected])
  }

  @Test func `the deepest path of several differences is their common one`() {
    let write = ReferenceServer.Write.put(
      "room", Node(json: ["a": ["x": 3, "y": 4], "b": ["x": 2], "c": ["x": 3]]))

    #expect(Self.told(write, as: .deepest, .listen("")) == [#"merge /room/a {"x":3,"y":4}"#])
  }

  @Test(arguments: [.children, .child, .deep, .deepest] as [WireForm])
  func `what only a put can convey is put`(form: WireForm) {
    #expect(Self.told(.put("room", Node(1)), as: form, .listen("room")) == ["put /room 1"])
    #expect(
      Self.told(.put("room/.priority", Node(1)), as: form, .listen("room")) == [
        "put /room/.priority 1"
      ])
  }

  @Test(arguments: WireForm.allCases)
  func `every form conveys the same`(form: WireForm) {
    let old = Node(json: Self.data)
    let writes: [ReferenceServer.Write] = [
      Self.change, .put("room/a", Node(1)), .put("room", .empty), .put("room/b/.priority", Node(2)),
    ]
    for write in writes {
      var harness = Self.harness(.listen(""))
      var out: [ReferenceServer.Outgoing] = []
      harness.server.write(write, at: harness.now, into: &out)
      let known = out.flatMap { $0.messages(as: form) }.reduce(old) { known, message in
        switch message {
        case let .put(path, node, _): known.setting(node, at: path)
        case let .merge(path, parts, _):
          parts.reduce(known) { $0.setting($1.node, at: path.appending($1.path)) }
        default: known
        }
      }
      #expect(known == harness.server.tree)
    }
  }

  @Test(arguments: WireForm.allCases)
  func `the data of a listen are sent, or not, when the client has them`(form: WireForm) {
    let hash = Node(json: Self.data)["room" as Path].hash
    let data = #"0: put /room {"a":{"x":1,"y":2},"b":{"x":2},"c":{"x":3}}"#
    let count = form == .twice ? 2 : 1

    #expect(Self.begun(.listen("room"), as: form) == Array(repeating: data, count: count))
    #expect(Self.begun(.listen("room", hash: hash), as: form) == (form == .whole ? [data] : []))
    #expect(
      Self.begun(.listen("hall"), as: form)
        == ([.asWritten, .twice].contains(form) ? [] : ["0: put /hall null"]))
  }

  @Test(arguments: [WireForm.asWritten, .whole])
  func `queries are revoked one by one, in every form`(form: WireForm) {
    var harness = Self.harness(.listen("room", Query(limit: .first(1)), tag: 1))
    _ = harness.send(.listen("room", Query(limit: .last(1)), tag: 2))
    _ = harness.send(.listen("room/a"))

    let (first, last) = (#"{"l":1,"vf":"l"}"#, #"{"l":1,"vf":"r"}"#)
    #expect(
      harness.lines(as: form) { $0.server.revoke("room", into: &$1) }
        == [
          "0: revoked /room \(first)", "0: revoked /room \(last)", "0: revoked /room/a",
        ])
  }

  @Test func `a server with a defect, or one that is not asked, has one form`() {
    for defect in [ServerDefect.coarseTime, nil] {
      var harness = Self.harness(.listen("room"))
      harness.server.offersForms = defect != nil
      harness.server.defect = defect
      var out: [ReferenceServer.Outgoing] = []
      harness.server.write(Self.change, at: harness.now, into: &out)
      #expect(out.map(\.hasForms) == [false])
    }
  }

  private static func harness(_ listen: Request) -> Harness {
    var harness = Harness(data)
    harness.server.offersForms = true
    _ = harness.send(listen)
    return harness
  }

  private static func told(
    _ write: ReferenceServer.Write, as form: WireForm, _ listen: Request
  ) -> [String] {
    var harness = harness(listen)
    return harness.lines(as: form) { $0.server.write(write, at: $0.now, into: &$1) }
      .map { String($0.dropFirst(3)) }
  }

  /// What comes before the answer.
  private static func begun(_ listen: Request, as form: WireForm) -> [String] {
    var harness = Harness(data)
    harness.server.offersForms = true
    return harness.lines(as: form) {
      $0.server.receive(.request(1, listen), from: .init(0), at: $0.now, into: &$1)
    }.dropLast()
  }
}
