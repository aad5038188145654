internal import ClientEngine

/// The calls that were refused since it was looked last: a program would have ended.
///
/// Unchecked: `recorded` is used with `lock` taken.
final class Refusals: @unchecked Sendable {
  private let lock = SerialLock()
  private var recorded: [Misuse] = []

  func record(_ misuse: Misuse) { lock.locked { recorded.append(misuse) } }

  /// Whether the call that is being made was refused.
  var isRefusing: Bool { lock.locked { !recorded.isEmpty } }

  /// Makes a call, and says why it was refused, if it was.
  func refusal(of call: () throws -> Void) rethrows -> Misuse? {
    let earlier = exchange([])
    do {
      try call()
    } catch {
      _ = exchange(earlier)
      throw error
    }
    return exchange(earlier).first
  }

  private func exchange(_ new: [Misuse]) -> [Misuse] {
    lock.locked {
      defer { recorded = new }
      return recorded
    }
  }
}
