import Document
import Faults

extension Reading {
  static let serverWrites = ["set", "update", "remove"]

  mutating func serverWrite(_ verb: String, _ entry: DocumentNode.Entry) -> ServerWrite? {
    if verb == "remove" {
      let fields = withPath(entry, keys: ["path", Self.triggerKey], required: ["path"])
      return fields?["path"].flatMap { storedPath($0) }.map { .remove($0) }
    }
    let keys = ["path", "value"] + (verb == "set" ? ["priority"] : []) + [Self.triggerKey]
    guard
      let fields = fields(of: entry.value, entry.key, keys: keys, required: ["path", "value"]),
      let path = fields["path"].flatMap({ storedPath($0) }), let value = fields["value"]
    else { return nil }
    if verb == "update" { return assignments(value, at: path, .stored).map { .update(path, $0) } }
    return written(fields, at: path, .stored).map { .set(path, $0) }
  }

  /// The name of a host, such as `two.kennel.test`.
  mutating func host(_ node: DocumentNode) -> String? {
    guard let host = string(node, "host") else { return nil }
    let isHost = host.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
        || ["-", ".", ":"].contains($0)
    }
    if host.isEmpty || !isHost {
      report(node.position, "\(quoted(host)) is no host; expected one such as two.kennel.test")
      return nil
    }
    return host
  }

  /// The client that the server addresses; without one it is all of them.
  mutating func addressees(
    _ entry: DocumentNode.Entry, keys: [String], required: [String] = []
  ) -> (client: String?, fields: Fields)? {
    if entry.value.isNull, required.isEmpty { return (nil, Fields(position: entry.keyPosition)) }
    if case .mapping = entry.value.content, entry.value["client"] == nil {
      let fields = fields(
        of: entry.value, entry.key, keys: ["client"] + keys + [Self.triggerKey],
        required: required)
      return fields.map { (nil, $0) }
    }
    if !required.isEmpty, entry.value.kind != "a mapping" {
      let needed = required.map { "\($0): ..." }.joined(separator: ", ")
      mismatch(entry.key, entry.value, expected: "a mapping such as {\(needed)}")
      return nil
    }
    return affectedClient(entry, keys: keys, required: required).map { ($0.client, $0.fields) }
  }
}
