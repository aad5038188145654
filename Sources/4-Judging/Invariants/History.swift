internal import ClientInterface
internal import Trace
import Tree

/// What was done to the server's data in a run, by clients and by others, location by location.
struct History {
  /// One set, or one transaction, at one location.
  struct Entry {
    var client: ClientIndex?
    var call: CallID
    /// The events in which it began and ended; without an end it may still be done later, or never.
    var start: Int
    var end: Int?
    var effect: Effect
    /// Whether it may not have been done at all.
    var isOptional = false
    /// Whether it may have been done more than once.
    var mayRepeat = false

    enum Effect {
      case set(Node)
      /// A transaction that found one value and left another.
      case change(from: Node, to: Node)
      /// Something whose effect cannot be told.
      case unknown
    }
  }

  private struct Name: Hashable {
    var client: ClientIndex
    var call: CallID
  }

  /// Counts up with everything that is noted.
  private(set) var revision = 0
  private var entries: [(path: Path, entry: Entry)] = []
  private var functions: [Name: TransactionFunction] = [:]
  private var inputs: [Name: JSON] = [:]
  /// Where the entries of a call stand.
  private var entryIndices: [Name: [Int]] = [:]

  mutating func note(
    _ client: ClientIndex, _ call: CallID, _ operation: Operation, key: JSON?, at sequence: Int
  ) {
    let name = Name(client: client, call: call)
    if case let .transaction(path, function, _) = operation {
      functions[name] = function
      add(name, path, .unknown, at: sequence)
    } else if let write = PlainWrite(operation, as: call, number: 0, key: key) {
      for set in write.sets {
        // PRI-8: a priority is kept only where something is.
        let isPlain = set.node.isPlain && !set.node.hasServerValues && set.path.key != .priority
        add(name, set.path, isPlain ? .set(set.node) : .unknown, at: sequence)
      }
    }
  }

  private mutating func add(
    _ name: Name, _ path: Path, _ effect: Entry.Effect, at sequence: Int
  ) {
    revision += 1
    entryIndices[name, default: []].append(entries.count)
    let entry = Entry(
      client: name.client, call: name.call, start: sequence, effect: effect, isOptional: true)
    entries.append((path, entry))
  }

  /// Notes that somebody else wrote at the server.
  mutating func noteServerWrite(_ sets: [(path: Path, node: Node)], at sequence: Int) {
    revision += 1
    for set in sets {
      let effect = set.node.isPlain ? Entry.Effect.set(set.node) : .unknown
      let entry = Entry(
        client: nil, call: "server", start: sequence, end: sequence, effect: effect)
      entries.append((set.path, entry))
    }
  }

  mutating func noteRun(_ client: ClientIndex, _ call: CallID, _ input: JSON) {
    revision += 1
    inputs[Name(client: client, call: call)] = input
  }

  mutating func noteRepetition(_ client: ClientIndex, _ call: CallID) {
    revision += 1
    for index in entryIndices[Name(client: client, call: call)] ?? [] {
      entries[index].entry.mayRepeat = true
    }
  }

  /// Notes that a client started with what an earlier process kept: what had not ended is done
  /// again.
  mutating func noteRestart(_ client: ClientIndex) {
    for index in entries.indices
    where entries[index].entry.client == client && entries[index].entry.end == nil {
      entries[index].entry.mayRepeat = true
    }
  }

  mutating func noteEnd(
    _ client: ClientIndex, _ call: CallID, _ completion: Completion, at sequence: Int
  ) {
    revision += 1
    let name = Name(client: client, call: call)
    for index in entryIndices[name] ?? [] where entries[index].entry.end == nil {
      // Whether what was on a lost connection was done is not known (TXN-13).
      if completion.error == "disconnect" {
        entries[index].entry.effect = .unknown
        continue
      }
      entries[index].entry.end = sequence
      let isDone = completion.error == nil && completion.committed != false
      entries[index].entry.isOptional = !isDone
      if !isDone { entries[index].entry.effect = .change(from: .empty, to: .empty) }
      guard isDone, let function = functions[name] else { continue }
      entries[index].entry.effect = Self.effect(of: function, on: inputs[name])
    }
  }

  private static func effect(of function: TransactionFunction, on input: JSON?) -> Entry.Effect {
    guard let input, case let .returned(output) = function(input) else { return .unknown }
    let (before, after) = (Node(json: input), Node(json: output))
    return before.isPlain && after.isPlain ? .change(from: before, to: after) : .unknown
  }
}

extension History {
  /// The locations of which the whole history can be told, in order, each with what was done there.
  /// Only those where several things were done: one alone shows nothing.
  ///
  /// Left out are locations that share writes with locations above or below them, and refused
  /// entries.
  func accountable(apartFrom others: [Path]) -> [(path: Path, entries: [Entry])] {
    var byPath: [Path: [Int]] = [:]
    for index in entries.indices where !entries[index].entry.isRefused {
      byPath[entries[index].path, default: []].append(index)
    }
    let candidates = byPath.filter { $0.value.count > 1 }.map(\.key)
    let alone = candidates.filter { path in
      !others.contains { $0.isRelated(to: path) }
        && !byPath.keys.contains { $0.isRelated(to: path) && $0 != path }
    }
    return alone.sorted().compactMap { path in
      let own = (byPath[path] ?? []).map { entries[$0].entry }
      return own.allSatisfy(\.isKnown) ? (path, own) : nil
    }
  }

  /// The function of a call that adds a constant.
  func increment(of entry: Entry) -> Double? {
    guard let client = entry.client,
      case let .increment(delta)? = functions[Name(client: client, call: entry.call)]
    else { return nil }
    return delta
  }
}

extension History.Entry {
  /// Whether it ended without having done anything.
  var isRefused: Bool { end != nil && isOptional }

  var isKnown: Bool {
    if mayRepeat { return false }
    if case .unknown = effect { return false }
    return true
  }
}

extension Node {
  /// Whether it is a scalar or nothing, without a priority.
  fileprivate var isPlain: Bool { children.isEmpty && priority == nil }
}
