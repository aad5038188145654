package import ClientInterface
internal import Document
package import RunModel
package import Tree
internal import Wire

/// Asks a server by REST about data that are known by its other means, and judges the answers.
///
/// Nothing is asked that only some servers of the family are documented to answer.
package struct RESTExamination {
  private let profile: Profile
  /// Whether the database has rules, which may want an index for a query (SEC-6).
  private let hasRules: Bool
  private let answer: (HTTPRequest) -> HTTPResponse

  /// What is wrong, which ends an examination.
  private struct Objection: Error {
    let finding: WireFinding
  }

  /// - Parameters:
  ///   - profile: Decides what queries mean.
  ///   - hasRules: Whether the database has rules.
  ///   - answer: Has a request answered; the data that are examined are the root.
  package init(
    in profile: Profile, hasRules: Bool, answer: @escaping (HTTPRequest) -> HTTPResponse
  ) {
    (self.profile, self.hasRules, self.answer) = (profile, hasRules, answer)
  }

  /// What is wrong with what is read of data that are there, all of them and what clients listen to.
  package func reading(
    _ tree: Node, _ listens: [(path: Path, query: Query)]
  ) -> WireFinding? {
    finding { () throws(Objection) in
      try read(tree, .root, .restRead)
      for (path, query) in listens { try read(query, of: tree[path], at: path) }
    }
  }

  /// What is wrong with what else a server does, by the rules that are named. A server that is right has the same data
  /// afterwards, but for a value that was everything.
  package func doing(_ rules: Set<String>, with tree: Node) -> WireFinding? {
    var tree = tree
    return finding { () throws(Objection) in
      if rules.contains(WireCheck.restShallow.rule) { try readShallowly(tree) }
      if rules.contains(WireCheck.restRefusal.rule) { try refuse(tree) }
      if rules.contains(WireCheck.restPush.rule) { try push(&tree) }
      if rules.contains(WireCheck.restWrite.rule) { try write(&tree) }
      if rules.contains(WireCheck.restCondition.rule) { try writeOnCondition(&tree) }
    }
  }

  private func finding(_ examine: () throws(Objection) -> Void) -> WireFinding? {
    do throws(Objection) {
      try examine()
      return nil
    } catch {
      return error.finding
    }
  }
}

// What is asked.

extension RESTExamination {
  private func read(_ query: Query, of node: Node, at path: Path) throws(Objection) {
    let isIndexed = query.ordering == .key || query.ordering == .priority || !hasRules
    guard query.filters, isIndexed, !node.children.isEmpty,
      let window = query.settledWindow(of: node, in: profile), let arguments = query.arguments
    else { return }
    try expect(window, .restQuery, "GET", path, arguments + [Self.withPriorities])
  }

  private func read(_ node: Node, _ path: Path, _ check: WireCheck) throws(Objection) {
    try expect(node, check, "GET", path, [Self.withPriorities])
  }

  private func readShallowly(_ tree: Node) throws(Objection) {
    let keys = JSON.object(tree.children.map { JSON.Member($0.key.string, true) })
    let shown = tree.children.isEmpty ? tree.plain : Node(json: keys)
    try expect(shown, .restShallow, "GET", .root, [.init("shallow", "true")])
  }

  private func refuse(_ tree: Node) throws(Objection) {
    for body in ["{", "", "{} 2", "undefined"] {
      try expect(nil, .restRefusal, "PUT", .root, body: body, status: 400)
    }
    try read(tree, .root, .restRefusal)
  }

  private func write(_ tree: inout Node) throws(Objection) {
    let (check, silent) = (WireCheck.restWrite, HTTPRequest.Argument("print", "silent"))
    let key = try makeChild(of: &tree, check)
    let path = Path([key])
    try expect(Node("b"), check, "PUT", path, body: "\"b\"")
    try expect(nil, check, "PUT", path, [silent], body: "{\"c\": 1}", status: 204)
    try expect(Node(json: ["d": 2]), check, "PATCH", path, body: "{\"d\": 2}")
    try read(Node(json: ["c": 1, "d": 2]), path, check)
    try remove(key, of: &tree, check)
  }

  private func push(_ tree: inout Node) throws(Objection) {
    let first = try makeChild(of: &tree, .restPush)
    let second = try makeChild(of: &tree, .restPush)
    try read(tree, .root, .restPush)
    try remove(second, of: &tree, .restPush)
    try remove(first, of: &tree, .restPush)
  }

  private func writeOnCondition(_ tree: inout Node) throws(Objection) {
    let check = WireCheck.restCondition
    let tag = try tag(of: .root)
    let key = try makeChild(of: &tree, check)
    for (method, body) in [("PUT", "2"), ("DELETE", "")] {
      let answer = try expect(
        tree.plain, check, method, .root, [], ["if-match": tag], body: body, status: 412)
      if answer.header("etag") ?? tag == tag {
        throw objection(
          check, "\(method) / on a condition that fails is answered without the ETag of the data")
      }
    }
    let path = Path([key])
    try expect(Node(3), check, "PUT", path, [], ["if-match": try self.tag(of: path)], body: "3")
    try read(tree.setting(Node(3), at: key), .root, check)
    try expect(.empty, check, "DELETE", path, [], ["if-match": try self.tag(of: path)])
    tree = tree.setting(.empty, at: key)
    try read(tree, .root, check)
  }

  private func tag(of path: Path) throws(Objection) -> String {
    let check = WireCheck.restCondition
    let answer = try expect(nil, check, "GET", path, [], ["x-firebase-etag": "true"])
    guard let tag = answer.header("etag") else {
      throw objection(check, "GET \(path) with X-Firebase-ETag is answered without an ETag")
    }
    return tag
  }

  /// Makes a child by a POST.
  private func makeChild(of tree: inout Node, _ check: WireCheck) throws(Objection) -> Key {
    let answer = try expect(nil, check, "POST", .root, body: "1")
    guard let name = answer.json?["name"]?.string, Key(name).problem == nil,
      tree.children[Key(name)].isEmpty
    else {
      throw objection(
        check,
        "POST / is answered \(answer.words); expected the name of a new child as {\"name\": NAME}")
    }
    let key = Key(name)
    try read(Node(1), Path([key]), check)
    tree = tree.setting(Node(1), at: key)
    return key
  }

  private func remove(
    _ key: Key, of tree: inout Node, _ check: WireCheck
  ) throws(Objection) {
    try expect(.empty, check, "DELETE", Path([key]))
    tree = tree.setting(.empty, at: key)
    try read(tree, .root, check)
  }

  private static let withPriorities = HTTPRequest.Argument("format", "export")

  /// Asks, and compares the answer with this status and these data; nil where none are documented.
  @discardableResult
  private func expect(
    _ node: Node?, _ check: WireCheck, _ method: String, _ path: Path,
    _ arguments: [HTTPRequest.Argument] = [], _ headers: [String: String] = [:], body: String = "",
    status: Int = 200
  ) throws(Objection) -> HTTPResponse {
    let request = HTTPRequest(
      method, "\(path).json", arguments, headers: headers, body: Array(body.utf8))
    let answer = answer(request)
    let shown = answer.json.map { Node(json: $0) }
    if answer.status == status, node == nil || shown == node { return answer }
    let target = arguments.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let expected = node.map { " \(MessageSummary.shortened("\($0)"))" } ?? ""
    throw objection(
      check,
      "\(method) \(path)\(target.isEmpty ? "" : "?" + target)\(body.isEmpty ? "" : " of " + body) is answered "
        + "\(answer.words), expected \(status)\(expected)")
  }

  private func objection(_ check: WireCheck, _ text: String) -> Objection {
    Objection(finding: WireFinding(check, by: .server, "the server is asked by REST: " + text))
  }
}

extension HTTPResponse {
  /// What its body says; nil where that is no JSON.
  package var json: JSON? { try? JSON(parsing: body, upTo: body.count) }

  /// Its status and the beginning of its body.
  package var words: String {
    let text = String(decoding: body, as: UTF8.self).split(separator: "\n").joined(separator: " ")
    return "\(status)" + (text.isEmpty ? "" : " " + MessageSummary.shortened(text))
  }
}

extension Node {
  /// The same without priorities.
  fileprivate var plain: Node { Node(json: json(isExport: false)) }
}
