internal import ClientInterface
internal import RunModel
internal import Tree

/// What a client and its shadow have stored, each in its own way.
struct ShadowDisk {
  private typealias Texts = [Text: String]

  private var client = Texts()
  private var shadow = Texts()
  private var settledClient = Texts()
  private var settledShadow = Texts()
  /// Whether what the shadow has stored is not what it would have stored in the client's place.
  private var hasDiverged = false

  mutating func store(_ text: String, under key: String) { shadow[Text(key)] = text }

  mutating func erase(_ key: String) { shadow[Text(key)] = nil }

  mutating func follow(_ step: ClientStep) {
    for done in step.outputs {
      switch done.output {
      case let .store(key, text): client[Text(key)] = text
      case let .erase(key): client[Text(key)] = nil
      default: break
      }
    }
  }

  mutating func rememberSettled() {
    settledClient = client
    settledShadow = shadow
  }

  /// From now on the shadow does not see what the client sees.
  mutating func part() { hasDiverged = true }

  /// What the shadow finds when the client finds `items`: everything, what was there when the run
  /// settled last, or nothing. `nil` when that is not what has become of the client's.
  mutating func items(like items: [ClientInput.StoredItem]) -> [ClientInput.StoredItem]? {
    let found = Texts(items.map { (Text($0.key), $0.text) }) { $1 }
    if found.isEmpty {
      shadow = [:]
      hasDiverged = false
    } else if found == client {
      // Everything was kept.
    } else if found == settledClient {
      shadow = settledShadow
    } else {
      hasDiverged = true
    }
    client = found
    return hasDiverged
      ? nil : shadow.sorted { $0.key < $1.key }.map { .init($0.key.string, $0.value) }
  }
}
