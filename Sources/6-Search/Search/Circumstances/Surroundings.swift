internal import ClientInterface
internal import Conformance
internal import Faults
internal import RunModel
internal import Scenario
internal import Trace
internal import Tree
internal import Wire

/// What a client has in place at a moment: what it listens to, what became of what it wrote, which
/// keys it has dealt with, and which faults it has met.
struct Surroundings {
  private(set) var model: ClientModel
  private let client: ClientIndex
  /// How calls have ended that did not do what they were for.
  private var failed: [CallID: String] = [:]
  /// The calls that were refused as they were made.
  private var thrown: [ClientInterface.Operation] = []
  /// Where it wrote or received keys that are no plain ones.
  private var keys: [(kind: String, path: Path)] = []
  private var faults: Set<String> = []
  /// The data of the last input.
  private var given: [(path: Path, node: Node)] = []

  /// Follows a client up to an event of a run, or to its end.
  init(of client: ClientIndex, before end: Int?, in result: ScenarioResult) {
    self.client = client
    model = ClientModel(result.profile)
    var turns = TurnReader()
    result.trace.events.forEach(from: 0) { event in
      if let end, event.pointee.sequence > end { return }
      if case let .fault(.fault(fault)) = event.pointee.kind, fault.client == client {
        faults.insert("fault " + fault.kind.name)
      }
      if turns.end(before: event, of: result.trace) { take(turns.step) }
      turns.take(event, wrongTimes: [:])
      if event.pointee.sequence == end, case .input(client, let input) = event.pointee.kind {
        give(input.data)
      }
    }
    // The turn that the end begins is not over.
    if end == nil, turns.end() { take(turns.step) }
  }

  private mutating func take(_ step: ClientStep) {
    guard step.client == client else { return }
    model.take(step)
    give(step.input.data)
    for done in step.outputs {
      if case let .completed(call, completion) = done.output {
        let isAborted = completion.error == nil && completion.committed == false
        failed[call] = completion.error != nil ? "refused" : isAborted ? "aborted" : nil
      } else if case .threw = done.output, case let .call(_, operation) = step.input {
        thrown.append(operation)
      }
    }
  }

  private mutating func give(_ data: [(path: Path, node: Node)]) {
    given = data
    for (path, node) in given {
      for place in path.lineage.dropFirst() { take(keyOf: place) }
      takeKeys(in: node, at: path)
    }
  }

  private mutating func takeKeys(in node: Node, at path: Path) {
    for entry in node.children {
      let place = path.appending(entry.key)
      take(keyOf: place)
      takeKeys(in: entry.node, at: place)
    }
  }

  private mutating func take(keyOf place: Path) {
    guard let kind = place.key?.kind, !keys.contains(where: { $0 == (kind, place) }) else { return }
    keys.append((kind, place))
  }
}

// MARK: - Words

extension Surroundings {
  /// What is in place at the location of a subject, above and below; everything, where it has none.
  func words(around subject: Subject) -> [String] {
    let path = subject.location
    var words = faults
    if case let .child(order)? = subject.query?.ordering, order.count > 1 {
      words.insert("deep order")
    }
    for listener in model.application.listeners.all {
      if case .listener(_, listener.id.name, _) = subject {
        words.formUnion(listener.conditions)
        if listener.target.query.filters { words.formUnion(self.words(ofWindow: listener)) }
      } else if let place = listener.target.path.place(around: path) {
        words.insert(listener.word + place)
      }
    }
    let calls = model.application.calls.requested
    var openCount = 0
    for (index, call) in calls.enumerated() {
      guard let word = word(ofCall: index), let place = call.path.place(around: path) else {
        continue
      }
      words.insert(word + place)
      if call.hasEnded { continue }
      openCount += 1
      for name in call.deepNames {
        if let place = name.place(around: path) { words.insert("deep name open" + place) }
      }
    }
    if openCount > 1 { words.insert("several open") }
    for operation in thrown where operation.isWrite {
      guard let place = operation.path?.place(around: path) else { continue }
      words.insert(operation.circumstances.joined(separator: " ") + " thrown" + place)
    }
    for key in keys {
      if let place = key.path.place(around: path) { words.insert(key.kind + place) }
    }
    return words.sorted()
  }

  /// What there is to say of a call; `nil` for one that has done what it was for, and at once.
  private func word(ofCall index: Int) -> String? {
    let requested = model.application.calls.requested
    let call = requested[index]
    var state = call.hasEnded ? failed[call.call] : "open"
    if !call.hasEnded, call.isTransaction {
      let later = requested[(index + 1)...].compactMap(\.write).flatMap(\.sets)
      let count = later.count { $0.path.isRelated(to: call.path) }
      if count > 0 { state = count > 1 ? "overtaken twice" : "overtaken" }
    }
    if call.inputs.count > 1 { state = state.map { "rerun " + $0 } ?? "ended rerun" }
    return state.map { call.word + " " + $0 }
  }

  /// Which children of a window were just given or are being written, whole or in part, and whether
  /// it shows them.
  private func words(ofWindow listener: Listener) -> Set<String> {
    let path = listener.target.path
    let open = model.application.calls.requested.filter { !$0.hasEnded }
      .flatMap { call in call.write?.sets.map(\.path) ?? [call.path] }
    var words = Set(open.compactMap { listener.word(ofChildAt: $0) }.map { "open " + $0 })
    words.formUnion(given.compactMap { listener.word(ofChildAt: $0.path) }.map { "given " + $0 })
    let children = given.compactMap { $0.path.relative(to: path)?.keys.first }
    if Set(children).count > 1 { words.insert("given several children") }
    return words
  }
}

extension RequestedCall {
  /// Its name with the kind of its function; a set to nothing is a removal.
  fileprivate var word: String {
    if case .set = operation, write?.sets.first?.node.isEmpty == true { return "remove" }
    return operation.circumstances.joined(separator: " ")
  }

  /// What an update sets further below than its children.
  fileprivate var deepNames: [Path] {
    let depth = path.keys.count + 1
    return write?.sets.map(\.path).filter { $0.keys.count > depth } ?? []
  }
}

extension Listener {
  /// What it is for another one: its kind, and that it has ended.
  fileprivate var word: String {
    let kind = (["listener"] + target.query.circumstances).joined(separator: " ")
    if isLive { return kind }
    if state == .live { return "answered " + kind }
    return (state == .removed ? "removed " : "cancelled ") + kind
  }

  /// What is special about what it shows.
  fileprivate var conditions: [String] {
    if value == nil, children.isEmpty { return ["nothing shown"] }
    return target.query.limit.map { children.count >= $0.count } == true ? ["full window"] : []
  }

  /// Which child a location is, or is part of; `nil` for one that is not below.
  fileprivate func word(ofChildAt location: Path) -> String? {
    guard let keys = location.relative(to: target.path)?.keys, let key = keys.first else {
      return nil
    }
    let isShown = !children[key].isEmpty || !(value ?? .empty)[key].isEmpty
    return (keys.count > 1 ? "part of a child" : "child") + (isShown ? " shown" : " not shown")
  }
}

extension Subject {
  /// Where it is; `nil` for a client and for a call about no location.
  fileprivate var location: Path? {
    switch self {
    case let .listener(_, _, target): target.path
    case let .call(_, _, operation): operation.path
    case .client, .server: nil
    }
  }

  fileprivate var query: Query? {
    switch self {
    case let .listener(_, _, target): target.query
    case let .call(_, _, operation): operation.registration?.target.query
    case .client, .server: nil
    }
  }
}

extension Key {
  /// The names that languages give to what their objects have.
  private static let namesOfObjects: Set<String> = [
    "constructor", "hasOwnProperty", "isPrototypeOf", "length", "propertyIsEnumerable", "prototype",
    "toLocaleString", "toString", "valueOf",
  ]

  /// What is special about it: a name that languages give to their objects, letters that can be
  /// written in several ways, or more digits than an integer has; `nil` for a plain key.
  fileprivate var kind: String? {
    let text = string
    if Self.namesOfObjects.contains(text) || text.hasPrefix("__") && text.hasSuffix("__") {
      return "object key"
    }
    if text.utf8.contains(where: { $0 > 0x7F }) { return "accented key" }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit)
    return isNumber && integer == nil ? "long number key" : nil
  }
}

extension Path {
  /// Where it is, seen from another location: with a blank before it; `nil` where it has nothing to
  /// do with that.
  fileprivate func place(around other: Path?) -> String? {
    guard let other else { return "" }
    if self == other { return " at" }
    return other.starts(with: self) ? " above" : starts(with: other) ? " below" : nil
  }
}
