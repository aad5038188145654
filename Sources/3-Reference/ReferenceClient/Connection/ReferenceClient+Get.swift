internal import ClientInterface
internal import Tree
internal import Wire

// Single reads from the server. They register nothing, so that no listener and no listen changes
// (GET-3).

extension ReferenceClient {
  /// Answers from what is known completely (GET-6), or asks the server.
  mutating func get(_ listener: ListenerID, _ target: Operation.Target) {
    snapshots[listener] = ReceivedEvents(at: target, isRemovable: false)
    if let window = knownWindow(of: target) { return show(window.node, listener, target) }
    let get = OutstandingGet(number: requests.nextNumber(), listener: listener, target: target)
    requests.gets.append(get)
    if link.state == .ready { transmit(get) }
  }

  /// Asks the server, also again on a new connection (GET-5).
  mutating func transmit(_ get: OutstandingGet) {
    transmit(.get(get.target.path, get.target.query), expecting: .get(number: get.number))
  }

  mutating func finish(_ get: OutstandingGet, _ response: ServerMessage.Response) {
    guard response.status == "ok" else {
      outputs.append(.cancelled(get.listener, ErrorCode(response.status)))
      return
    }
    show(Node(json: response.payload), get.listener, get.target)
  }

  private func knownWindow(of target: Operation.Target) -> Window? {
    if target.path.keys.first == .info {
      return target.query.window(of: info.visible(at: target.path))
    }
    if tree.isKnown(target.path) { return target.query.window(of: tree.visible(at: target.path)) }
    guard let view = tree.view(at: target.path, target.query), view.shown.isWhole else {
      return nil
    }
    return view.shown.window
  }

  private mutating func show(_ node: Node, _ listener: ListenerID, _ target: Operation.Target) {
    let event = Event(
      .value, to: listener, key: target.path.key, value: node, order: .sorted(target.query.ordering)
    )
    updateSnapshot(with: event)
    outputs.append(.event(event))
  }
}
