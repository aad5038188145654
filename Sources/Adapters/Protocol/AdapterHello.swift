internal import ClientInterface
public import Tree

/// How an adapter introduces itself, in answer to the kit's `hello`.
public struct AdapterHello: Hashable, Sendable {
  /// The name and the version of the implementation.
  public var name: String
  public var version: String
  /// What the implementation can do, by the names that scenarios use in `needs:`.
  public var capabilities: Set<String>
  /// Whether the process can be used for another run after a `reset`: the capability `reset`.
  public var canReset: Bool

  public init(name: String, version: String, capabilities: Set<String>, canReset: Bool = false) {
    self.name = name
    self.version = version
    self.capabilities = capabilities
    self.canReset = canReset
  }

  /// What can be declared: what scenarios can need, and what the protocol itself offers.
  public static let declarable = Capability.inOrder + ["reset"]

  /// The arguments of the adapter's `hello`.
  public var json: JSON {
    let declared = Self.declarable.filter {
      capabilities.contains($0) || ($0 == "reset" && canReset)
    }
    return [
      "protocol": .number(Double(AdapterRequest.version)), "name": .string(name),
      "version": .string(version), "capabilities": .array(declared.map { .string($0) }),
    ]
  }

  /// Reads what `json` writes.
  ///
  /// - Throws: `VocabularyError` for an argument that is missing or of the wrong kind, for another
  ///   version of the protocol, and for capabilities that do not exist.
  init(json: JSON) throws(VocabularyError) {
    let version = try json.count("protocol")
    guard version == AdapterRequest.version else {
      throw VocabularyError(
        "it speaks version \(version) of the protocol, expected \(AdapterRequest.version)")
    }
    try Self.checkKind("clock", json, only: "virtual", later: "real")
    try Self.checkKind("transport", json, only: "frames", later: "socket")
    guard let names = try json.member("capabilities").elements else {
      throw VocabularyError("\"capabilities\" is no list; expected a list of names")
    }
    for name in names { try Self.check(name) }
    let declared = Set(names.compactMap(\.string))
    self.init(
      name: try json.text("name"), version: try json.text("version"),
      capabilities: declared.intersection(Capability.all), canReset: declared.contains("reset"))
  }

  private static func checkKind(
    _ name: String, _ json: JSON, only: String, later: String
  ) throws(VocabularyError) {
    guard let value = json[name], value != .string(only) else { return }
    guard value == .string(later) else {
      throw VocabularyError("\"\(name)\" is \(value.text), expected \"\(only)\"")
    }
    throw VocabularyError(
      "clients with \"\(name)\": \"\(later)\" cannot be run yet; only those whose time and "
        + "network belong to the kit can, with \"\(name)\": \"\(only)\"")
  }

  private static func check(_ name: JSON) throws(VocabularyError) {
    guard let text = name.string, !declarable.contains(text) else {
      if name.string != nil { return }
      throw VocabularyError("\(name.text) is no capability; expected a name in quotes")
    }
    let near = closestMatches(to: text, in: declarable).map { "\"\($0)\"" }
    let hint =
      near.isEmpty
      ? "expected some of \(declarable.joined(separator: ", "))"
      : "did you mean \(near.joined(separator: " or "))?"
    throw VocabularyError("\"\(text)\" is no capability; \(hint)")
  }
}
