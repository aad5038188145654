import Document
import Tree
import YAML

func yaml(_ text: String) -> ReadDocument { DocumentReader.readYAML(Array(text.utf8)) }

func json(_ text: String) -> ReadDocument { DocumentReader.readJSON(Array(text.utf8)) }

extension ReadDocument {
  var texts: [String] { problems.map(\.description) }
}

extension DocumentNode {
  var outline: String {
    switch content {
    case .null, .bool, .number, .string: "\(position) \(json.text)"
    case let .list(nodes): "\(position) [" + nodes.map(\.outline).joined(separator: ", ") + "]"
    case let .mapping(entries):
      "\(position) {"
        + entries.map { "\($0.keyPosition) \($0.key): \($0.value.outline)" }
        .joined(separator: ", ") + "}"
    }
  }
}
