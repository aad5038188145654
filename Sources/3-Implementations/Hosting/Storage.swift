internal import ClientInterface

/// What an SDK keeps over the end of its process: texts by key.
public final class Storage {
  private var texts: [String: String]
  var report: (ClientOutput) -> Void = { _ in }

  init(_ items: [ClientInput.StoredItem]) {
    texts = Dictionary(items.map { ($0.key, $0.text) }) { $1 }
  }

  /// All keys, in order.
  ///
  /// - Complexity: O(*n* log *n*).
  public var keys: [String] { texts.keys.sorted() }

  /// The text that is kept under a key; setting `nil` erases it.
  public subscript(key: String) -> String? {
    get { texts[key] }
    set {
      texts[key] = newValue
      report(newValue.map { .store(key: key, text: $0) } ?? .erase(key: key))
    }
  }
}
