package import Tree

extension JSON {
  /// What an encodable value is in JSON.
  ///
  /// - Throws: `EncodingError`, or what the value itself throws.
  package init(encoding value: some Encodable) throws {
    self = try JSON(encoding: value, at: [])
  }

  fileprivate init(encoding value: some Encodable, at path: [any CodingKey]) throws {
    switch value {
    case is String, is Bool, is any BinaryInteger, is any BinaryFloatingPoint:
      self = JSON(plain: value) ?? .null
    default:
      let encoder = ValueEncoder(codingPath: path)
      try value.encode(to: encoder)
      self = encoder.slot.json
    }
  }
}

/// What becomes of one value: itself, or what its containers hold.
private final class Slot {
  private var value = JSON.null
  private var members: [(name: String, slot: Slot)]?
  private var elements: [Slot]?

  var json: JSON {
    if let members { return .object(members.map { .init($0.name, $0.slot.json) }) }
    if let elements { return .array(elements.map(\.json)) }
    return value
  }

  var count: Int { elements?.count ?? 0 }

  func set(_ json: JSON) { value = json }
  func beginMembers() { members = members ?? [] }
  func beginElements() { elements = elements ?? [] }

  func member(_ key: any CodingKey) -> Slot {
    let slot = Slot()
    members?.removeAll { $0.name == key.stringValue }
    members?.append((key.stringValue, slot))
    return slot
  }

  func element() -> Slot {
    let slot = Slot()
    elements?.append(slot)
    return slot
  }
}

private final class ValueEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let slot: Slot

  init(codingPath: [any CodingKey], into slot: Slot = Slot()) {
    self.codingPath = codingPath
    self.slot = slot
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.beginMembers()
    return KeyedEncodingContainer(MemberWriter(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.beginElements()
    return ElementWriter(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ValueWriter(slot: slot, codingPath: codingPath)
  }
}

// The generic functions below also serve for the types that the protocols list.

private struct ValueWriter: SingleValueEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]

  func encodeNil() { slot.set(.null) }
  func encode<Value: Encodable>(_ value: Value) throws {
    slot.set(try JSON(encoding: value, at: codingPath))
  }
}

private struct ElementWriter: UnkeyedEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  var count: Int { slot.count }

  func encodeNil() { _ = slot.element() }
  func encode<Value: Encodable>(_ value: Value) throws {
    slot.element().set(try JSON(encoding: value, at: codingPath))
  }
  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    nested().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> ValueEncoder {
    ValueEncoder(codingPath: codingPath, into: slot.element())
  }
}

private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: Slot
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { _ = slot.member(key) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    slot.member(key).set(try JSON(encoding: value, at: codingPath + [key]))
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { nested(SuperKey()) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: any CodingKey) -> ValueEncoder {
    ValueEncoder(codingPath: codingPath + [key], into: slot.member(key))
  }
}

/// Where a superclass is encoded.
struct SuperKey: CodingKey {
  let stringValue = "super"
  let intValue: Int? = nil

  init() {}
  init?(stringValue: String) { if stringValue != "super" { return nil } }
  init?(intValue: Int) { nil }
}
