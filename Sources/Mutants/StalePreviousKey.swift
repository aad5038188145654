internal import ClientInterface
internal import Tree

/// Takes previous keys from the window as it was before the change.
struct StalePreviousKey: Spoiler {
  var client: any SyncClient
  /// What each listener has been told, in the order of its query.
  private var windows: [ListenerID: [Key]] = [:]

  init(client: any SyncClient) {
    self.client = client
  }

  mutating func spoiled(_ outputs: [ClientOutput], of input: ClientInput) -> [ClientOutput] {
    let before = windows
    for output in outputs {
      if let event = output.event { follow(event) }
    }
    return outputs.map { output in
      guard var event = output.event, let key = event.key, event.previous != .none,
        let old = before[event.listener], !old.isEmpty
      else { return output }
      event.previous = stale(key, old, windows[event.listener] ?? [])
      return .event(event)
    }
  }

  /// What stood before a key in the old window; before a new key, what of the old window stands
  /// before it in the new one.
  private func stale(_ key: Key, _ old: [Key], _ new: [Key]) -> Event.Previous {
    if let index = old.firstIndex(of: key) { return Event.Previous(old[..<index].last) }
    let ahead = new.prefix { $0 != key }
    return Event.Previous(ahead.last(where: old.contains))
  }

  private mutating func follow(_ event: Event) {
    guard event.type != .value, let key = event.key else { return }
    var window = windows[event.listener] ?? []
    if event.type != .childChanged { window.removeAll { $0 == key } }
    if event.type == .childAdded || event.type == .childMoved {
      window.insert(key, at: place(after: event.previous, in: window))
    }
    windows[event.listener] = window
  }

  private func place(after previous: Event.Previous, in window: [Key]) -> Int {
    guard case let .key(key) = previous, let index = window.firstIndex(of: key) else { return 0 }
    return index + 1
  }
}
