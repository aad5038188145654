import ClientInterface
import Document
import LiveServer
import RunModel
import Tree
import Wire

/// Asks a server by REST about data that are known by its other means, and judges the answers.
///
/// Nothing is asked that only some servers of the family are documented to answer.
struct RESTExamination {
  /// The answer of a server, or why there is none.
  typealias Answer = Result<HTTPResponse, Refused>

  private let profile: Profile
  private let answer: (HTTPRequest) -> Answer

  /// What is wrong, which ends an examination.
  private struct Objection: Error {
    let finding: WireFinding
  }

  /// - Parameters:
  ///   - profile: Decides what queries mean.
  ///   - answer: Has a request answered; the data that are examined are the root.
  init(in profile: Profile, answer: @escaping (HTTPRequest) -> Answer) {
    (self.profile, self.answer) = (profile, answer)
  }

  /// What is wrong with what is read of data that are there, all of them and what clients listen to.
  func reading(
    _ tree: Node, _ listens: [(path: Path, query: Query)]
  ) -> WireFinding? {
    finding { () throws(Objection) in
      try read(tree, .root, .restRead)
      for (path, query) in listens { try read(query, of: tree[path], at: path) }
    }
  }

  /// What is wrong with what else a server does, by the rules that are named. A server that is right has the same data
  /// afterwards, but for a value that was everything.
  func doing(_ rules: Set<String>, with tree: Node) -> WireFinding? {
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
    guard query.filters, !node.children.isEmpty,
      let window = query.settledWindow(of: node, in: profile), let arguments = query.arguments
    else { return }
    // The database may want an index for the order (SEC-6).
    let needsIndex = query.ordering != .key && query.ordering != .priority
    try expect(
      window, .restQuery, "GET", path, arguments + [Self.withPriorities],
      orStatus: needsIndex ? 400 : nil)
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
    let key = try makeChild(of: &tree)
    let path = Path([key])
    try expect(Node("b"), check, "PUT", path, body: "\"b\"")
    try expect(nil, check, "PUT", path, [silent], body: "{\"c\": 1}", status: 204)
    try expect(Node(json: ["d": 2]), check, "PATCH", path, body: "{\"d\": 2}")
    try read(Node(json: ["c": 1, "d": 2]), path, check)
    try remove(key, of: &tree)
  }

  private func push(_ tree: inout Node) throws(Objection) {
    let first = try makeChild(of: &tree)
    let second = try makeChild(of: &tree)
    try read(tree, .root, .restPush)
    try remove(second, of: &tree)
    try remove(first, of: &tree)
  }

  private func writeOnCondition(_ tree: inout Node) throws(Objection) {
    let check = WireCheck.restCondition
    let old = try tag(of: .root)
    let key = try makeChild(of: &tree)
    let path = Path([key])
    for (method, body) in [("PUT", "2"), ("DELETE", "")] {
      let answer = try expect(
        tree.plain, check, method, .root, headers: Self.tagged(old), body: body, status: 412)
      guard let new = answer.header("etag"), new != old else {
        throw objection(
          check,
          "\(method) /.json on a condition that fails is answered with "
            + (answer.header("etag").map { "the ETag \($0), which other data had" } ?? "no ETag"))
      }
    }
    try expect(Node(3), check, "PUT", path, headers: Self.tagged(try tag(of: path)), body: "3")
    try read(tree.setting(Node(3), at: key), .root, check)
    try expect(.empty, check, "DELETE", path, headers: Self.tagged(try tag(of: path)))
    try expect(
      Node(4), check, "PUT", path, headers: Self.tagged(RESTAnswer.tagOfNothing), body: "4")
    try expect(
      Node(4), check, "PUT", path, headers: Self.tagged(RESTAnswer.tagOfNothing), body: "5",
      status: 412)
    try remove(key, of: &tree)
  }

  private func tag(of path: Path) throws(Objection) -> String {
    let check = WireCheck.restCondition
    let answer = try expect(nil, check, "GET", path, headers: ["x-firebase-etag": "true"])
    guard let tag = answer.header("etag") else {
      throw objection(check, "GET \(path).json with x-firebase-etag: true is answered with no ETag")
    }
    return tag
  }

  private static func tagged(_ tag: String) -> [String: String] {
    ["if-match": tag, "x-firebase-etag": "true"]
  }

  /// Makes a child by a POST.
  private func makeChild(of tree: inout Node) throws(Objection) -> Key {
    let answer = try expect(nil, .restPush, "POST", .root, body: "1")
    guard let name = answer.json?["name"]?.string, Key(name).problem == nil,
      tree.children[Key(name)].isEmpty
    else {
      throw objection(
        .restPush,
        "POST /.json of 1 is answered \(answer.words), expected the name of a new child as {\"name\": NAME}"
      )
    }
    let key = Key(name)
    try read(Node(1), Path([key]), .restPush)
    tree = tree.setting(Node(1), at: key)
    return key
  }

  private func remove(_ key: Key, of tree: inout Node) throws(Objection) {
    try expect(.empty, .restWrite, "DELETE", Path([key]))
    tree = tree.setting(.empty, at: key)
    try read(tree, .root, .restWrite)
  }

  private static let withPriorities = HTTPRequest.Argument("format", "export")

  /// Asks, and compares the answer with this status and these data; nil where none are documented. `orStatus` is
  /// another one that a right server may answer with, whatever the data.
  @discardableResult
  private func expect(
    _ node: Node?, _ check: WireCheck, _ method: String, _ path: Path,
    _ arguments: [HTTPRequest.Argument] = [], headers: [String: String] = [:], body: String = "",
    status: Int = 200, orStatus other: Int? = nil
  ) throws(Objection) -> HTTPResponse {
    let type = body.isEmpty ? [:] : ["content-type": "application/json"]
    let request = HTTPRequest(
      method, "\(path).json", arguments, headers: headers.merging(type) { old, _ in old },
      body: Array(body.utf8))
    let found: String
    switch answer(request) {
    case let .failure(reason): found = "is not answered: \(reason.response.reason)"
    case let .success(answer):
      let shown = answer.json.map { Node(json: $0) }
      if answer.status == other { return answer }
      if answer.status == status, node == nil || shown == node { return answer }
      found = "is answered \(answer.words)"
    }
    let expected = node.map { " \(HTTPResponse.shortened("\($0)"))" } ?? ""
    throw objection(
      check, "\(Self.words(of: request, headers)) \(found), expected \(status)\(expected)")
  }

  /// `PUT /a.json?print=silent of 1 with if-match: x`.
  private static func words(of request: HTTPRequest, _ headers: [String: String]) -> String {
    let arguments = request.arguments.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let body = String(decoding: request.body, as: UTF8.self)
    let lacksBody = body.isEmpty && request.method == "PUT"
    let conditions = headers.sorted { $0.key < $1.key }.map { " with \($0.key): \($0.value)" }
    return "\(request.method) \(request.path)" + (arguments.isEmpty ? "" : "?" + arguments)
      + (body.isEmpty ? "" : " of " + body) + (lacksBody ? " without a body" : "")
      + conditions.joined()
  }

  private func objection(_ check: WireCheck, _ text: String) -> Objection {
    Objection(finding: WireFinding(check, by: .server, "the server is asked by REST: " + text))
  }
}

extension HTTPResponse {
  /// Its status and the beginning of its body.
  var words: String {
    let text = String(decoding: body, as: UTF8.self).split(separator: "\n").joined(separator: " ")
    return "\(status)" + (text.isEmpty ? "" : " " + Self.shortened(text))
  }

  fileprivate static func shortened(_ text: String) -> String {
    Truncation.end(of: text, toScalars: MessageSummary.maxShown, mark: "...")
  }
}
