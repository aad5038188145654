package import Tree

extension JSON {
  /// What an encodable value is in JSON.
  ///
  /// - Throws: `EncodingError` for a value that is too deep, or what the value itself throws.
  package init(encoding value: some Encodable) throws {
    self = try JSON(encoding: value, at: [], in: Slot(depth: 0))
  }

  /// What a value is in JSON that stands in a slot.
  fileprivate init(
    encoding value: some Encodable, at path: [any CodingKey], in slot: Slot
  ) throws {
    switch value {
    case is String, is Bool, is any BinaryInteger, is any BinaryFloatingPoint:
      self = JSON(plain: value) ?? .null
    default:
      let encoder = ValueEncoder(codingPath: path, into: slot)
      if slot.hasRoom { try value.encode(to: encoder) }
      guard let json = slot.json else {
        throw EncodingError.invalidValue(
          value,
          .init(
            codingPath: path,
            debugDescription: "the value is nested deeper than \(Self.deepest) levels"))
      }
      self = json
    }
  }
}

/// What becomes of one value: itself, or what its containers hold.
private final class Slot {
  private let depth: Int
  private var value = JSON.null
  private var members: [(name: String, slot: Slot)]?
  private var elements: [Slot]?
  /// Whether something was to be inside that is too deep.
  private var isTooDeep = false

  init(depth: Int) { self.depth = depth }

  /// Whether something may be inside. What is not made cannot overflow the stack.
  var hasRoom: Bool {
    if depth >= JSON.deepest { isTooDeep = true }
    return !isTooDeep
  }

  /// `nil` where something is too deep.
  var json: JSON? {
    if isTooDeep { return nil }
    if let members {
      let found = members.compactMap { name, slot in slot.json.map { JSON.Member(name, $0) } }
      return found.count == members.count ? .object(found) : nil
    }
    guard let elements else { return value }
    let found = elements.compactMap(\.json)
    return found.count == elements.count ? .array(found) : nil
  }

  var count: Int { elements?.count ?? 0 }

  func set(_ json: JSON) { value = json }
  func beginMembers() { members = members ?? [] }
  func beginElements() { elements = elements ?? [] }

  func member(_ key: any CodingKey) -> Slot {
    guard hasRoom else { return self }
    let slot = Slot(depth: depth + 1)
    members?.removeAll { $0.name == key.stringValue }
    members?.append((key.stringValue, slot))
    return slot
  }

  func element() -> Slot {
    guard hasRoom else { return self }
    let slot = Slot(depth: depth + 1)
    elements?.append(slot)
    return slot
  }

  /// The room for a value that is put in here; a level deeper where it only stands for another one.
  func room(levels: Int = 0) -> Slot { Slot(depth: depth + levels) }
}

private final class ValueEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  let slot: Slot

  init(codingPath: [any CodingKey], into slot: Slot) {
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
    slot.set(try JSON(encoding: value, at: codingPath, in: slot.room(levels: 1)))
  }
}

private struct ElementWriter: UnkeyedEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  var count: Int { slot.count }

  func encodeNil() { _ = slot.element() }
  func encode<Value: Encodable>(_ value: Value) throws {
    let slot = slot.element()
    slot.set(try JSON(encoding: value, at: codingPath, in: slot.room()))
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
    let slot = slot.member(key)
    slot.set(try JSON(encoding: value, at: codingPath + [key], in: slot.room()))
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
    let inner = slot.member(key)
    // A path that has no end would take ever longer to copy.
    return ValueEncoder(codingPath: inner === slot ? codingPath : codingPath + [key], into: inner)
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
