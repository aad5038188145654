/// What is likely still missing, from how often states were reached.
///
/// States that one run alone has reached show how many there are that no run has reached: the
/// probability that the next run reaches something new is about their share (Good and Turing), and
/// the number of states that are missing is at least what Chao's estimate says. Both take runs for
/// independent, which drawn ones are; runs that are guided find more.
struct CoverageEstimate {
  /// How many runs there were.
  let runs: Int
  /// How many states they reached.
  let states: Int
  /// How many states one run alone reached, and how many two.
  let once: Int
  let twice: Int

  /// Counts how often the states of a table were reached, in so many runs.
  init(_ table: StateTable, runs: Int) {
    self.runs = runs
    let counts = table.entries.map(\.seeds.count)
    states = counts.count
    once = counts.count { $0 == 1 }
    twice = counts.count { $0 == 2 }
  }

  /// At least how many states can be reached that were not: Chao's estimate.
  var missing: Double {
    guard runs > 0 else { return 0 }
    let (one, two) = (Double(once), Double(twice))
    let share = Double(runs - 1) / Double(runs)
    return twice > 0 ? share * one * one / (2 * two) : share * one * (one - 1) / 2
  }

  /// About how many new states so many more runs will reach.
  func expected(in more: Int) -> Double {
    guard runs > 0, missing > 0 else { return 0 }
    let rate = Double(once) / (Double(runs) * missing + Double(once))
    var left = 1.0
    var (base, power) = (1 - rate, more)
    while power > 0 {
      if power % 2 == 1 { left *= base }
      base *= base
      power /= 2
    }
    return missing * (1 - left)
  }

  /// Whether as many runs again are likely to reach less than one state in a hundred more.
  var isSaturated: Bool { runs > 0 && expected(in: runs) * 100 < Double(states) }
}
