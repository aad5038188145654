package import Tree
package import Wire

/// What a stream of events shows, and how.
package struct EventForm: Hashable, Sendable {
  /// Where the stream was asked for: paths in events are relative to it.
  package let path: Path
  /// Whether priorities are shown.
  let isExport: Bool

  package init(at path: Path, for request: HTTPRequest) {
    self.path = path
    isExport = request.parameters.isExport
  }
}

/// The text of an event that reports data. The last one is kept: often the next stream is sent the
/// same.
package struct EventText: Sendable {
  private let message: ServerMessage
  private let form: EventForm
  /// `nil` where there is nothing to be shown, such as a priority on a stream without them.
  package let text: String?

  /// Puts a message into words.
  ///
  /// - Complexity: O(*n*) in the size of its data.
  package init(of message: ServerMessage, as form: EventForm) {
    (self.message, self.form) = (message, form)
    text =
      switch message {
      case let .put(path, node, _): form.data(path, node).map { Self.text("put", $0) }
      case let .merge(path, assignments, _):
        form.data(path, assignments).map { Self.text("patch", $0) }
      case .hello, .response, .revoked, .credentialRevoked, .shutdown, .reset, .pong, .notice,
        .other:
        nil
      }
  }

  /// Whether it is the text of `message`.
  package func isText(of message: ServerMessage, as form: EventForm) -> Bool {
    form == self.form && message.isSame(as: self.message)
  }

  /// The text of an event of this name.
  package static func text(_ event: String, _ data: JSON) -> String {
    "event: \(event)\ndata: \(data.text)\n\n"
  }
}

extension EventForm {
  fileprivate func data(_ path: Path, _ node: Node) -> JSON? {
    if path.key == .priority, !isExport { return nil }
    return json(path, node.json(isExport: isExport))
  }

  fileprivate func data(_ path: Path, _ assignments: [Assignment]) -> JSON? {
    let shown = assignments.filter { isExport || $0.path.key != .priority }
    if shown.isEmpty { return nil }
    return json(
      path,
      .object(shown.map { .init($0.path.relativeText, $0.node.json(isExport: isExport)) }))
  }

  private func json(_ path: Path, _ data: JSON) -> JSON {
    ["path": .string((path.relative(to: self.path) ?? .root).description), "data": data]
  }
}

extension Node {
  /// The data as REST writes them, with priorities or without.
  package func json(isExport: Bool) -> JSON { isExport ? json : plainJSON(.belowTwiceTheCount) }

  /// The same without priorities.
  package var plain: Node { Node(json: json(isExport: false)) }
}
