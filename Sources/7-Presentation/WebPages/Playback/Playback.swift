internal import ClientInterface
internal import RunModel
internal import Trace
internal import Tree
internal import Wire

/// What can be seen at every moment of a run, as changes from event to event: what each listener
/// shows, which calls wait, who is connected, and what the server has.
///
/// It follows from the events alone, so it can be shown without running anything.
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
  private(set) var changes: [[PlaybackChange]] = []
  /// What the server had at the start, and has at the end.
  let start: Node
  var end: Node { server.tree }

  private var server: ServerModel
  private var new: [PlaybackChange] = []

  /// - Parameters:
  ///   - trace: The run, with its events.
  ///   - data: What the server had at the start.
  ///   - epoch: What clocks showed then.
  init(of trace: Trace, data: Node, epoch: Instant) {
    start = data
    server = ServerModel(data: data, epoch: epoch)
    trace.events.forEach(from: 0) { event in
      new = []
      let before = server.tree
      take(event.pointee)
      server.take(event)
      changes.append(PlaybackChange.differences(of: 0, from: before, to: server.tree) + new)
    }
  }

  private mutating func take(_ event: TraceEvent) {
    switch event.kind {
    case let .input(client, .call(call, operation)):
      if let change = operation.listenerChange {
        take(change, of: client)
      } else if operation.ending == .completion {
        var plain = event
        plain.cause = nil
        new.append(.waits(client, call: call.name, text: plain.text))
      }
    case let .input(client, .opened): new.append(.connection(client, .connected))
    case let .input(client, .closed), let .input(client, .refused),
      let .output(client, .disconnect):
      new.append(.connection(client, .offline))
    case let .input(client, .close):
      new += [.forgets(client), .connection(client, .offline)]
      for index in views.indices where views[index].client == client { views[index].isOpen = false }
    case let .output(client, .connect), let .output(client, .connectTo):
      new.append(.connection(client, .asking))
    case let .output(client, .event(event)): show(event, of: client)
    case let .output(client, .cancelled(listener, _)):
      if let view = view(of: listener, client) { end(view) }
    case let .output(client, .completed(call, _)), let .output(client, .threw(call, _)):
      new.append(.done(client, call: call.name))
    default: break
    }
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
      new.append(.begins(views.count))
    }
    for (index, view) in views.enumerated() where view.isOpen && view.client == client {
      let own = view.registration
      if own.isRemovable, change.removes(own.listener, at: own.target) { end(index) }
    }
  }

  private mutating func end(_ view: Int) {
    views[view].isOpen = false
    new.append(.ends(view + 1))
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
    new += PlaybackChange.differences(of: view + 1, from: before, to: after)
    // Listed are the children where their order is not that of their keys.
    let sorted = after.children.keys
    guard sorted.count <= 1000, let order = order(after: event, of: views[view]) else { return }
    let listed = order == sorted ? nil : order
    if views[view].order != listed { new.append(.order(view + 1, order)) }
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
}

/// What an event of a run changes of what can be seen.
enum PlaybackChange {
  /// The tree of this number, 0 for that of the server, becomes this at the location.
  case tree(Int, Path, Node)
  /// The children of a tree are listed in this order, which is not that of their keys.
  case order(Int, [Key])
  /// A listener begins or ends: its view is the tree of this number.
  case begins(Int)
  case ends(Int)
  /// A call of a client waits for its end, or has come to it.
  case waits(ClientIndex, call: String, text: String)
  case done(ClientIndex, call: String)
  /// All that a process knew is gone.
  case forgets(ClientIndex)
  case connection(ClientIndex, Connection)

  enum Connection: String {
    case offline
    case asking
    case connected
  }
}

extension PlaybackChange {
  /// The change as a list that begins with a letter, for the script of a page.
  var json: JSON {
    func number(_ number: Int) -> JSON { .number(Double(number)) }
    return switch self {
    case let .tree(tree, path, node):
      .array([
        .string("t"), number(tree), .array(path.keys.map { .string($0.string) }), node.json,
      ])
    case let .order(tree, keys):
      .array([.string("o"), number(tree), .array(keys.map { .string($0.string) })])
    case let .begins(tree): .array([.string("b"), number(tree)])
    case let .ends(tree): .array([.string("e"), number(tree)])
    case let .waits(client, call, text):
      .array([.string("w"), number(client.number), .string(call), .string(text)])
    case let .done(client, call): .array([.string("d"), number(client.number), .string(call)])
    case let .forgets(client): .array([.string("f"), number(client.number)])
    case let .connection(client, state):
      .array([.string("c"), number(client.number), .string(state.rawValue)])
    }
  }

  /// What must be changed of `old` so that it becomes `new`: as little as possible.
  static func differences(of tree: Int, from old: Node, to new: Node) -> [PlaybackChange] {
    var changes: [PlaybackChange] = []
    descend(tree, Path(), old, new, &changes)
    return changes
  }

  private static func descend(
    _ tree: Int, _ path: Path, _ old: Node, _ new: Node, _ changes: inout [PlaybackChange]
  ) {
    if old == new { return }
    let isMapping = !old.isScalar && !old.isEmpty && !new.isScalar && !new.isEmpty
    guard isMapping, old.priority == new.priority else {
      changes.append(.tree(tree, path, new))
      return
    }
    let differences = new.children.differences(from: old.children)
    // Removals last: with its last child a mapping would lose its priority (VAL-4).
    let ordered = differences.filter { !$0.new.isEmpty } + differences.filter(\.new.isEmpty)
    for difference in ordered {
      descend(tree, path.appending(difference.key), difference.old, difference.new, &changes)
    }
  }
}
