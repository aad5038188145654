internal import ClientInterface

extension SearchRoot {
  /// About how many orders there are, those that are alike included.
  ///
  /// Each draw makes every move as likely as the others that are possible with it. The product of
  /// how many these were is on average the number of orders (Knuth's estimate of the size of a
  /// tree); it is exact where every draw has the same.
  func estimatedOrders(draws: Int, seed: UInt64) -> Double {
    var sum = 0.0
    for number in 0..<draws {
      var numbers = RandomNumbers(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
      var run = begin()
      var product = 1.0
      while true {
        let moves = run.moves()
        if moves.isEmpty { break }
        product *= Double(moves.count)
        run.perform(moves[moves.count == 1 ? 0 : Int(numbers.next() % UInt64(moves.count))])
      }
      sum += product
    }
    return sum / Double(max(1, draws))
  }
}
