/// The states that runs reached, and with which seeds first.
///
/// For each state the three smallest seeds are known that reach it. So tables can be put together in
/// any order and as often as one likes, and still say which states were reached by one seed alone, or
/// by two, as the estimate of what is missing needs.
public struct StateTable: Sendable {
  private var slots: [UInt32: Slot] = [:]
  /// The states of which something is known that `takeNews` has not handed out.
  private var news: [UInt32] = []

  /// What is known of a state.
  private struct Slot: Sendable {
    /// How many runs reached it, as far as this table has seen them.
    var runs = 0
    /// The run that reached it last.
    var stamp: UInt64?
    var isNews = false
    /// The smallest, at most three, ascending.
    var seeds: [UInt64] = []

    mutating func record(_ run: UInt64, as code: UInt32, _ news: inout [UInt32]) -> Int {
      if stamp == run { return 0 }
      stamp = run
      runs += 1
      learn(run, as: code, &news)
      return runs
    }

    /// Keeps the three smallest seeds.
    ///
    /// - Returns: Whether this is one of them, and is new.
    @discardableResult
    mutating func learn(_ seed: UInt64, as code: UInt32, _ news: inout [UInt32]) -> Bool {
      let index = seeds.firstIndex { seed <= $0 } ?? seeds.count
      if index == 3 || index < seeds.count && seeds[index] == seed { return false }
      seeds.insert(seed, at: index)
      if seeds.count > 3 { seeds.removeLast() }
      if !isNews { news.append(code) }
      isNews = true
      return true
    }
  }

  /// Begins without a state.
  public init() {}

  /// How many states there are.
  public var count: Int { slots.count }

  /// Records that a run has reached a state; again in the same run it changes nothing.
  ///
  /// - Returns: How many runs have reached it with this one; 0 if this one had already.
  @discardableResult
  mutating func record(_ code: UInt32, run stamp: UInt64) -> Int {
    slots[code, default: Slot()].record(stamp, as: code, &news)
  }

  /// Adds what another table knows.
  ///
  /// - Returns: Whether that was news.
  @discardableResult
  public mutating func add(_ entry: Entry) -> Bool {
    let code = entry.state
    return entry.seeds.map { slots[code, default: Slot()].learn($0, as: code, &news) }.contains(
      true)
  }

  /// Hands out the states of which something is known that it has not handed out before.
  package mutating func takeNews() -> [Entry] {
    let codes = news
    news = []
    return codes.map { code in
      slots[code]?.isNews = false
      return Entry(state: code, seeds: slots[code]?.seeds ?? [])
    }
  }

  /// The seeds that are among the smallest of some state: at most three times as many as states.
  package var firstSeeds: Set<UInt64> { slots.values.reduce(into: []) { $0.formUnion($1.seeds) } }

  /// How many runs have reached a state.
  func runs(_ code: UInt32) -> Int { slots[code]?.runs ?? 0 }

  /// Every state, in the order of their numbers.
  public var entries: [Entry] {
    slots.map { Entry(state: $0, seeds: $1.seeds) }.sorted { $0.state < $1.state }
  }
}

extension StateTable {
  /// A state with the smallest seeds that reach it, at most three, ascending.
  public struct Entry: Hashable, Sendable {
    /// The state: the numbers of the values of `ModelField.all`.
    public var state: UInt32
    /// Ascending.
    public var seeds: [UInt64]

    /// The entry in one word: `1a2b:7,19`.
    public var text: String {
      String(state, radix: 16) + ":" + seeds.map { String($0) }.joined(separator: ",")
    }
  }
}

extension StateTable.Entry {
  /// Reads what `text` wrote; `nil` for anything else. Looks at bytes, not at characters: campaigns
  /// read millions of them.
  public init?(text: Substring) {
    let parts = text.utf8.split(separator: UInt8(ascii: ":")).map { Substring($0) }
    guard parts.count == 2, let state = UInt32(parts[0], radix: 16), state < .max else {
      return nil
    }
    let seeds = parts[1].utf8.split(separator: UInt8(ascii: ",")).map { UInt64(Substring($0)) }
    guard !seeds.isEmpty, seeds.count <= 3, !seeds.contains(nil) else { return nil }
    self.init(state: state, seeds: seeds.compactMap(\.self))
  }
}
