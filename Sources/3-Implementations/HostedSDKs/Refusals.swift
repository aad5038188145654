internal import ClientEngine

/// The calls that were refused since it was looked last. A program would have the errors in its blocks, or
/// would have ended.
///
/// Unchecked: `recorded` is used with `lock` taken.
final class Refusals: @unchecked Sendable {
  private let lock = SerialLock()
  private var recorded: [SyncError] = []

  func record(_ error: SyncError) { lock.locked { recorded.append(error) } }

  /// Whether the call that is being made was refused.
  var isRefusing: Bool { lock.locked { !recorded.isEmpty } }

  /// Makes a call, and says why it was refused, if it was.
  func refusal(of call: () throws -> Void) rethrows -> SyncError? {
    let earlier = exchange([])
    do {
      try call()
    } catch {
      _ = exchange(earlier)
      throw error
    }
    return exchange(earlier).first
  }

  private func exchange(_ new: [SyncError]) -> [SyncError] {
    lock.locked {
      defer { recorded = new }
      return recorded
    }
  }
}
