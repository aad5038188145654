internal import Tree

/// The search for one order of sets and transactions at a location that explains them all.
///
/// Naive: it tries every order that respects time, and remembers which states led nowhere. So it is
/// for a few entries only.
struct Linearization {
  static let maxEntries = 10

  private let entries: [History.Entry]
  private let final: Node
  private var visited: Set<State> = []

  private struct State: Hashable {
    var done: Int
    var value: Node
  }

  /// - Precondition: There are at most `maxEntries` entries, and all are known.
  init(_ entries: [History.Entry], endingWith final: Node) {
    precondition(entries.count <= Self.maxEntries, "\(entries.count) entries")
    self.entries = entries
    self.final = final
  }

  /// Whether there is such an order that begins with `value`.
  mutating func exists(from value: Node) -> Bool { exists(State(done: 0, value: value)) }

  private mutating func exists(_ state: State) -> Bool {
    let rest = entries.indices.filter { state.done & (1 << $0) == 0 }
    if rest.allSatisfy({ entries[$0].isOptional }), state.value == final { return true }
    guard visited.insert(state).inserted else { return false }
    for index in rest where canBeNext(index, among: rest) {
      guard let value = entries[index].effect(on: state.value) else { continue }
      if exists(State(done: state.done | 1 << index, value: value)) { return true }
    }
    return false
  }

  /// Nothing that must be done ended before it began, and no earlier set of the same client is
  /// left.
  private func canBeNext(_ index: Int, among rest: [Int]) -> Bool {
    let entry = entries[index]
    return rest.allSatisfy { other in
      if other == index || entries[other].isOptional { return true }
      if let end = entries[other].end, end < entry.start { return false }
      let isEarlier = entries[other].start < entry.start && entries[other].client == entry.client
      return !(isEarlier && entries[other].isSet && entry.isSet)
    }
  }
}

extension History.Entry {
  var isSet: Bool {
    if case .set = effect { true } else { false }
  }

  /// What it leaves of `value`; `nil` when it cannot have found that.
  func effect(on value: Node) -> Node? {
    switch effect {
    case let .set(node): node
    case let .change(before, after):
      // A transaction sees no priority and leaves it where it leaves anything (TXN-20).
      before == value.settingPriority(nil) ? after.settingPriority(value.priority) : nil
    case .unknown: nil
    }
  }
}
