package import ClientInterface
package import Tree

/// What an event handed over: one node as it was at that moment (SNP-1).
package struct Snapshot: Sendable {
  /// The location of the node.
  package let path: Path
  /// What it shows.
  package let node: Node
  private let ordering: Query.Ordering

  /// The snapshot of an event of a listener at `location`.
  package init(_ event: Event, at location: Path) {
    let key = event.type == .value ? nil : event.key
    path = key.map { location.appending($0) } ?? location
    node = event.value
    if event.type == .value, case let .sorted(order) = event.order {
      ordering = order
    } else {
      ordering = .priority
    }
  }

  /// A node of which no query determines the order.
  package init(_ node: Node, at path: Path) {
    (self.node, self.path, ordering) = (node, path, .priority)
  }

  /// The keys of the children in their order (SNP-16).
  package var keys: [Key] { ordering.keys(of: node.children) }

  /// The snapshot of a location below, of the same moment. Its children have the default order
  /// (SNP-22).
  package func child(at part: Path) -> Snapshot {
    part.isRoot ? self : Snapshot(node[part], at: path.appending(part))
  }

  /// What it answers without the server.
  package func answer(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    switch question {
    case "key": path.key.json  // SNP-17
    case "ref": .string(path.description)  // SNP-18
    case "exists": .bool(!node.isEmpty)  // SNP-12
    default: try content(question, argument, arrays)
    }
  }

  /// What it answers to a question that mutable data can be asked as well.
  package func content(
    _ question: String, _ argument: JSON, _ arrays: ArrayReading
  ) throws(Refusal) -> JSON {
    switch question {
    case "value": return node.plainJSON(arrays)  // SNP-11, MUT-3
    case "export": return node.json  // SNP-8
    case "priority": return node.priority?.json ?? .null  // SNP-19
    case "hasChild": return .bool(!node[try argument.namedPath].isEmpty)  // SNP-13, MUT-8
    case "hasChildren": return .bool(!node.children.isEmpty)  // SNP-15, MUT-7
    case "childrenCount": return .number(Double(node.children.count))  // SNP-4
    case "children":  // SNP-16: of each its key, or its answer to the question that is named
      let isKey = argument == .null || argument == "key"
      return .array(
        try keys.map { key throws(Refusal) -> JSON in
          if isKey { return .string(key.string) }
          return try child(at: Path([key])).content(argument.string ?? "", .null, arrays)
        })
    default: throw .unknownQuestion
    }
  }
}

// MARK: - Mutable data

extension Node {
  /// What mutable data hold after changes: a copy of a node that a transaction's function reads and
  /// changes (MUT-1). A part shows what was changed in the whole (MUT-9).
  package func changed(by changes: [JSON]) throws(Refusal) -> Node {
    var node = try checked
    for change in changes {
      let part = try (change["child"] ?? "").namedPath
      if let value = change["value"] {
        // MUT-4, MUT-5: the new value has the priority that it names itself, or none.
        node = node.setting(try Node(json: value).checked, at: part)
      } else {
        // MUT-6: nothing else changes.
        let priority = Scalar(change["priority"] ?? .null)
        _ = try Node(true, priority: priority).checked
        node = node.setting(node[part].settingPriority(priority), at: part)
      }
    }
    return node
  }

  /// The same, if the database can store it.
  private var checked: Node {
    get throws(Refusal) {
      if NodeProblem.first(in: self, at: .root) != nil { throw .invalidValue }
      return self
    }
  }
}

extension Key? {
  /// The key as an answer has it; null for the root, which has none.
  package var json: JSON { map { .string($0.string) } ?? .null }
}

extension JSON {
  /// The relative path that a question names; refused where no place can have it.
  var namedPath: Path {
    get throws(Refusal) {
      guard let text = string else { throw .invalidPath }
      let path = Path(text)
      if path.problem != nil { throw .invalidPath }
      return path
    }
  }
}
