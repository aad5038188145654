import Document
import ReferenceServer
import Testing
import Tree

/// Rules with data, and a user who asks.
struct Harness {
  let rules: SecurityRules
  var tree: Node
  var auth = JSON.null
  var time = 1_480_000_000_000.0

  init(_ rules: String, _ data: JSON = .null, auth: JSON = .null) throws {
    self.rules = try #require(SecurityRules.read(Array("{\"rules\": \(rules)}".utf8)).rules)
    tree = Node(json: data)
    self.auth = auth
  }

  init(user: String?, _ rules: String, _ data: JSON = .null) throws {
    try self.init(rules, data, auth: user.map { ["uid": .string($0), "token": [:]] } ?? .null)
  }

  private var request: RuleRequest { RuleRequest(auth: auth, time: time) }

  func reads(_ path: Path, _ query: Query? = nil) -> Bool {
    rules.allowRead(of: path, query, in: tree, for: request)
  }

  func writes(_ path: Path, _ json: JSON) -> Bool {
    let after = tree.setting(Node(json: json), at: path)
    return rules.allowWrite(to: [path], from: tree, to: after, for: request)
  }

  func writes(_ changes: [(Path, JSON)]) -> Bool {
    let after = changes.reduce(tree) { $0.setting(Node(json: $1.1), at: $1.0) }
    return rules.allowWrite(to: changes.map(\.0), from: tree, to: after, for: request)
  }

  /// Whether an expression holds for a write at `/room`.
  static func holds(
    _ expression: String, _ data: JSON = .null, writing new: JSON = 1, auth: JSON = .null
  ) throws -> Bool {
    let text = JSON.object([.init(".write", .string(expression))]).text
    return try Harness("{\"room\": \(text)}", data, auth: auth).writes("room", new)
  }

  /// `LINE:COLUMN: MESSAGE` of every mistake.
  static func mistakes(_ text: String) -> [String] {
    SecurityRules.read(Array(text.utf8)).problems.map(\.description)
  }
}
