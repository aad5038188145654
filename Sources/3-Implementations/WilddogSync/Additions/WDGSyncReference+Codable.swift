internal import ClientEngine
internal import Tree

// Values of types of the program's own.

extension WDGSyncReference {
  public func set(encoding value: some Encodable) async throws {
    try await location.write(try JSON(encoding: value).plain)
  }
}

extension WDGDataSnapshot {
  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try tree.json.decoded(as: type)
  }

  public var int: Int? { tree.int }
}

extension WDGMutableData {
  public var int: Int? { tree.int }
}
