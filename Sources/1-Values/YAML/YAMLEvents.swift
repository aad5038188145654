import CYAML
internal import Document

/// One piece of a YAML stream, and where it begins.
struct YAMLEvent {
  enum Kind {
    case documentStart
    case alias(String)
    case scalar(Scalar)
    case listStart
    case mappingStart
    case collectionEnd
    case streamEnd
    /// The start of the stream and the end of a document, which is not needed.
    case other
  }

  struct Scalar {
    var text: String
    /// Whether it is written without quotes and not as a block, so that it may be no string.
    var isPlain: Bool
    /// Whether it is written as a block, on lines of its own.
    var isBlock: Bool
  }

  var kind: Kind
  var position: Position
  /// Where the piece ends.
  var end: Position
  /// Whether a collection is written in brackets or braces.
  var isFlow = false
  var anchor: String?
  var tag: String?
}

/// The events of a YAML text, by way of libyaml.
struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeBufferPointer<UInt8>
  private var hasDocument = false

  /// - Precondition: `text` is UTF-8 without a byte order mark, and outlives the events.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    let isReady = yaml_parser_initialize(parser)
    precondition(isReady == 1, "no memory for a YAML parser")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// - Throws: at the first mistake in the syntax.
  mutating func next() throws(DocumentError) -> YAMLEvent {
    while true {
      var raw = yaml_event_t()
      guard yaml_parser_parse(parser, &raw) == 1 else {
        throw YAMLSyntaxError.halt(
          of: parser.pointee, in: text, inDocument: hasDocument)
      }
      defer { yaml_event_delete(&raw) }
      let event = YAMLEvent(raw)
      switch event.kind {
      case .other: continue
      case .documentStart: hasDocument = true
      case .alias, .scalar, .listStart, .mappingStart, .collectionEnd, .streamEnd: break
      }
      return event
    }
  }
}

extension YAMLEvent {
  fileprivate init(_ raw: yaml_event_t) {
    position = Position(raw.start_mark)
    end = Position(raw.end_mark)
    switch raw.type {
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_ALIAS_EVENT: kind = .alias(string(raw.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      kind = .scalar(
        Scalar(
          text: String(decoding: bytes, as: UTF8.self),
          isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
          isBlock: scalar.style == YAML_LITERAL_SCALAR_STYLE
            || scalar.style == YAML_FOLDED_SCALAR_STYLE))
      (anchor, tag) = (string(scalar.anchor), string(scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      kind = .listStart
      isFlow = raw.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
      (anchor, tag) = (string(raw.data.sequence_start.anchor), string(raw.data.sequence_start.tag))
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      isFlow = raw.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
      (anchor, tag) = (string(raw.data.mapping_start.anchor), string(raw.data.mapping_start.tag))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .collectionEnd
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    default: kind = .other
    }
  }
}

extension Position {
  /// libyaml counts lines and columns from 0, and columns in characters.
  init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}

private func string(_ characters: UnsafePointer<yaml_char_t>?) -> String? {
  characters.map { String(cString: $0) }
}
