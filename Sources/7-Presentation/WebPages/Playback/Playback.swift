internal import ClientInterface
internal import Reports
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
    var client: ClientIndex
    var name: String
    var target: Operation.Target
  }

  /// In the order in which they were registered; the tree of each has its number plus 1.
  private(set) var views: [View] = []
  /// For each event what it changes.
  private(set) var changes: [[PlaybackChange]] = []
  /// What the server had at the start, and has at the end.
  let start: Node
  var end: Node { server.tree }

  private var server: ServerModel
  private var shown: [Node] = []
  private var orders: [[Key]?] = []
  /// The numbers of the views that are there, by the name of the listener.
  private var open: [Name: Int] = [:]
  private var new: [PlaybackChange] = []

  private struct Name: Hashable {
    var client: ClientIndex
    var listener: ListenerID
  }

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
    case let .input(client, input): take(input, of: client)
    case let .output(client, output): take(output, of: client)
    case .step, .serverReceived, .serverSent, .serverOpened, .serverClosed, .lostToServer,
      .lostToClient, .fault, .serverWrite, .serverUpdate:
      break
    }
  }

  private mutating func take(_ input: ClientInput, of client: ClientIndex) {
    switch input {
    case .opened: new.append(.connection(client, .connected))
    case .closed, .refused: new.append(.connection(client, .offline))
    case .close:
      new += [.forgets(client), .connection(client, .offline)]
      for (name, _) in open where name.client == client { open[name] = nil }
    case let .call(call, operation): take(operation, call, of: client)
    case .open, .frame, .timer: break
    }
  }

  private mutating func take(_ operation: Operation, _ call: CallID, of client: ClientIndex) {
    switch operation.listenerChange {
    case let .registers(registration):
      open[Name(client: client, listener: registration.listener)] = views.count
      views.append(
        View(client: client, name: registration.listener.name, target: registration.target))
      shown.append(.empty)
      orders.append(nil)
      new.append(.begins(views.count))
    case let .removes(id, path):
      let name = Name(client: client, listener: id)
      guard let view = open[name], path == nil || path == views[view].target.path else { return }
      end(name)
    case let .removesAll(target):
      for (index, view) in views.enumerated() where view.client == client && view.target == target {
        let name = Name(client: client, listener: ListenerID(view.name))
        if open[name] == index { end(name) }
      }
    case nil:
      guard operation.ending == .completion else { return }
      let text = TraceEvent(
        sequence: 0, cause: nil, time: .zero, step: 0, kind: .input(client, .call(call, operation))
      ).text
      new.append(.waits(client, call: call.name, text: text))
    }
  }

  private mutating func end(_ name: Name) {
    if let view = open.removeValue(forKey: name) { new.append(.ends(view + 1)) }
  }

  private mutating func take(_ output: ClientOutput, of client: ClientIndex) {
    switch output {
    case .connect, .connectTo: new.append(.connection(client, .asking))
    case .disconnect: new.append(.connection(client, .offline))
    case let .event(event): show(event, of: client)
    case let .cancelled(listener, _): end(Name(client: client, listener: listener))
    case let .completed(call, _), let .threw(call, _):
      new.append(.done(client, call: call.name))
    case .send, .setTimer, .cancelTimer, .answered, .updateRan, .calling, .returned, .store, .erase,
      .uncaught, .log:
      break
    }
  }

  private mutating func show(_ event: Event, of client: ClientIndex) {
    guard let view = open[Name(client: client, listener: event.listener)] else { return }
    let before = shown[view]
    switch event.type {
    case .value: shown[view] = event.value
    case .childAdded, .childChanged, .childMoved:
      if let key = event.key { shown[view] = before.setting(event.value, at: key) }
    case .childRemoved: if let key = event.key { shown[view] = before.setting(.empty, at: key) }
    }
    new += PlaybackChange.differences(of: view + 1, from: before, to: shown[view])
    followOrder(after: event, of: view)
  }

  /// Follows the order in which a listener lists its children, where that is not that of their
  /// keys.
  private mutating func followOrder(after event: Event, of view: Int) {
    let sorted = shown[view].children.keys
    guard sorted.count <= 1000, let order = order(after: event, of: view) else { return }
    let differs = order != sorted
    guard differs || orders[view] != nil, orders[view] != order else { return }
    orders[view] = differs ? order : nil
    new.append(.order(view + 1, order))
  }

  private func order(after event: Event, of view: Int) -> [Key]? {
    if event.type == .value { return event.childKeys }
    let known = shown[view].children
    var order = (orders[view] ?? known.keys).filter { $0 != event.key && !known[$0].isEmpty }
    guard event.type != .childRemoved, let key = event.key else { return order }
    switch event.previous {
    case .none: return orders[view]
    case .first: order.insert(key, at: 0)
    case let .key(previous):
      order.insert(key, at: (order.firstIndex(of: previous) ?? order.count - 1) + 1)
    }
    return order
  }
}
