internal import ClientInterface
internal import Scenario

// What is chosen where the steps leave something open.

extension ShrinkSearch {
  /// Benign choices where they do as well: spans of them first, then one by one, then less of each.
  mutating func simplifyChoices() {
    if current.choices == nil || attempt({ $0.choices = nil }) || attempt({ $0.choices = [] }) {
      return
    }
    var size = max(1, (current.choices?.count ?? 0) / 2)
    while size > 0, !isExhausted {
      var end = current.choices?.count ?? 0
      while end > 0, !isExhausted {
        let start = max(0, end - size)
        _ = attempt { $0.choices?.removeSubrange(start..<end) }
        end = min(start, current.choices?.count ?? 0)
      }
      size /= 2
    }
    for index in current.choices?.indices ?? 0..<0 { lower(index) }
  }

  private mutating func lower(_ index: Int) {
    guard let choice = current.choices?[index] else { return }
    switch choice {
    case .seed, .form: return
    case let .order(scope, moves):
      lowerMoves(moves) { $0.choices?[index] = .order(scope, $1) }
    case let .message(number, direction, client, late):
      lower(late) { $0.choices?[index] = .message(number, direction, client: client, late: $1) }
    case let .connection(number, client, late):
      lower(late) { $0.choices?[index] = .connection(number, client: client, late: $1) }
    }
  }

  /// The least lateness, by halving.
  private mutating func lower(
    _ late: Interval, _ change: (inout Scenario, Interval) -> Void
  ) {
    let latencyUnit = Scenario.Choice.latencyUnit.nanoseconds
    var (enough, tooLittle) = (late.nanoseconds / latencyUnit, Int64(0))
    while tooLittle + 1 < enough, !isExhausted {
      let middle = (tooLittle + enough) / 2
      let isTaken = attempt { change(&$0, Interval(nanoseconds: middle * latencyUnit)) }
      if isTaken { enough = middle } else { tooLittle = middle }
    }
  }

  /// The moves that time would have made, from the end, and earlier ones where it would not.
  private mutating func lowerMoves(_ moves: [Int], _ change: (inout Scenario, [Int]) -> Void) {
    var moves = moves
    for count in [0, moves.count / 2, moves.count - 1] where count < moves.count && count >= 0 {
      let shorter = Array(moves.prefix(count))
      if attempt({ change(&$0, shorter) }) {
        moves = shorter
        break
      }
    }
    for index in moves.indices.reversed() {
      for lower in 0..<max(0, moves[index]) {
        var changed = moves
        changed[index] = lower
        if attempt({ change(&$0, changed) }) {
          moves = changed
          break
        }
      }
    }
  }
}
