internal import Document
import HTTP
internal import ReferenceServer
internal import Tree
internal import WireMonitor

// What is stored, a bounded part at a time, however much it is.

extension Dashboard {
  /// How many locations one request may ask about, and how many children of one it is sent.
  private static let maxCount = (locations: 100, children: 500)
  /// How much of a value is reported, in characters.
  private static let maxTextBytes = 500

  /// The children of several locations: `{"namespace": …, "places": [{"path", "after"?, "limit"?,
  /// "mark"?}]}`. A location that still has the mark with which it was sent is not sent again.
  func tree(_ request: HTTPRequest, _ live: FaultyServer) -> HTTPResponse {
    guard let json = try? JSON(parsing: request.body, upTo: 1 << 16),
      let name = json["namespace"]?.string, let locations = json["places"]?.elements,
      locations.count <= Self.maxCount.locations
    else {
      return .error(
        400,
        "expected {\"namespace\": NAME, \"places\": [{\"path\": PATH}]} with at most"
          + " \(Self.maxCount.locations) locations")
    }
    let root = live.server.namespaces[name]?.tree ?? live.server.settings.data
    return HTTPResponse(
      200,
      json: [
        "namespace": .string(name), "places": .array(locations.map { Self.part(of: root, $0) }),
      ])
  }

  private static func part(of root: Node, _ location: JSON) -> JSON {
    let path = Path(location["path"]?.string ?? "")
    let node = root[path]
    let limit = max(0, min(location["limit"]?.integer ?? 100, maxCount.children))
    let after = location["after"]?.string
    if location["mark"]?.string == node.fingerprint.description {
      return ["path": .string(path.description), "isSame": true]
    }
    let entries = node.children.entries(after: after.map { Key($0) }, limit: limit)
    var members: [JSON.Member] = [.init("path", .string(path.description))]
    if let after { members.append(.init("after", .string(after))) }
    members += shown(node)
    if node.isScalar { members.append(.init("mark", .string(node.fingerprint.description))) }
    members.append(
      .init(
        "children",
        .array(entries.map { .object([.init("key", .string($0.key.string))] + shown($0.node)) })))
    return .object(members)
  }

  /// A node without what is below it.
  private static func shown(_ node: Node) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let scalar = node.scalar {
      if let text = scalar.json.string, text.utf8.count > maxTextBytes {
        members.append(.init("value", .string(MessageSummary.shortened(text, to: maxTextBytes))))
        members.append(.init("length", .number(Double(text.utf16.count))))
      } else {
        members.append(.init("value", scalar.json))
      }
    } else {
      members.append(.init("count", .number(Double(node.children.count))))
      members.append(.init("mark", .string(node.fingerprint.description)))
    }
    if let priority = node.priority { members.append(.init("priority", priority.json)) }
    return members
  }
}
