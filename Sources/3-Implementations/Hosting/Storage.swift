internal import ClientInterface
internal import Tree

/// What an SDK keeps over the end of its process: texts by key.
public final class Storage {
  /// By the bytes of the keys: strings that look alike are equal, and keys of two locations may.
  private var texts: [Text: String]
  var report: (ClientOutput) -> Void = { _ in }

  init(_ items: [ClientInput.StoredItem]) {
    texts = Dictionary(items.map { (Text($0.key), $0.text) }) { $1 }
  }

  /// All keys, in order.
  ///
  /// - Complexity: O(*n* log *n*).
  public var keys: [String] { texts.keys.sorted().map(\.string) }

  /// The text that is kept under a key; setting `nil` erases it.
  public subscript(key: String) -> String? {
    get { texts[Text(key)] }
    set {
      texts[Text(key)] = newValue
      report(newValue.map { .store(key: key, text: $0) } ?? .erase(key: key))
    }
  }
}
