internal import ClientInterface
internal import Tree

/// What a client has stored, as a process that starts finds it.
struct StoredTexts {
  /// Everything, in the order of the keys.
  private(set) var items: [ClientInput.StoredItem] = []

  /// The text under a key; `nil` erases it.
  subscript(key: String) -> String? {
    get {
      let index = index(of: key)
      return isAt(index, key) ? items[index].text : nil
    }
    set {
      let index = index(of: key)
      switch (isAt(index, key), newValue) {
      case (true, let text?): items[index].text = text
      case (true, nil): items.remove(at: index)
      case (false, let text?): items.insert(ClientInput.StoredItem(key, text), at: index)
      case (false, nil): break
      }
    }
  }

  /// How long the texts are together, in bytes.
  var size: Int { items.reduce(0) { $0 + $1.text.utf8.count } }

  /// The position of the first item whose key is not before `key`.
  private func index(of key: String) -> Int {
    items.firstIndex { Text($0.key) >= Text(key) } ?? items.count
  }

  private func isAt(_ index: Int, _ key: String) -> Bool {
    index < items.count && Text(items[index].key) == Text(key)
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
    storage[key] = text
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
    storage[lastKey] = String(text.prefix(text.count / 2))
    return mark
  }
}
