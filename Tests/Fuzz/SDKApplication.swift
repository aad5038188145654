import ClientEngine
import ClientInterface
import ReferenceClient
import Tree

/// An application of the documented SDK that looks whether what it is called with fits together.
final class FuzzedApplication {
  private let engine: Engine
  private var listeners: [Listener] = []
  /// Calls that callbacks still make, so that they end.
  private var reactions = 20

  init(_ engine: Engine) { self.engine = engine }

  private var root: Location { Location(engine) }

  /// Makes one of sixteen calls.
  func call(_ number: Int) {
    let room = root.child("room")
    switch number {
    case 0: listen(room)
    case 1: listen(root.child("n"))
    case 2: listen(room.limited("limitToFirst", to: 2))
    case 3: listen(room.ordered(by: ".value").limited("limitToLast", to: 1))
    case 4: listen(root)
    case 5: room.child("a").write(5) { [self] _ in react() }
    case 6: room.child("b").update(["y": 6, "z": [String: Any]()]) { _ in }
    case 7: room.child("c").remove { [self] _ in react() }
    case 8: count(.shown)
    case 9: count(.hidden)
    case 10: _ = room.observe(.childAdded, for: .once, { [self] _, _ in react() }, cancel: nil)
    case 11: room.setPriority(11) { _ in }
    case 12: room.child("gone").write(12, .onDisconnect) { _ in }
    case 13: room.keepSynced(.on)
    case 14: listeners.last { $0.isActive }?.end()
    default: root.child("list").childByAutoId().write("new", priority: "p") { _ in }
    }
  }

  private func listen(_ location: Location) {
    if listeners.count < 20 {
      listeners.append(Listener(location) { [weak self] in self?.react() })
    }
  }

  private func count(_ localEvents: Operation.LocalEvents) {
    root.child("n").runTransaction(
      { data in
        data.value = (data.value as? Double ?? 0) + 1
        return .success(data)
      }, localEvents: localEvents, then: { _, _, _ in })
  }

  /// A callback that calls the SDK.
  private func react() {
    guard reactions > 0 else { return }
    reactions -= 1
    switch reactions % 4 {
    case 0: root.child("room/seen").write(Double(reactions))
    case 1: listeners.first { $0.isActive }?.end()
    case 2: listen(root.child("room/b"))
    default: root.child("room").remove(.onDisconnect)
    }
  }

  /// The client has been with a right server that has `tree`, and nothing is on its way.
  func compare(with tree: Node) {
    for listener in listeners where listener.isActive {
      let target = listener.location.target
      guard target.query == .all else { continue }
      let shown = listener.value
      require(
        shown == tree[target.path],
        "\(target.path) is \(tree[target.path].json), and shown as \(shown?.json.text ?? "nothing")"
      )
    }
  }
}

/// All five kinds of event of one query, put together to the children that they add up to.
private final class Listener {
  let location: Location
  private var isCancelled = false
  private var isRemoved = false
  private(set) var value: Node?
  private var handles: [UInt] = []
  private var keys: [Key] = []
  private var nodes: [Key: Node] = [:]

  var isActive: Bool { !isCancelled && !isRemoved }

  init(_ location: Location, react: @escaping () -> Void) {
    self.location = location
    for type in [EventType.childRemoved, .childAdded, .childMoved, .childChanged, .value] {
      let handle = location.observe(
        type,
        { [weak self] snapshot, previous in
          self?.take(type, snapshot, after: previous)
          if type == .value { react() }
        }, cancel: { [weak self] _ in self?.isCancelled = true })
      handles.append(handle)
    }
  }

  func end() {
    isRemoved = true
    for handle in handles { location.removeObservation(handle) }
  }

  private func take(_ type: EventType, _ snapshot: Snapshot, after previous: String?) {
    // A cancellation comes to one kind of event after the other.
    if isCancelled { return }
    require(!isRemoved, "\(type) comes to a listener that was removed")
    if type == .value {
      value = snapshot.node
      let children = Dictionary(
        uniqueKeysWithValues: snapshot.node.children.map { ($0.key, $0.node) })
      require(keys == snapshot.keys, "the children are \(snapshot.keys), and events gave \(keys)")
      require(nodes == children, "a child is another one than its events gave")
      return
    }
    guard let key = snapshot.path.key else { fatalError("a child without a key") }
    require(
      (type == .childAdded) == (nodes[key] == nil), "\(type) of \(key), which is there or not")
    nodes[key] = type == .childRemoved ? nil : snapshot.node
    if type == .childChanged { return }
    keys.removeAll { $0 == key }
    if type == .childRemoved { return }
    let position = previous.map { previous in keys.firstIndex { $0.string == previous } }
    require(position != .some(nil), "\(type) of \(key) after \(previous ?? ""), which is not there")
    keys.insert(key, at: position.flatMap { $0 }.map { $0 + 1 } ?? 0)
  }
}
