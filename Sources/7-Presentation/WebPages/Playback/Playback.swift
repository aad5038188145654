internal import ClientInterface
internal import RunModel
internal import Trace
internal import Tree
internal import Wire

/// What can be seen at every moment of a run, as changes from event to event: what each listener
/// shows, which calls wait, who is connected, and what the server has.
///
/// It follows from the events alone, so it can be shown without running anything. A change is a
/// list for the script of a page, and begins with a letter:
///
/// * `t`: a tree of this number, 0 for that of the server, becomes this node at the location;
/// * `o`: the children of a tree are listed in this order, which is not that of their keys;
/// * `b`, `e`: a listener, whose view is the tree of this number, begins or ends;
/// * `w`, `d`: a call of a client, with its text, waits for its end, or has come to it;
/// * `f`: all that the process of a client knew is gone;
/// * `c`: a client is `offline`, `asking` or `connected`.
struct Playback {
  /// What a listener shows.
  struct View {
    let client: ClientIndex
    let registration: Operation.Registration
    fileprivate var isOpen = true
    fileprivate var shown = Node.empty
    /// The order of the children, where it was not that of their keys.
    fileprivate var order: [Key]?
  }

  /// In the order in which they were registered; the tree of each has its number plus 1.
  private(set) var views: [View] = []
  /// For each event what it changes.
  private(set) var changes: [[JSON]] = []
  /// What the server had at the start, and has at the end.
  let start: Node
  var end: Node { server.tree }

  private var server: ServerModel
  private var new: [JSON] = []

  /// - Parameters:
  ///   - trace: The run, with its events.
  ///   - data: What the server had at the start.
  ///   - epoch: What clocks showed then.
  init(of trace: Trace, data: Node, epoch: Instant) {
    start = data
    server = ServerModel(data: data, epoch: epoch)
    trace.events.forEach(from: 0) { event in
      let before = server.tree
      server.take(event)
      change(tree: 0, at: .root, from: before, to: server.tree)
      take(event.pointee)
      changes.append(new)
      new = []
    }
  }

  private mutating func take(_ event: TraceEvent) {
    if case let .input(client, input) = event.kind, let (call, operation) = input.asked {
      if let change = operation.listenerChange {
        take(change, of: client)
      } else if operation.ending == .completion {
        var plain = event
        plain.cause = nil
        add("w", client.number, .string(call.name), .string(plain.text))
      }
    }
    switch event.kind {
    case let .input(client, .opened): add("c", client.number, "connected")
    case let .input(client, .closed), let .input(client, .refused),
      let .output(client, .disconnect):
      add("c", client.number, "offline")
    case let .input(client, .close):
      add("f", client.number)
      add("c", client.number, "offline")
      for index in views.indices where views[index].client == client { views[index].isOpen = false }
    case let .output(client, .connect), let .output(client, .connectTo):
      add("c", client.number, "asking")
    case let .output(client, .event(event)): show(event, of: client)
    case let .output(client, .cancelled(listener, _)):
      if let view = view(of: listener, client) { end(view) }
    case let .output(client, .completed(call, _)), let .output(client, .threw(call, _)):
      add("d", client.number, .string(call.name))
    default: break
    }
  }

  private mutating func add(_ letter: JSON, _ number: Int, _ rest: JSON...) {
    new.append(.array([letter, .count(number)] + rest))
  }

  /// The view of a listener that is there.
  private func view(of listener: ListenerID, _ client: ClientIndex) -> Int? {
    views.lastIndex {
      $0.isOpen && $0.client == client && $0.registration.listener == listener
    }
  }

  private mutating func take(_ change: Operation.ListenerChange, of client: ClientIndex) {
    if case let .registers(registration) = change {
      if let replaced = view(of: registration.listener, client) { views[replaced].isOpen = false }
      views.append(View(client: client, registration: registration))
      add("b", views.count)
    }
    for (index, view) in views.enumerated() where view.isOpen && view.client == client {
      let own = view.registration
      if own.isRemovable, change.removes(own.listener, at: own.target) { end(index) }
    }
  }

  private mutating func end(_ view: Int) {
    views[view].isOpen = false
    add("e", view + 1)
  }

  private mutating func show(_ event: Event, of client: ClientIndex) {
    guard let view = view(of: event.listener, client) else { return }
    let before = views[view].shown
    let after: Node =
      switch (event.type, event.key) {
      case (.value, _): event.value
      case let (.childRemoved, key?): before.setting(.empty, at: key)
      case let (_, key?): before.setting(event.value, at: key)
      case (_, nil): before
      }
    views[view].shown = after
    change(tree: view + 1, at: .root, from: before, to: after)
    // Listed are the children where their order is not that of their keys.
    let sorted = after.children.keys
    guard sorted.count <= 1000, let order = order(after: event, of: views[view]) else { return }
    let listed = order == sorted ? nil : order
    if views[view].order != listed { add("o", view + 1, Self.json(order)) }
    views[view].order = listed
  }

  /// The order in which a listener lists its children after an event; `nil` where that is unknown.
  private func order(after event: Event, of view: View) -> [Key]? {
    if event.type == .value { return event.childKeys }
    let known = view.shown.children
    var order = (view.order ?? known.keys).filter { $0 != event.key && !known[$0].isEmpty }
    guard event.type != .childRemoved, let key = event.key else { return order }
    switch event.previous {
    case .none: return view.order
    case .first: order.insert(key, at: 0)
    case let .key(previous):
      order.insert(key, at: (order.firstIndex(of: previous) ?? order.count - 1) + 1)
    }
    return order
  }

  /// Adds what must be changed of `old` so that it becomes `new`: as little as possible.
  private mutating func change(tree: Int, at path: Path, from old: Node, to new: Node) {
    if old == new { return }
    let isMapping = !old.isScalar && !old.isEmpty && !new.isScalar && !new.isEmpty
    guard isMapping, old.priority == new.priority else {
      return add("t", tree, Self.json(Array(path.keys)), new.json)
    }
    let differences = new.children.differences(from: old.children)
    // Removals last: with its last child a mapping would lose its priority (VAL-4).
    let ordered = differences.filter { !$0.new.isEmpty } + differences.filter(\.new.isEmpty)
    for difference in ordered {
      change(
        tree: tree, at: path.appending(difference.key), from: difference.old, to: difference.new)
    }
  }

  private static func json(_ keys: [Key]) -> JSON { .array(keys.map { .string($0.string) }) }
}
