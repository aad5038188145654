/// Builds the tree of a YAML text from its events, with every location.
struct LayoutParser: ~Copyable {
  private var events: YAMLEvents
  private(set) var source: LayoutSource
  private var scalars: [(start: Position, end: Position)] = []

  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    events = YAMLEvents(buffer)
    source = LayoutSource(String(decoding: buffer, as: UTF8.self))
  }

  /// - Throws: at the first mistake in the syntax.
  mutating func document() throws(DocumentError) -> LayoutNode {
    _ = try events.next()
    let root = try node(try events.next())
    source.findComments(outside: scalars)
    return root
  }

  private mutating func node(_ event: YAMLEvent) throws(DocumentError) -> LayoutNode {
    switch event.kind {
    case .listStart:
      var nodes: [LayoutNode] = []
      var last = try events.next()
      while !last.isEnd {
        nodes.append(try node(last))
        last = try events.next()
      }
      return collection(.list(nodes), event, end: last.end)
    case .mappingStart:
      var entries: [LayoutNode.Entry] = []
      var last = try events.next()
      while !last.isEnd {
        let key = try node(last)
        entries.append(.init(key: key, value: try node(try events.next())))
        last = try events.next()
      }
      return collection(.mapping(entries), event, end: last.end)
    case let .scalar(scalar):
      return self.scalar(event, isBlock: scalar.isBlock)
    case .alias: return scalar(event, isBlock: false)
    case .documentStart, .collectionEnd, .streamEnd, .other:
      throw DocumentError(at: event.position, "a value was expected here")
    }
  }

  private func collection(
    _ content: LayoutNode.Content, _ event: YAMLEvent, end: Position
  ) -> LayoutNode {
    LayoutNode(
      content: content, isFlow: event.isFlow, anchor: event.anchor.map { "&" + $0 },
      start: event.position, end: end)
  }

  private mutating func scalar(_ event: YAMLEvent, isBlock: Bool) -> LayoutNode {
    if event.position < event.end { scalars.append((event.position, event.end)) }
    return LayoutNode(
      content: .scalar(source.lines(from: event.position, to: event.end), isBlock: isBlock),
      start: event.position, end: event.end)
  }
}

extension YAMLEvent {
  fileprivate var isEnd: Bool {
    switch kind {
    case .collectionEnd, .streamEnd: true
    default: false
    }
  }
}
