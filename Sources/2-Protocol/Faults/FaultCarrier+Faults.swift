internal import ClientInterface
internal import Wire

// What each fault does, wherever it happens.

extension FaultCarrier {
  /// Lets a fault do what it is about. The mark is `nil` for one that is not asked about.
  package mutating func happen(_ fault: IndexedFault, mark: Int?, _ context: inout Context) {
    for part in parts(of: fault) {
      announce(part, &context)
      perform(part, mark, &context)
    }
  }

  private mutating func perform(_ fault: IndexedFault, _ mark: Int?, _ context: inout Context) {
    switch fault {
    case let .cut(client): cut(client.number, mark, &context)
    case let .drop(client): faults.takeEffect(mark, if: breakOff(client.number, &context))
    case let .heal(client): heal(client.number, mark, &context)
    case let .refuse(client):
      changeNetwork(of: client.number) { $0.setAccess(.refusing, mark: mark) }
    case let .latency(latency, client): setLatency(latency, of: client, mark)
    case let .stall(client, direction): stall(client.number, direction, mark, &context)
    case let .resume(client, direction):
      endStalls(of: client.number, direction, mark: mark, &context)
    case let .halfOpen(client, side): halfOpen(client.number, side, mark, &context)
    case let .lateClose(client, interval): closeLate(client.number, interval, mark, &context)
    case let .redirect(client, host): redirect(client, to: host, mark, &context)
    case let .shutdown(client, reason):
      for index in indices(of: client) { notify(index, .shutdown(reason), mark: mark, &context) }
    case let .closeAfter(client, count, direction):
      armSecondPart(.count(count, client, direction), mark, &context)
    case let .loseAcknowledgement(client):
      armSecondPart(.message(.acknowledgement, of: client, .before), mark, &context)
    case let .serverClock(skew): setServerClock(skew, mark)
    case let .reject(rule): reject(rule, mark, &context)
    case let .revoke(path):
      if revoke(path, &context) {
        faults.takeEffect(mark)
      } else {
        serverFaults.add(SecurityRule(path, deny: [.read]), mark: mark)
      }
    case let .revokeAuth(client):
      faults.takeEffect(mark, if: revokeCredential(of: client.number, &context))
    case let .stale(count, data): refuseAsStale(next: count, data, mark, &context)
    case let .restart(down, fate): restart(down, fate, mark, &context)
    case let .write(write):
      faults.takeEffect(mark)
      change(write, &context)
    case .kill, .start, .skew, .drift, .jump, .writeError, .storageFull, .tornRecord,
      .storageWorks:
      disturbMachine(fault, mark: mark, &context)
    }
  }

  private mutating func cut(_ client: Int, _ mark: Int?, _ context: inout Context) {
    changeNetwork(of: client) { $0.setAccess(.cut, mark: mark) }
    faults.takeEffect(mark, if: breakOff(client, &context))
  }

  private mutating func heal(_ client: Int, _ mark: Int?, _ context: inout Context) {
    faults.takeEffect(mark, if: network(of: client).access != .up)
    changeNetwork(of: client) { $0.access = .up }
    endStalls(of: client, .both, mark: mark, &context)
  }

  private mutating func setLatency(_ latency: Latency, of client: ClientIndex?, _ mark: Int?) {
    if client == nil { setLatencyOfNewClients(latency) }
    for index in indices(of: client) {
      changeNetwork(of: index) { $0.setLatency(latency, mark: mark) }
    }
  }

  private mutating func stall(
    _ client: Int, _ direction: FaultDirection, _ mark: Int?, _ context: inout Context
  ) {
    changeNetwork(of: client) { $0.stalls.begin(direction, mark: mark) }
    didStall(client, &context)
  }

  private mutating func halfOpen(
    _ client: Int, _ side: FaultSide, _ mark: Int?, _ context: inout Context
  ) {
    for connection in openConnections(of: client) {
      let isLoss = die(connection, mark: mark, &context)
      faults.takeEffect(mark, if: isLoss || side != .neither)
      if side != .client { leaveUnnoticed(connection) }
      if side == .server {
        closeServerSide(of: connection, &context)
      } else {
        endLater(connection, after: longestSilence, lateMark: nil, &context)
      }
      if side == .client { closeClientSide(of: connection, &context) }
    }
  }

  private mutating func closeLate(
    _ client: Int, _ interval: Interval, _ mark: Int?, _ context: inout Context
  ) {
    for connection in openConnections(of: client) {
      faults.takeEffect(mark, if: die(connection, mark: mark, &context))
      endLater(connection, after: max(.zero, interval), lateMark: mark, &context)
      closeClientSide(of: connection, &context)
    }
  }

  private mutating func redirect(
    _ client: ClientIndex?, to host: String, _ mark: Int?, _ context: inout Context
  ) {
    addHost(host)
    for index in indices(of: client) {
      changeNetwork(of: index) { $0.home = (host, mark) }
      notify(index, .reset(host: host), mark: mark, &context)
    }
  }

  private mutating func setServerClock(_ skew: Interval, _ mark: Int?) {
    faults.takeEffect(mark, if: skew == .zero && serverSkew != .zero)
    serverSkew = skew
    serverFaults.setSkew(skew, mark: mark)
  }

  private mutating func reject(_ rule: SecurityRule, _ mark: Int?, _ context: inout Context) {
    deny(rule, &context)
    serverFaults.add(rule, mark: mark)
  }

  private mutating func refuseAsStale(
    next count: Int, _ data: StaleData, _ mark: Int?, _ context: inout Context
  ) {
    refuseAsStale(next: count, data, &context)
    serverFaults.staleMark = mark
  }

  private mutating func restart(
    _ down: Interval, _ fate: OnDisconnectFate, _ mark: Int?, _ context: inout Context
  ) {
    goDown(for: down, mark: mark, context)
    faults.takeEffect(mark, if: restart(fate, &context))
  }

  /// The client with this index, or every client.
  private func indices(of client: ClientIndex?) -> Range<Int> {
    client.map { $0.number..<$0.number + 1 } ?? clientIndices
  }
}

// When faults happen.

extension FaultCarrier {
  /// Lets a fault happen now.
  ///
  /// - Returns: The position of its mark.
  @discardableResult
  package mutating func inject(_ fault: IndexedFault, _ context: inout Context) -> Int {
    let mark = faults.add(fault, trigger: nil)
    fire(mark, &context)
    return mark
  }

  /// Lets a fault happen once, when the trigger matches. Nothing happens when it never does.
  ///
  /// Several that match at the same message happen in the order in which they were armed.
  ///
  /// - Returns: The position of its mark.
  @discardableResult
  package mutating func arm(
    _ fault: IndexedFault, _ trigger: Trigger, _ context: inout Context
  ) -> Int {
    let mark = faults.add(fault, trigger: trigger)
    announceArming(of: fault, &context)
    arm(ArmedFault(mark: mark, trigger: trigger), &context)
    return mark
  }

  private mutating func arm(_ element: ArmedFault, _ context: inout Context) {
    var element = element
    if case let .after(interval) = element.trigger {
      element.due = schedule(element.mark, after: max(.zero, interval), &context)
    }
    faults.arm(element)
  }

  /// Waits for what a fault is really about.
  private mutating func armSecondPart(
    _ trigger: Trigger, _ mark: Int?, _ context: inout Context
  ) {
    guard let mark else { return }
    arm(ArmedFault(mark: mark, trigger: trigger, isSecondPart: true), &context)
  }

  /// The time for which an armed fault waits has come.
  package mutating func fireArmed(_ mark: Int, _ context: inout Context) {
    if let element = faults.take(mark) { fire(element, &context) }
  }

  /// A message passes: what waits for it happens.
  package mutating func fireArmed(
    at messageDelivery: MessageDelivery, _ edge: Trigger.Edge, _ context: inout Context
  ) {
    for element in faults.take(at: messageDelivery, edge) {
      // Each is caused by the message, not by the one before.
      setCause(messageDelivery.cause, in: &context)
      fire(element, &context)
    }
  }

  private mutating func fire(_ element: ArmedFault, _ context: inout Context) {
    if element.isSecondPart, let client = faults.marks[element.mark].fault.client {
      return happen(.drop(client), mark: element.mark, &context)
    }
    fire(element.mark, &context)
    let left = faults.repeats(of: element.mark)
    guard left > 0 else { return }
    let mark = arm(faults.marks[element.mark].fault, element.trigger, &context)
    faults.setRepeats(left - 1, of: mark)
  }

  private mutating func fire(_ mark: Int, _ context: inout Context) {
    let fault = faults.marks[mark].fault
    guard canHappen(fault) else { return }
    faults.fire(mark)
    happen(fault, mark: mark, &context)
  }
}
