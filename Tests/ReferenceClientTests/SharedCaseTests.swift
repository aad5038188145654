import ClientInterface
import Document
import ReferenceClient
import TestKit
import Testing
import Tree
import Wire

@Suite struct SharedCaseTests {
  private static let shared = "../shared/peers/syncpoint"

  private static let lateAnswers = #"""
    [
      {"type": "listen", "path": "shelf/jam", "events": []},
      {"type": "serverUpdate", "path": "shelf/jam", "data": 2, "events": [
        {"path": "shelf/jam", "type": "value", "data": 2}]},
      {"type": "set", "path": "shelf", "data": {"jam": 28, "tea": 3}, "events": [
        {"path": "shelf/jam", "type": "value", "data": 28}]},
      {"type": "listen", "path": "shelf", "events": [
        {"path": "shelf", "type": "child_added", "name": "jam", "prevName": null, "data": 28},
        {"path": "shelf", "type": "child_added", "name": "tea", "prevName": "jam", "data": 3},
        {"path": "shelf", "type": "value", "data": {"jam": 28, "tea": 3}}]},
      {"type": "serverUpdate", "path": "shelf/jam", "data": 29, "events": []},
      {"type": "ackUserWrite", "writeId": 0, "events": [
        {"path": "shelf/jam", "type": "value", "data": 29},
        {"path": "shelf", "type": "child_changed", "name": "jam", "prevName": null, "data": 29},
        {"path": "shelf", "type": "value", "data": {"jam": 29, "tea": 3}}]}
    ]
    """#

  @Test(arguments: ["", "foo/bar/baz"])
  func `what the server sent before it accepted a write is what came of it`(base: Path) throws {
    var run = CaseRun(below: base)

    #expect(try run.differences(of: JSON(parsing: Self.lateAnswers)) == [])
  }

  @Test func `an event that is missing or different is noticed`() throws {
    let wrong = Self.lateAnswers.replacing("\"data\": 29}", with: "\"data\": 28}")
    var run = CaseRun(below: .root)

    #expect(try run.differences(of: JSON(parsing: wrong)).count == 1)
  }

  /// Also what no scenario can express, since the server of the protocol never does it.
  @Test(.enabled(if: SourceTree.exists(shared)), arguments: ["", "foo/bar/baz"])
  func `the reference client passes all shared cases that are there`(base: Path) throws {
    for file in try SourceTree.files(below: Self.shared, ending: ["json"]) {
      for subject in try JSON(parsing: SourceTree.text(of: file)).elements ?? [] {
        var run = CaseRun(below: base)
        let differences = try run.differences(of: subject["steps"] ?? .null)

        #expect(differences == [], "\(subject["name"]?.string ?? file)")
      }
    }
  }
}

/// A case in the form that the Firebase clients share, made with the reference client input by input.
private struct CaseRun {
  private var driver = CaseDriver.connected(.firebase)
  private let base: Path
  /// How many requests were sent; the first were statistics.
  private var requests = 1
  /// The requests of the writes, in order.
  private var writes: [Int] = []
  /// Registrations that can be removed, with what the file calls them.
  private var removable: [(location: String, callback: Int?, listener: ListenerID)] = []
  private var listeners = 0

  init(below base: Path) { self.base = base }

  /// The steps that raise something else than they list, with what they raise.
  mutating func differences(of steps: JSON) throws -> [String] {
    var differences: [String] = []
    for (index, step) in (steps.elements ?? []).enumerated() {
      let lines = try perform(step)
      requests += lines.count { $0.hasPrefix("send ") }
      if ["set", "update"].contains(step["type"]?.string) { writes.append(requests) }
      let raised = lines.filter { $0.hasPrefix("#") }.map { $0.drop { $0 != "@" } }.sorted()
      let expected = (step["events"]?.elements ?? []).map(Self.line).sorted()
      if raised.map(String.init) != expected {
        differences.append("step \(index): \(raised), expected \(expected)")
      }
    }
    return differences
  }

  private mutating func perform(_ step: JSON) throws -> [String] {
    let location = step["path"]?.string ?? ""
    let path = base.appending(Path(location))
    let data = step["data"] ?? .null
    switch step["type"]?.string {
    case "listen":
      listeners += 1
      let listener = ListenerID("#\(listeners)@\(location)")
      removable.append((location, step["callbackId"]?.integer, listener))
      return driver.listen(listener, path, try Query(json: Self.query(step["params"] ?? .null)))
    case "unlisten":
      let callback = step["callbackId"]?.integer
      return removable.filter { $0.location == location && $0.callback == callback }
        .flatMap { driver.call("u", .unlisten($0.listener)) }
    case "serverUpdate": return driver.put(path, data, tag: step["tag"]?.integer)
    case "serverMerge": return driver.merge(path, data, tag: step["tag"]?.integer)
    case "set": return set(data, at: path, isVisible: step["visible"]?.bool ?? true)
    case "update": return driver.call("w", .update(path, [Assignment](json: data) ?? []))
    case "ackUserWrite":
      let isRefused = step["revert"]?.bool ?? false
      let write = try #require(step["writeId"]?.integer)
      return driver.answer(writes[write], isRefused ? "permission_denied" : "ok")
    default: return []
    }
  }

  private mutating func set(_ data: JSON, at path: Path, isVisible: Bool) -> [String] {
    if !isVisible { return driver.call("w", .transaction(path, .set(data), localEvents: .hidden)) }
    if path.key == .priority, let parent = path.parent {
      return driver.call("w", .setPriority(parent, data))
    }
    return driver.set("w", path, data)
  }

  /// The parameters of a query as the wire has them.
  private static func query(_ params: JSON) -> JSON {
    var members: [JSON.Member] = []
    let order = params["orderByKey"] == nil ? params["orderBy"] : .string(".key")
    if let order { members.append(.init("i", order)) }
    for (name, side) in [("limitToFirst", "l"), ("limitToLast", "r")] {
      if let limit = params[name] { members += [.init("l", limit), .init("vf", .string(side))] }
    }
    for (name, end, isInclusive) in [
      ("startAt", "s", true), ("startAfter", "s", false), ("endAt", "e", true),
      ("endBefore", "e", false), ("equalTo", "s", true), ("equalTo", "e", true),
    ] {
      guard let bound = params[name] else { continue }
      members += [
        .init(end + "p", bound["index"] ?? .null), .init(end + "in", .bool(isInclusive)),
      ]
      if let key = bound["name"] { members.append(.init(end + "n", key)) }
    }
    return .object(members)
  }

  /// An event that a step lists, as the driver has it without the number of the listener.
  private static func line(_ event: JSON) -> String {
    let type = event["type"]?.string ?? ""
    let name = type == "value" ? "" : " " + (event["name"]?.string ?? "")
    let previous =
      ["child_added", "child_moved", "child_changed"].contains(type)
      ? event["prevName"]?.string.map { " after " + $0 } ?? " first" : ""
    let value = Node(json: event["data"] ?? .null)
    return "@\(event["path"]?.string ?? "") \(type)\(name) \(value)\(previous)"
  }
}
