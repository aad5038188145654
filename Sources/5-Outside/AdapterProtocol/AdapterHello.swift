public import ClientInterface
internal import Document
public import Tree

/// How an adapter introduces itself, in answer to the kit's `hello`.
public struct AdapterHello: Hashable, Sendable {
  /// The name and the version of the implementation.
  public var name: String
  /// The version of the implementation, in its own notation.
  public var version: String
  /// Up to which change of the protocol the adapter was written; 0 where it does not say so.
  public var revision = 0
  /// What the implementation can do, by the names that scenarios use in `needs:`.
  public var capabilities: Set<String>
  /// What its programming interface lacks of these.
  public var lacks: Set<Feature> = []
  /// How a call looks in the interface of the implementation, by operation, with the names of the
  /// call's arguments in braces: `ref({path}).set({value})`.
  public var calls: [Operation.Kind: String] = [:]
  /// Whether the process can be used for another run after a `reset`: the capability `reset`.
  public var canReset: Bool
  /// Whether it takes several messages in one request: the capability `frames`.
  public var takesFrames = false
  /// Whether the process of a client can be ended and started although its clock is its own: the
  /// capability `kill`.
  public var canKill = false
  /// Whose the time of the clients is.
  public var clock = Clock.virtual
  /// How messages come to the clients.
  public var transport = Transport.frames

  /// Whose clock the clients live by; the raw value is the word in the line.
  public enum Clock: String, CaseIterable, Hashable, Sendable {
    /// It is the kit's, and comes in as lines.
    case virtual
    /// That of the machine.
    case real
  }

  /// How messages reach the clients; the raw value is the word in the line.
  public enum Transport: String, CaseIterable, Hashable, Sendable {
    /// As lines.
    case frames
    /// Over sockets that the clients open themselves, on a real clock.
    case socket
  }

  /// Introduces an adapter with the kit's clock, messages as lines and no `kill`.
  public init(name: String, version: String, capabilities: Set<String>, canReset: Bool = false) {
    self.name = name
    self.version = version
    self.capabilities = capabilities
    self.canReset = canReset
  }

  /// What can be declared: what scenarios can need, and what the protocol itself offers.
  public static let declarable = Capability.inOrder + ["reset", "kill", "frames"]

  /// Whether it declares this.
  func declares(_ name: String) -> Bool {
    switch name {
    case "reset": canReset
    case "kill": canKill
    case "frames": takesFrames
    default: capabilities.contains(name)
    }
  }

  /// The arguments of the adapter's `hello`.
  public var json: JSON {
    let declared = Self.declarable.filter(declares)
    let features = Feature.allCases.filter(lacks.contains).map { JSON.string($0.rawValue) }
    return .object(having: [
      "protocol": .number(Double(AdapterRequest.version)),
      "revision": revision == 0 ? nil : .number(Double(revision)), "name": .string(name),
      "version": .string(version), "capabilities": .array(declared.map { .string($0) }),
      "lacks": features.isEmpty ? nil : .array(features),
      "calls": calls.isEmpty
        ? nil
        : .object(
          Operation.Kind.allCases.compactMap { kind in
            calls[kind].map { .init(kind.rawValue, .string($0)) }
          }),
      "clock": clock == .virtual ? nil : .string(clock.rawValue),
      "transport": transport == .frames ? nil : .string(transport.rawValue),
    ])
  }

  /// The same for the schema.
  static let fields: [Shape.Field] = [
    AdapterRequest.versionField, .may("revision", .whole), .needs("name", .text),
    .needs("version", .text),
    .needs("capabilities", .list(.word(declarable))), .may("lacks", .list(.word(Feature.names))),
    .may("calls", .object(Operation.Kind.allCases.map { .may($0.rawValue, .text) })),
    .may("clock", .word(Clock.allCases.map(\.rawValue))),
    .may("transport", .word(Transport.allCases.map(\.rawValue))),
  ]

  /// Reads what `json` writes.
  ///
  /// - Throws: `VocabularyError` for an argument that is missing or of the wrong kind, for another
  ///   version of the protocol, and for capabilities that do not exist.
  init(json: JSON) throws(VocabularyError) {
    let version = try json.count("protocol")
    guard version == AdapterRequest.version else {
      throw VocabularyError(
        "it has version \(version) of the protocol, expected \(AdapterRequest.version)")
    }
    let clock = try Self.kind("clock", json) ?? Clock.virtual
    let transport = try Self.kind("transport", json) ?? Transport.frames
    guard transport == .frames || clock == .real else {
      throw VocabularyError(
        "\"transport\" is \"socket\" and \"clock\" is \"virtual\"; over sockets time is real")
    }
    let declared = try Self.names("capabilities", json, "capability", Self.declarable)
    let lacks =
      json["lacks"] == nil
      ? [] : try Self.names("lacks", json, "part of an interface", Feature.names)
    self.init(
      name: try json.text("name"), version: try json.text("version"),
      capabilities: declared.intersection(Capability.all), canReset: declared.contains("reset"))
    canKill = declared.contains("kill")
    takesFrames = declared.contains("frames")
    for call in json["calls"]?.members ?? [] {
      guard let kind = Operation.Kind(rawValue: call.name) else {
        throw VocabularyError(
          unknown: call.name, of: "calls", known: Operation.Kind.allCases.map(\.rawValue))
      }
      guard let text = call.value.string else {
        throw VocabularyError("\(call.name) of calls is \(call.value.text), expected a text")
      }
      calls[kind] = text
    }
    if json["revision"] != nil { revision = try json.count("revision") }
    self.lacks = Set(Feature.allCases.filter { lacks.contains($0.rawValue) })
    self.clock = clock
    self.transport = transport
  }

  private static func kind<Kind: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ json: JSON
  ) throws(VocabularyError) -> Kind? {
    guard let value = json[name] else { return nil }
    guard let kind = value.string.flatMap({ Kind(rawValue: $0) }) else {
      let known = Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
      throw VocabularyError("\"\(name)\" is \(value.text), expected \(known)")
    }
    return kind
  }

  /// The names in a list, each of which is known.
  private static func names(
    _ member: String, _ json: JSON, _ what: String, _ known: [String]
  ) throws(VocabularyError) -> Set<String> {
    guard let names = try json.member(member).elements else {
      throw VocabularyError("\"\(member)\" is no list; expected a list of names")
    }
    for name in names {
      guard let text = name.string else {
        throw VocabularyError("\(name.text) is no \(what); expected a name in quotes")
      }
      if known.contains(text) { continue }
      let hint = didYouMean(
        text, known, orElse: "; expected some of \(known.joined(separator: ", "))")
      throw VocabularyError("\"\(text)\" is no \(what)" + hint)
    }
    return Set(names.compactMap(\.string))
  }

  /// The names of all that the implementation can do, capabilities and features alike.
  public var abilities: Set<String> { capabilities.union(Feature.names(without: lacks)) }
}
