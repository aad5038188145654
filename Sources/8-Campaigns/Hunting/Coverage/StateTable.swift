/// The states that runs reached, and with which seeds first.
///
/// For each state the three smallest seeds are known that reach it. So tables can be put together in
/// any order and as often as one likes, and still say which states were reached by one seed alone, or
/// by two, as the estimate of what is missing needs.
public struct StateTable: Sendable {
  /// How many states there are.
  public private(set) var count = 0
  private var slots = Array(repeating: Slot(), count: 1 << 10)
  /// The states of which something is known that `takeNews` has not handed out.
  private var news: [UInt32] = []

  fileprivate struct Slot: Sendable {
    /// The code plus one; 0 for a free slot.
    var key: UInt32 = 0
    /// How many runs reached it, as far as this table has seen them.
    var runs: UInt32 = 0
    /// The run that reached it last.
    var stamp: UInt64 = .max
    var isNews = false
    var seeds = (UInt64.max, UInt64.max, UInt64.max)
  }

  /// Begins without a state.
  public init() {}

  /// Records that a run has reached a state; again in the same run it changes nothing.
  ///
  /// - Returns: How many runs have reached it with this one; 0 if this one had already.
  @discardableResult
  mutating func record(_ code: UInt32, run stamp: UInt64) -> Int {
    let index = slot(for: code)
    if slots[index].stamp == stamp { return 0 }
    slots[index].stamp = stamp
    slots[index].runs += 1
    learn(stamp, at: index)
    return Int(slots[index].runs)
  }

  /// Adds what another table knows.
  ///
  /// - Returns: Whether that was news.
  @discardableResult
  public mutating func add(_ entry: Entry) -> Bool {
    var isNews = false
    for seed in entry.seeds {
      if learn(seed, at: slot(for: entry.state.code)) { isNews = true }
    }
    return isNews
  }

  /// - Returns: Whether that was news.
  @discardableResult
  private mutating func learn(_ seed: UInt64, at index: Int) -> Bool {
    guard slots[index].add(seed) else { return false }
    if !slots[index].isNews {
      slots[index].isNews = true
      news.append(slots[index].key - 1)
    }
    return true
  }

  /// Hands out the states of which something is known that it has not handed out before.
  package mutating func takeNews() -> [Entry] {
    let codes = news
    news = []
    return codes.map { code in
      let index = position(of: code)
      slots[index].isNews = false
      return slots[index].entry
    }
  }

  /// How many runs have reached a state.
  func runs(_ code: UInt32) -> Int { Int(slots[position(of: code)].runs) }

  /// Every state, in the order of their numbers.
  public var entries: [Entry] {
    slots.filter { $0.key != 0 }.map(\.entry).sorted { $0.state < $1.state }
  }

  /// Where a state is, or where it is to be put.
  private func position(of code: UInt32) -> Int {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: (UInt64(code) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
    while slots[index].key != 0, slots[index].key != code + 1 { index = (index + 1) & mask }
    return index
  }

  /// Where a state is, which is put there if it is new.
  private mutating func slot(for code: UInt32) -> Int {
    let index = position(of: code)
    if slots[index].key != 0 { return index }
    if (count + 1) * 2 > slots.count {
      let old = slots
      slots = Array(repeating: Slot(), count: old.count * 4)
      for slot in old where slot.key != 0 { slots[position(of: slot.key - 1)] = slot }
      return slot(for: code)
    }
    slots[index].key = code + 1
    count += 1
    return index
  }
}

extension StateTable {
  /// A state with the smallest seeds that reach it, at most three, ascending.
  public struct Entry: Hashable, Sendable {
    /// The state.
    public var state: ModelState
    /// Ascending.
    public var seeds: [UInt64]
  }
}

extension StateTable.Entry {
  /// The entry in one word: `1a2b:7,19`.
  public var text: String {
    String(state.code, radix: 16) + ":" + seeds.map { String($0) }.joined(separator: ",")
  }

  /// Reads what `text` wrote; `nil` for anything else.
  public init?(text: some StringProtocol) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let code = UInt32(parts[0], radix: 16), code < .max else { return nil }
    let seeds = parts[1].split(separator: ",").map { UInt64($0) }
    guard !seeds.isEmpty, seeds.count <= 3, !seeds.contains(nil) else { return nil }
    self.init(state: ModelState(code: code), seeds: seeds.compactMap(\.self))
  }
}

extension StateTable.Slot {
  fileprivate var entry: StateTable.Entry {
    let known = [seeds.0, seeds.1, seeds.2].filter { $0 != .max }
    return StateTable.Entry(state: ModelState(code: key - 1), seeds: known)
  }

  /// Keeps the three smallest seeds.
  ///
  /// - Returns: Whether this is one of them, and is new.
  fileprivate mutating func add(_ seed: UInt64) -> Bool {
    if seed >= seeds.2 || seed == seeds.0 || seed == seeds.1 { return false }
    if seed < seeds.0 {
      seeds = (seed, seeds.0, seeds.1)
    } else if seed < seeds.1 {
      seeds = (seeds.0, seed, seeds.1)
    } else {
      seeds.2 = seed
    }
    return true
  }
}
