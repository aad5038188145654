internal import Conformance

/// The moves of one order, with what had to happen before what.
///
/// Two moves keep their order when they conflict, when both are of one lane or link, or when the
/// earlier one brought under way what the later one delivers.
struct CausalOrder {
  private(set) var moves: [Made] = []
  /// The first move after what concerned everyone last: all before it come before all from it on.
  private var start = 0
  /// What is not taken as a conflict though it is one; `nil` for nothing.
  private let oversight: Oversight?

  init(_ oversight: Oversight? = nil) { self.oversight = oversight }

  /// A move that was made.
  struct Made {
    /// With what it has touched.
    let move: Transition
    /// Where in the trace its events are.
    let events: Range<Int>
    /// `start` before it.
    let start: Int
    /// The moves since `start` that had to happen before it.
    var before = MoveSet()
  }

  /// Everything so far comes before everything from now on.
  mutating func meet() { start = moves.count }

  /// Adds the next move.
  ///
  /// - Returns: The moves with which it races, the latest first: the two conflict, nothing had to
  ///   happen between them, and the earlier one did not bring the later one about.
  @discardableResult
  mutating func append(_ move: Transition, _ events: Range<Int>) -> [Int] {
    var made = Made(move: move, events: events, start: start)
    var races: [Int] = []
    for number in (start..<moves.count).reversed() where !made.before.contains(number) {
      let earlier = moves[number]
      let hasCaused =
        earlier.move.identity == move.identity || move.cause.map(earlier.events.contains) == true
      guard hasCaused || conflict(earlier.move, move) else { continue }
      if !hasCaused { races.append(number) }
      made.before.insert(number)
      made.before.formUnion(earlier.before)
    }
    moves.append(made)
    return races
  }

  func conflict(_ a: Transition, _ b: Transition) -> Bool {
    if let oversight, oversight.covers(a) || oversight.covers(b) { return false }
    return a.conflicts(with: b)
  }

  /// Goes back to when there were so many moves.
  mutating func removeMoves(after count: Int) {
    guard count < moves.count else { return }
    start = moves[count].start
    moves.removeSubrange(count...)
  }

  /// What must come first so that the last move comes before an earlier one: the moves after that
  /// one which need neither it nor each other.
  func initials(before earlier: Int) -> [Transition.Identity] {
    var needless: [Int] = []
    var found: [Transition.Identity] = []
    for number in (earlier + 1)..<moves.count {
      let before = moves[number].before
      // The last one comes before the earlier one, so that this does not count for it.
      if number < moves.count - 1, before.contains(earlier) { continue }
      if !needless.contains(where: before.contains) { found.append(moves[number].move.identity) }
      needless.append(number)
    }
    return found
  }
}

/// A defect of a search, for tests of what finds it: a dependency that it overlooks.
package enum Oversight: Hashable, CaseIterable, Sendable {
  /// What calls depend on.
  case calls
  /// What deliveries depend on.
  case deliveries
  /// That a move can make another impossible.
  case prevention

  fileprivate func covers(_ move: Transition) -> Bool {
    switch (self, move.kind) {
    case (.calls, .call), (.deliveries, .delivery): true
    case (.calls, _), (.deliveries, _), (.prevention, _): false
    }
  }
}

/// Some of the moves of an order, by their positions in it.
struct MoveSet {
  private var words: [UInt64] = []

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & 1 << UInt64(number % 64) != 0
  }

  mutating func insert(_ number: Int) {
    while words.count <= number / 64 { words.append(0) }
    words[number / 64] |= 1 << UInt64(number % 64)
  }

  mutating func formUnion(_ other: MoveSet) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }
}
