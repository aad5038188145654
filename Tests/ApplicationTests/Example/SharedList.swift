import WilddogSync

/// A shopping list that several people share: what is on it, who is looking at it, and how many things were
/// bought. It can be used without a connection, and after a restart if persistence is on.
///
/// The database has everything at one location:
///
///     items/KEY     {"text": "milk", "isBought": false}
///     people/USER   true, as long as the user is connected
///     bought        how many things were bought
///
/// Unchecked: it is used on one queue only, the one on which the SDK calls.
final class SharedList: @unchecked Sendable {
  struct Item: Equatable {
    let key: String
    var text: String
    var isBought: Bool
  }

  /// In the order in which they were added.
  private(set) var items: [Item] = []
  /// Who is there, in the order of the names.
  private(set) var people: [String] = []
  /// How many things were bought, by anybody.
  private(set) var bought = 0
  private(set) var isOnline = false
  /// What was refused, for the user to see.
  private(set) var problems: [String] = []

  private let sync: WDGSync
  private let root: WDGSyncReference
  private let user: String

  init(_ sync: WDGSync, user: String, at path: String = "list") {
    self.sync = sync
    self.user = user
    root = sync.reference(withPath: path)
    observeItems()
    observePeople()
    root.child("bought").observe(.value, with: { [unowned self] in bought = $0.int ?? 0 })
  }

  deinit {
    root.child("items").removeAllObservers()
    root.child("people").removeAllObservers()
    root.child("bought").removeAllObservers()
    sync.reference(withPath: ".info/connected").removeAllObservers()
  }

  /// The texts of the items.
  var texts: [String] { items.map(\.text) }

  /// Adds something at the end.
  func add(_ text: String) {
    let item: [String: Any] = ["text": text, "isBought": false]
    root.child("items").childByAutoId().setValue(item, withCompletionBlock: report("add \(text)"))
  }

  func remove(_ item: Item) {
    let reference = root.child("items/\(item.key)")
    reference.removeValue(completionBlock: report("remove \(item.text)"))
  }

  /// Marks an item, and counts it. The mark can be made offline; counting needs a transaction.
  func buy(_ item: Item) {
    let reference = root.child("items/\(item.key)")
    reference.updateChildValues(
      ["isBought": true], withCompletionBlock: report("buy \(item.text)"))
    root.child("bought").runTransactionBlock(
      { data in
        data.value = (data.int ?? 0) + 1
        return .success(withValue: data)
      },
      andCompletionBlock: { [weak self] error, _, _ in
        if let error { self?.problems.append("count \(item.text): \(error)") }
      })
  }

  func goOffline() { sync.goOffline() }
  func goOnline() { sync.goOnline() }

  /// Says goodbye to the others.
  func leave() {
    let presence = root.child("people").child(user)
    presence.cancelDisconnectOperations()
    presence.removeValue()
    sync.reference(withPath: ".info/connected").removeAllObservers()
  }

  private func report(_ what: String) -> @Sendable ((any Error)?, WDGSyncReference) -> Void {
    { [weak self] error, _ in
      if let error { self?.problems.append("\(what): \(error)") }
    }
  }
}

// What the database reports.

extension SharedList {
  private func observeItems() {
    let items = root.child("items")
    items.observe(
      .childAdded,
      andPreviousSiblingKeyWith: { [unowned self] in insert($0, after: $1) })
    items.observe(.childChanged, with: { [unowned self] in change($0) })
    items.observe(.childRemoved, with: { [unowned self] in drop($0.key) })
  }

  private func observePeople() {
    root.child("people").observe(
      .value,
      with: { [unowned self] snapshot in people = snapshot.children.map(\.key) })
    let presence = root.child("people").child(user)
    sync.reference(withPath: ".info/connected").observe(
      .value,
      with: { [unowned self] snapshot in
        isOnline = snapshot.value as? Bool == true
        guard isOnline else { return }
        // Before the value, so that no end of the connection comes between.
        presence.onDisconnectRemoveValue()
        presence.setValue(true)
      })
  }

  private func insert(_ snapshot: WDGDataSnapshot, after key: String?) {
    let index = key.flatMap { key in items.firstIndex { $0.key == key } }
    items.insert(item(snapshot), at: index.map { $0 + 1 } ?? 0)
  }

  private func change(_ snapshot: WDGDataSnapshot) {
    guard let index = items.firstIndex(where: { $0.key == snapshot.key }) else { return }
    items[index] = item(snapshot)
  }

  private func drop(_ key: String) { items.removeAll { $0.key == key } }

  private func item(_ snapshot: WDGDataSnapshot) -> Item {
    let text = snapshot.childSnapshot(forPath: "text").value as? String
    let isBought = snapshot.childSnapshot(forPath: "isBought").value as? Bool
    return Item(key: snapshot.key, text: text ?? "(removed)", isBought: isBought ?? false)
  }
}
