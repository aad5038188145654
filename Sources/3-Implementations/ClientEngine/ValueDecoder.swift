package import Tree

extension JSON {
  /// The value of a decodable type that this is.
  ///
  /// A mapping with index keys, which reads as an array, and an array both decode as either.
  ///
  /// - Throws: `DecodingError`, with the path of what does not fit.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try decoded(as: type, at: [])
  }

  fileprivate func decoded<Value: Decodable>(
    as type: Value.Type, at path: [any CodingKey]
  ) throws -> Value {
    switch type {
    case is String.Type: if let value = string as? Value { return value }
    case is Bool.Type: if let value = bool as? Value { return value }
    case let integer as any FixedWidthInteger.Type:
      if let value = number.flatMap({ integer.init(exactly: $0) }) as? Value { return value }
    case let floating as any BinaryFloatingPoint.Type:
      if let value = number.map({ floating.init($0) }) as? Value { return value }
    default: return try Value(from: ValueDecoder(json: self, codingPath: path))
    }
    throw mismatch(type, at: path)
  }

  fileprivate func mismatch(_ type: Any.Type, at path: [any CodingKey]) -> DecodingError {
    .typeMismatch(
      type, .init(codingPath: path, debugDescription: "found \(kind) instead of \(type)"))
  }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let members =
      json.members ?? json.elements?.enumerated().map { .init(String($0.offset), $0.element) }
    guard let members else { throw json.mismatch([String: Any].self, at: codingPath) }
    return KeyedDecodingContainer(MemberReader(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = json.elements ?? json.members?.map(\.value) else {
      throw json.mismatch([Any].self, at: codingPath)
    }
    return ElementReader(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { json == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try json.decoded(as: type, at: codingPath)
  }
}

private struct ElementReader: UnkeyedDecodingContainer {
  let elements: [JSON]
  let codingPath: [any CodingKey]
  var currentIndex = 0
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type).decoded(as: type, at: codingPath)
  }
  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try decoder().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try decoder() }

  private mutating func decoder() throws -> ValueDecoder {
    ValueDecoder(json: try next([Any].self), codingPath: codingPath)
  }

  private mutating func next(_ type: Any.Type) throws -> JSON {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "the array has no more elements"))
    }
    defer { currentIndex += 1 }
    return elements[currentIndex]
  }
}

private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [JSON.Member]
  let codingPath: [any CodingKey]
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { members.contains { $0.name == key.stringValue } }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key) == .null }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).decoded(as: type, at: codingPath + [key])
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try decoder(SuperKey()) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
    ValueDecoder(json: try value(key), codingPath: codingPath + [key])
  }

  private func value(_ key: any CodingKey) throws -> JSON {
    if let member = members.first(where: { $0.name == key.stringValue }) { return member.value }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)"))
  }
}
