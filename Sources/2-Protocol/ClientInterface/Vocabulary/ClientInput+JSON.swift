public import Tree
public import Wire

extension ClientInput {
  /// The input as traces write it, `{"call": {…}}`; recordings hold the same words for some of them.
  public func json(in dialect: Dialect) -> JSON {
    switch self {
    case let .open(opening): ["open": opening.json]
    case let .call(call, operation):
      ["call": .object([.init("id", .string(call.name))] + (operation.json.members ?? []))]
    case .opened: ["opened": .object([])]
    case .refused: ["refused": .object([])]
    case let .frame(message): ["frame": message.json(in: dialect)]
    case .closed: ["closed": .object([])]
    case let .timer(timer): ["timer": ["timer": .number(Double(timer.number))]]
    case .close: ["close": .object([])]
    }
  }

  /// Reads what `json(in:)` writes.
  ///
  /// - Throws: `VocabularyError` for an unknown input and for an argument that is missing or of the
  ///   wrong kind, `WireError` for a message that the protocol does not allow.
  public init(json: JSON) throws {
    let (verb, arguments) = try json.verb(of: "an input")
    switch verb {
    case "open": self = .open(try Opening(json: arguments))
    case "call": self = .call(CallID(try arguments.text("id")), try Operation(json: arguments))
    case "opened": self = .opened
    case "refused": self = .refused
    case "frame": self = .frame(try ServerMessage(json: arguments))
    case "closed": self = .closed
    case "timer": self = .timer(TimerID(try arguments.count("timer")))
    case "close": self = .close
    default:
      throw VocabularyError(
        "\"\(verb)\" is not an input; "
          + "expected open, call, opened, refused, frame, closed, timer or close")
    }
  }
}

extension ClientInput.Opening {
  /// The seed is a text: not every number of 64 bits is a number of JSON.
  fileprivate var json: JSON {
    let items = storage.map { JSON.array([.string($0.key), .string($0.text)]) }
    return .object(having: [
      "host": .string(host), "seed": .string(String(seed)), "url": url.map { .string($0) },
      "cacheBytes": persistence.map { .number(Double($0.cacheBytes)) },
      "storage": items.isEmpty ? nil : .array(items),
    ])
  }

  fileprivate init(json: JSON) throws(VocabularyError) {
    let text = try json.text("seed")
    guard let seed = UInt64(text) else {
      throw VocabularyError("\"seed\" is \"\(text)\", expected a whole number of 64 bits")
    }
    var items: [ClientInput.StoredItem] = []
    for element in json["storage"]?.elements ?? [] {
      guard let pair = element.elements, pair.count == 2, let key = pair[0].string,
        let text = pair[1].string
      else { throw VocabularyError("\(element.text) is no stored item, expected [key, text]") }
      items.append(ClientInput.StoredItem(key, text))
    }
    self.init(
      host: try json.text("host"), seed: seed,
      persistence: json["cacheBytes"] == nil
        ? nil : ClientInput.Persistence(cacheBytes: try json.count("cacheBytes")),
      storage: items, url: json["url"]?.string)
  }
}
