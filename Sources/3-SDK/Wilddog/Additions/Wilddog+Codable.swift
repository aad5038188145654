internal import ClientEngine
internal import ClientInterface
internal import ReferenceClient
internal import Tree

// Values of types of the program's own.

extension Wilddog {
  /// Replaces everything here by a value, and waits for the server (WRT-1).
  ///
  /// - Parameter value: A value whose parts are texts, numbers, booleans, mappings and lists.
  /// - Throws: What encoding throws, and ``SyncError`` when the server refuses.
  public func set(encoding value: some Encodable) async throws {
    try await location.write(try JSON(encoding: value).plain)
  }
}

extension WDataSnapshot {
  /// The data as a value of a type.
  ///
  /// - Parameter type: The type. A whole number may be any integer that can hold it.
  /// - Returns: The value.
  /// - Throws: `DecodingError`, with the path of what does not fit.
  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try snapshot.node.plainJSON(engine.profile.arrays).decoded(as: type)
  }
}
