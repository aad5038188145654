internal import Document
import Tree

/// Builds the one value of a YAML text from its events, and notes every mistake on the way.
struct YAMLComposer: ~Copyable {
  private(set) var problems: [DocumentError] = []
  private var events: YAMLEvents
  private var anchors: [String: Anchor] = [:]
  private var aliasedNodes = 0

  /// What an anchor stands for.
  private enum Anchor {
    /// The anchored value is still being read, so that an alias to it would contain itself.
    case unfinished
    case value(Composed)
  }

  /// A value with its size, in which aliases count as often as they are used.
  private struct Composed {
    var node: DocumentNode
    var nodes = 1
    /// How many lists and mappings are nested in it, itself included.
    var height = 0

    mutating func include(_ part: Composed) {
      nodes += part.nodes
      height = max(height, part.height + 1)
    }
  }

  init(_ text: UnsafeBufferPointer<UInt8>) {
    events = YAMLEvents(text)
  }

  mutating func document() throws(DocumentError) -> DocumentNode {
    let first = try events.next()
    guard case .documentStart = first.kind else {
      throw DocumentError(at: .start, YAMLValueError.empty.message)
    }
    let root = try value(try events.next(), depth: 0).node
    let behind = try events.next()
    if case .documentStart = behind.kind { report(.secondDocument, at: behind.position) }
    return root
  }

  private mutating func value(_ event: YAMLEvent, depth: Int) throws(DocumentError) -> Composed {
    if case let .alias(name) = event.kind {
      return try alias(name, at: event.position, depth: depth)
    }
    if let anchor = event.anchor { anchors[anchor] = .unfinished }
    let value = try anchorless(event, depth: depth)
    if let anchor = event.anchor { anchors[anchor] = .value(value) }
    return value
  }

  private mutating func anchorless(_ event: YAMLEvent, depth: Int) throws(DocumentError) -> Composed
  {
    checkTag(of: event)
    switch event.kind {
    case let .scalar(scalar):
      return Composed(node: DocumentNode(content(of: scalar, event), at: event.position))
    case .listStart: return try list(at: event.position, depth: depth + 1)
    case .mappingStart: return try mapping(at: event.position, depth: depth + 1)
    case .alias, .documentStart, .collectionEnd, .streamEnd, .other:
      preconditionFailure("libyaml opened a value with \(event)")
    }
  }

  private mutating func content(
    of scalar: YAMLEvent.Scalar, _ event: YAMLEvent
  ) -> DocumentNode.Content {
    guard scalar.isPlain, event.tag == nil else { return .string(scalar.text) }
    let content = PlainScalar.content(of: scalar.text)
    if let content { return content }
    let mistake = TextError.notFinite(scalar.text)
    problems.append(DocumentError(at: event.position, mistake.message))
    return .null
  }

  private mutating func list(at start: Position, depth: Int) throws(DocumentError) -> Composed {
    try checkDepth(depth, at: start)
    var list = Composed(node: DocumentNode(.null, at: start), height: 1)
    var elements: [DocumentNode] = []
    while let event = try nextInCollection() {
      let element = try value(event, depth: depth)
      elements.append(element.node)
      list.include(element)
    }
    list.node.content = .list(elements)
    return list
  }

  private mutating func mapping(at start: Position, depth: Int) throws(DocumentError) -> Composed {
    try checkDepth(depth, at: start)
    var mapping = Composed(node: DocumentNode(.null, at: start), height: 1)
    var entries = UniqueEntries()
    while let keyEvent = try nextInCollection() {
      let key = try key(keyEvent, depth: depth)
      let value = try value(try events.next(), depth: depth)
      mapping.include(value)
      guard let key else { continue }
      let entry = DocumentNode.Entry(
        key: key, keyPosition: keyEvent.position, value: value.node)
      entries.add(entry, problems: &problems)
    }
    mapping.node.content = .mapping(entries.entries)
    return mapping
  }

  /// The text of a key, whatever it would be as a value.
  ///
  /// - Returns: nil when there is no usable key; the problem is reported and its value is to be skipped.
  private mutating func key(_ event: YAMLEvent, depth: Int) throws(DocumentError) -> String? {
    switch event.kind {
    case let .scalar(scalar):
      checkTag(of: event)
      if let anchor = event.anchor {
        anchors[anchor] = .value(
          Composed(node: DocumentNode(content(of: scalar, event), at: event.position)))
      }
      if scalar.isPlain { checkBlanks(of: scalar.text, at: event.position) }
      guard scalar.isPlain, scalar.text == "<<" else { return scalar.text }
      report(.mergeKey, at: event.position)
    case .alias, .listStart, .mappingStart, .documentStart, .collectionEnd, .streamEnd, .other:
      report(.keyIsNoText, at: event.position)
      _ = try value(event, depth: depth)
    }
    return nil
  }

  /// Reports a character that looks like a blank, or like nothing, and is part of the key.
  private mutating func checkBlanks(of key: String, at start: Position) {
    guard key.utf8.contains(where: { $0 >= 0x80 }) else { return }
    for (index, scalar) in key.unicodeScalars.enumerated() {
      let isBlank = scalar.properties.generalCategory == .spaceSeparator && scalar != " "
      guard isBlank || ["\u{200B}", "\u{2060}", "\u{FEFF}"].contains(scalar) else { continue }
      let place = Position(line: start.line, column: start.column + index)
      return report(.blank(code: Int(scalar.value)), at: place)
    }
  }

  private mutating func alias(
    _ name: String, at position: Position, depth: Int
  ) throws(DocumentError) -> Composed {
    switch anchors[name] {
    case var .value(value)?:
      aliasedNodes += value.nodes
      guard aliasedNodes <= Limits.aliasedNodes else {
        throw DocumentError(at: position, YAMLValueError.aliasBomb.message)
      }
      if value.height > 0 { try checkDepth(depth + value.height, at: position) }
      value.node.position = position
      return value
    case .unfinished?: report(.aliasInsideItself(name), at: position)
    case nil: report(.unknownAlias(name), at: position)
    }
    return Composed(node: DocumentNode(.null, at: position))
  }

  private mutating func nextInCollection() throws(DocumentError) -> YAMLEvent? {
    let event = try events.next()
    if case .collectionEnd = event.kind { return nil }
    return event
  }

  private mutating func checkTag(of event: YAMLEvent) {
    guard let tag = event.tag else { return }
    if case .scalar = event.kind, tag == "tag:yaml.org,2002:str" { return }
    report(.tag(tag), at: event.position)
  }

  private func checkDepth(_ depth: Int, at position: Position) throws(DocumentError) {
    if depth > Limits.depth { throw DocumentError(at: position, TextError.tooDeep.message) }
  }

  private mutating func report(_ mistake: YAMLValueError, at position: Position) {
    problems.append(DocumentError(at: position, mistake.message))
  }
}

/// What can be wrong with a YAML text whose syntax is right.
enum YAMLValueError {
  case empty
  case secondDocument
  case keyIsNoText
  case blank(code: Int)
  case mergeKey
  case tag(String)
  case unknownAlias(String)
  case aliasInsideItself(String)
  case aliasBomb

  var message: String {
    switch self {
    case .empty:
      "the text is empty; expected a YAML document; write one"
    case .secondDocument:
      "a second document begins here; expected one document; move it to a text of its own"
    case .keyIsNoText:
      "this key is a list, a mapping or an alias; expected a word or a string; write the key out"
    case let .blank(code):
      "this looks like a blank, but is the character U+\(hexadecimal(code, digits: 4, .upper)), as part of the "
        + "key; expected an ordinary blank; replace it, or put the key in quotes"
    case .mergeKey:
      "the merge key << is not supported; expected an ordinary key; "
        + "use include:, or quote it to mean the text"
    case let .tag(tag):
      "the tag \(shown(YAMLValueError.short(tag))) is not supported here; "
        + "expected none, or !!str before a scalar; remove it"
    case let .unknownAlias(name):
      "nothing before this location has the anchor &\(name); expected the name of an anchor; "
        + "define it earlier, or put the text in quotes"
    case let .aliasInsideItself(name):
      "the alias *\(name) stands inside the value that it repeats; expected a finished value; "
        + "write the value out"
    case .aliasBomb:
      "aliases repeat more than \(Limits.aliasedNodes) values; expected fewer; "
        + "write a smaller document"
    }
  }

  /// `!!int` for `tag:yaml.org,2002:int`, as people write it.
  private static func short(_ tag: String) -> String {
    let prefix = "tag:yaml.org,2002:"
    return tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
  }
}

/// What a YAML scalar without quotes means, by the core schema of YAML 1.2.
enum PlainScalar {
  /// - Returns: nil for a number that is infinite, not a number, or too large for a double.
  static func content(of text: String) -> DocumentNode.Content? {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    case ".nan", ".NaN", ".NAN": return nil
    default: break
    }
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    if [".inf", ".Inf", ".INF"].contains(unsigned) { return nil }
    guard let number = decimal(text, unsigned.utf8) ?? radix(text) else { return .string(text) }
    return number.isFinite ? .number(number) : nil
  }

  /// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
  private static func decimal(_ text: String, _ unsigned: Substring.UTF8View) -> Double? {
    var rest = unsigned
    let whole = rest.removeDigits()
    var fraction = 0
    if rest.removeOne(of: ".") { fraction = rest.removeDigits() }
    guard whole + fraction > 0 else { return nil }
    if rest.removeOne(of: "eE") {
      _ = rest.removeOne(of: "+-")
      guard rest.removeDigits() > 0 else { return nil }
    }
    return rest.isEmpty ? Double(text) : nil
  }

  /// `0x[0-9a-fA-F]+|0o[0-7]+`, without a sign.
  private static func radix(_ text: String) -> Double? {
    let digits = text.dropFirst(2)
    guard !digits.isEmpty, let radix = ["0x": 16, "0o": 8][text.prefix(2)] else { return nil }
    var number = 0.0
    for digit in digits {
      guard let value = digit.hexDigitValue, value < radix else { return nil }
      number = number * Double(radix) + Double(value)
    }
    return number
  }
}

extension Substring.UTF8View {
  fileprivate mutating func removeOne(of characters: String) -> Bool {
    guard let first, characters.utf8.contains(first) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func removeDigits() -> Int {
    let digits = prefix(while: \.isDigit).count
    removeFirst(digits)
    return digits
  }
}
