package import Document
public import Tree
public import Wire

extension ClientInput {
  /// The key of an input in its line.
  package enum Verb: String, CaseIterable {
    case open, call, opened, refused, frame, closed, timer, close

    /// The key in a request to an adapter: a process that ends is killed.
    package var request: String { self == .close ? "kill" : rawValue }

    /// Its member of a request: what happens to a client, and what the arguments look like.
    package var field: Shape.Field {
      switch self {
      case .open:
        .needs(
          request,
          .object([
            .needs("host", .text), .needs("seed", .text), .may("cacheBytes", .whole),
            .may("storage", .list(.list(.text))), .may("url", .text),
          ]), "The process of a client starts.")
      case .call:
        .needs(request, .named("call", Operation.shape), "The application calls a client.")
      case .opened: .needs(request, .object([]), "The connection is up.")
      case .refused: .needs(request, .object([]), "The connection could not be made.")
      case .frame: .needs(request, .mapping(.anything), "The server sent a message.")
      case .closed: .needs(request, .object([]), "The connection is gone.")
      case .timer: .needs(request, .object([.needs("timer", .whole)]), "A timer is due.")
      case .close:
        .needs(request, .object([]), "The process of a client ends without a trace.")
      }
    }
  }

  /// The input as traces write it, `{"call": {…}}`; recordings hold the same words for some of them.
  public func json(in dialect: Dialect) -> JSON {
    let (verb, arguments) = line(in: dialect)
    return .object([.init(verb.rawValue, arguments)])
  }

  /// The parts of `json(in:)`.
  package func line(in dialect: Dialect) -> (verb: Verb, arguments: JSON) {
    switch self {
    case let .open(opening): (.open, opening.json)
    case let .call(call, operation):
      (.call, .object([.init("id", .string(call.name))] + (operation.json.members ?? [])))
    case .opened: (.opened, [:])
    case .refused: (.refused, [:])
    case let .frame(message): (.frame, message.json(in: dialect))
    case .closed: (.closed, [:])
    case let .timer(timer): (.timer, ["timer": .number(Double(timer.number))])
    case .close: (.close, [:])
    }
  }

  /// Reads what `json(in:)` writes.
  ///
  /// - Throws: `VocabularyError` for an unknown input and for an argument that is missing or of the
  ///   wrong kind, `WireError` for a message that the protocol does not allow.
  public init(json: JSON) throws {
    let (verb, arguments) = try json.verb(Verb.self, of: "an input")
    switch verb {
    case .open: self = .open(try Opening(json: arguments))
    case .call: self = .call(CallID(try arguments.text("id")), try Operation(json: arguments))
    case .opened: self = .opened
    case .refused: self = .refused
    case .frame: self = .frame(try ServerMessage(json: arguments))
    case .closed: self = .closed
    case .timer: self = .timer(TimerID(try arguments.count("timer")))
    case .close: self = .close
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
