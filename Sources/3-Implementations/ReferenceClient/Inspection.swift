internal import ClientInterface
internal import Tree
internal import Wire

/// Answers for what an application looks at without the server. No question changes anything.
extension ReferenceClient {
  mutating func inspect(_ inspection: Inspection, as call: CallID) {
    do {
      outputs.append(.answered(call, try answer(to: inspection)))
    } catch {
      outputs.append(.threw(call, error.code))
    }
  }

  private func answer(to inspection: Inspection) throws(Refusal) -> JSON {
    let (part, question, argument) = (inspection.part, inspection.question, inspection.argument)
    if part.problem != nil { throw .invalidPath }
    switch inspection.subject {
    case let .reference(path): return try answer(question, argument, of: path.appending(part))
    case let .address(text):
      guard let address = Address(text), address.host == host else {
        throw Refusal(code: "invalid_url")
      }
      return try answer(question, argument, of: address.path.appending(part))
    case let .snapshot(listener, nth):
      guard let snapshot = snapshots[listener]?.snapshot(nth) else { throw .noSnapshot }
      return try snapshot.child(at: part).answer(question, argument, profile.arrays)
    case let .completion(call):
      guard let received = completions.last(where: { $0.call == call }) else { throw .noSnapshot }
      return try received.snapshot(for: question, of: part)
        .answer(question, argument, profile.arrays)
    case let .mutableData(value, changes):
      let node = try Node(json: value).changed(by: changes)[part]
      // MUT-11: the data that the function was handed have no key, whatever their location.
      if question == "key" { return part.key.json }
      // MUT-10: in the default order.
      return try Snapshot(node, at: part).content(question, argument, profile.arrays)
    case let .query(path, steps):
      return try QueryBuilder(at: path, steps).answer(question, argument)
    }
  }

  /// What the name of a location answers. It holds no data and needs no connection (REF-15).
  private func answer(
    _ question: String, _ argument: JSON, of path: Path
  ) throws(Refusal) -> JSON {
    if path.problem != nil { throw .invalidPath }
    switch question {
    case "key": return path.key.json  // REF-5, REF-10
    case "parent":  // REF-4, REF-11
      let parent = path.parent ?? (profile.rootParent == .itself ? path : nil)
      return parent.map { .string($0.description) } ?? .null
    case "root": return .string(Path.root.description)  // REF-12
    case "child":  // REF-13
      let child = path.appending(try argument.namedPath)
      if child.problem != nil { throw .invalidPath }
      return .string(child.description)
    case "equals": return .bool(path == (try argument.namedPath))  // REF-6
    case "url", "description": return .string(Address(host: host, path: path).text)  // REF-9
    default: throw .unknownQuestion
    }
  }
}

// MARK: - What was handed over

/// What one listener was handed.
struct ReceivedEvents {
  /// What it listens to.
  let target: Operation.Target
  /// Whether its listener can be removed: what a single `get` asked for cannot (GET-3).
  let isRemovable: Bool
  /// Whether it is handed one event only.
  let isOnce: Bool
  /// The first events, in order; no more than `limit`, so that a listener may live for ever.
  private var first: [Event] = []
  private var last: Event?
  private var count = 0

  /// How many of the first events are kept.
  static let limit = 64

  init(at target: Operation.Target, isOnce: Bool, isRemovable: Bool = true) {
    self.target = target
    self.isOnce = isOnce
    self.isRemovable = isRemovable
  }

  /// The snapshot of an event by its number, from 1, or of the last one; `nil` where none was received.
  /// It is made when it is asked for, since few ever are.
  func snapshot(_ nth: Int?) -> Snapshot? {
    let number = nth ?? count
    let isEarly = number != count && first.indices.contains(number - 1)
    let event = number == count ? last : isEarly ? first[number - 1] : nil
    return event.map { Snapshot($0, at: target.path) }
  }

  mutating func follow(_ event: Event) {
    count += 1
    last = event
    if first.isEmpty { first.reserveCapacity(4) }
    if first.count < Self.limit { first.append(event) }
  }
}

/// What the completion of one call was handed: the reference that the call was about, or, of a
/// transaction, the snapshot of what it has left (WRT-10, TXN-22).
struct ReceivedCompletion {
  /// How many are kept, of the calls that completed last.
  static let limit = 64

  let call: CallID
  let path: Path
  let completion: Completion

  /// What answers a question: the snapshot of a transaction or, as far as a reference can, nothing at
  /// the location of another call.
  fileprivate func snapshot(for question: String, of part: Path) throws(Refusal) -> Snapshot {
    if completion.committed == nil, question == "ref" || question == "key" {
      return Snapshot(.empty, at: path)
    }
    guard completion.committed != nil, let value = completion.value else { throw .noSnapshot }
    return Snapshot(value, at: path).child(at: part)
  }
}
