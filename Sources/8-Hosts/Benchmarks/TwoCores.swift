import Processes
import System

/// What a second process on a second core is worth.
enum TwoCores {
  /// How many times as much two processes do as one, in the same time; `nil` when they cannot be
  /// started.
  static func gain() -> Double? {
    var least = (one: Int64.max, two: Int64.max)
    for _ in 0..<3 {
      guard let one = time(of: 1), let two = time(of: 2) else { return nil }
      least = (min(least.one, one), min(least.two, two))
    }
    return 2 * Double(least.one) / Double(least.two)
  }

  /// How long so many processes take that each measure the same.
  private static func time(of count: Int) -> Int64? {
    let start = Measurement.now
    var children: [ChildProcess] = []
    for _ in 0..<count {
      guard
        let child = try? ChildProcess(ChildProcess.thisProgram, ["bench", "campaign", "--quick"])
      else { return nil }
      children.append(child)
    }
    let endings = children.map { $0.wait() }
    return endings.allSatisfy { $0 == .exited(0) } ? Measurement.now - start : nil
  }
}
