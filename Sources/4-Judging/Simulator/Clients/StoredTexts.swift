internal import ClientInterface
internal import Tree

/// What a client has stored, as a process that starts finds it.
struct StoredTexts {
  private var texts: [Text: String] = [:]

  mutating func store(_ text: String, under key: String) { texts[Text(key)] = text }

  subscript(key: String) -> String? { texts[Text(key)] }

  /// How long the texts are together, in bytes.
  var size: Int { texts.values.reduce(0) { $0 + $1.utf8.count } }

  mutating func erase(_ key: String) { texts[Text(key)] = nil }

  /// Everything, in the order of the keys.
  var items: [ClientInput.StoredItem] {
    texts.sorted { $0.key < $1.key }.map { ClientInput.StoredItem($0.key.string, $0.value) }
  }
}

/// What is wrong with what a client stores on.
struct Disk {
  private var errors: (left: Int, mark: Int?)?
  private var capacity: (bytes: Int, mark: Int?)?
  /// The fault by which the last record will be torn; outer `nil` when it will not.
  private var tearing: Int??
  private var lastKey: String?

  /// Whether a text was stored.
  enum Outcome {
    case stored
    /// It was not, because of the fault with this mark.
    case refused(mark: Int?)
  }

  mutating func fail(_ count: Int, mark: Int?) { errors = (count, mark) }

  mutating func fill(at bytes: Int, mark: Int?) { capacity = (bytes, mark) }

  mutating func tearLast(mark: Int?) { tearing = .some(mark) }

  /// Takes everything from now on.
  ///
  /// - Returns: Whether it did not before.
  mutating func work() -> Bool {
    let failed = (errors?.left ?? 0) > 0 || capacity != nil || tearing != nil
    errors = nil
    capacity = nil
    tearing = nil
    return failed
  }

  mutating func store(_ text: String, under key: String, in storage: inout StoredTexts) -> Outcome {
    if let (left, mark) = errors, left > 0 {
      errors?.left = left - 1
      return .refused(mark: mark)
    }
    if let (bytes, mark) = capacity,
      storage.size - (storage[key]?.utf8.count ?? 0) + text.utf8.count > bytes
    {
      return .refused(mark: mark)
    }
    storage.store(text, under: key)
    lastKey = key
    return .stored
  }

  /// Cuts the text that was stored last in half, if that is to be and it is still there.
  ///
  /// - Returns: The fault, if it changed something.
  mutating func tear(_ storage: inout StoredTexts) -> Int? {
    guard let mark = tearing else { return nil }
    tearing = nil
    guard let lastKey, let text = storage[lastKey], !text.isEmpty else { return nil }
    storage.store(String(text.prefix(text.count / 2)), under: lastKey)
    return mark
  }
}
