internal import ClientInterface
internal import Tree
internal import Wire

// The numbers that distinguish the kinds are part of every recorded trace hash: they never change.

extension Fingerprint {
  mutating func combine(
    _ kind: TraceEvent.Kind, cause: Int?, time: Interval, step: Int
  ) {
    let stamp = Stamp(cause: cause, time: time, step: step)
    switch kind {
    case let .step(text):
      combine(stamp.word(1))
      combine(text)
    case let .input(client, input):
      combine(stamp.word(2, client))
      combine(input)
    case let .output(client, output):
      combine(stamp.word(3, client))
      combine(output)
    case let .serverReceived(client, message):
      combine(stamp.word(4, client))
      combine(message)
    case let .serverSent(client, message):
      combine(stamp.word(5, client))
      combine(message)
    case let .lostToServer(client, message):
      combine(stamp.word(6, client))
      combine(message)
    case let .lostToClient(client, message):
      combine(stamp.word(7, client))
      combine(message)
    case .serverOpened, .serverClosed, .fault, .serverWrite, .serverUpdate:
      combineUncommon(kind, stamp)
    }
  }

  private mutating func combineUncommon(_ kind: TraceEvent.Kind, _ stamp: Stamp) {
    switch kind {
    case let .serverOpened(client, session):
      combine(stamp.word(8, client))
      combine(session)
    case let .serverClosed(client, session):
      combine(stamp.word(9, client))
      combine(session)
    case let .fault(incident):
      combine(stamp.word(10, incident.client))
      combine(incident.recordedText)
    case let .serverWrite(path, node):
      combine(stamp.word(11))
      combine(path, node)
    case let .serverUpdate(path, assignments):
      combine(stamp.word(12))
      combine(path, assignments)
    case .step, .input, .output, .serverReceived, .serverSent, .lostToServer, .lostToClient: break
    }
  }
}

/// When and why an event happened, as one word.
///
/// The parts are multiplied side by side and not one after the other, because every event of every
/// run goes through here.
private struct Stamp {
  private let bits: UInt64

  init(cause: Int?, time: Interval, step: Int) {
    bits =
      UInt64(bitPattern: time.nanoseconds) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt64(bitPattern: Int64(cause ?? -1)) &* 0xC2B2_AE3D_27D4_EB4F
      ^ UInt64(bitPattern: Int64(step)) &* 0x1656_67B1_9E37_79F9
  }

  /// The stamp with the number of a kind of event and the client that it is about.
  func word(_ kind: UInt64, _ client: ClientIndex? = nil) -> UInt64 {
    let who = UInt64(bitPattern: Int64(client?.number ?? -1))
    return bits ^ (kind | who << 8) &* 0xFF51_AFD7_ED55_8CCD
  }
}

// What messages, inputs and outputs are made of.

extension Fingerprint {
  mutating func combine(_ path: Path) {
    combine(path.count)
    for key in path.keys { combine(key) }
  }

  mutating func combine(_ key: Key) { combine(key.fingerprint.bits) }

  mutating func combine(_ node: Node) { combine(node.fingerprint.bits) }

  mutating func combine(_ path: Path, _ node: Node) {
    combine(path)
    combine(node)
  }

  mutating func combine(_ path: Path, _ assignments: [Assignment]) {
    combine(path)
    combine(assignments)
  }

  mutating func combine(_ assignments: [Assignment]) {
    combine(assignments.count)
    for assignment in assignments { combine(assignment.path, assignment.node) }
  }

  mutating func combine(_ kind: Int, _ text: String) {
    combine(kind)
    combine(text)
  }

  /// Two small numbers as one word.
  mutating func combine(_ kind: Int, _ number: Int) { combine(kind | number << 8) }

  mutating func combine(_ kind: Int, _ path: Path) {
    combine(kind)
    combine(path)
  }

  mutating func combine(_ kind: Int, _ path: Path, _ node: Node) {
    combine(kind)
    combine(path, node)
  }

  mutating func combine(_ kind: Int, _ path: Path, _ assignments: [Assignment]) {
    combine(kind)
    combine(path, assignments)
  }

  mutating func combine(_ number: Double) { combine(number.bitPattern) }

  mutating func combine(_ scalar: Scalar?) { combine(scalar.map { Node($0) } ?? .empty) }

  mutating func combine(_ number: Int?) {
    combine(number == nil ? 0 : 1)
    if let number { combine(number) }
  }

  mutating func combine(_ text: String?) {
    combine(text == nil ? 0 : 1)
    if let text { combine(text) }
  }

  mutating func combine(_ json: JSON) {
    switch json {
    case .null: combine(1)
    case let .bool(bool): combine(bool ? 2 : 3)
    case let .number(number):
      combine(4)
      combine(number)
    case let .string(text):
      combine(5, text)
    case let .array(elements):
      combine(6)
      combine(elements.count)
      for element in elements { combine(element) }
    case let .object(members):
      combine(7)
      combine(members.count)
      for member in members {
        combine(member.name)
        combine(member.value)
      }
    }
  }

  mutating func combine(_ query: Query?) {
    combine(query == nil ? 0 : 1)
    guard let query else { return }
    combine(query.ordering)
    combine(query.start)
    combine(query.end)
    switch query.limit {
    case nil: combine(0)
    case let .first(count)?: combine(count << 2 | 1)
    case let .last(count)?: combine(count << 2 | 2)
    }
  }

  mutating func combine(_ ordering: Query.Ordering) {
    switch ordering {
    case .key: combine(1)
    case .value: combine(2)
    case .priority: combine(3)
    case let .child(path):
      combine(4, path)
    }
  }

  private mutating func combine(_ bound: Query.Bound?) {
    combine(bound == nil ? 0 : bound?.edge == .inclusive ? 1 : 2)
    guard let bound else { return }
    combine(bound.value)
    combine(bound.key == nil ? 0 : 1)
    if let key = bound.key { combine(key) }
  }
}
