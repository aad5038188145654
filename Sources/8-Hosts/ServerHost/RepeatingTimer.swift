import CWebsockets

/// Does something again and again.
package final class RepeatingTimer {
  /// What libwebsockets keeps. It hands back a pointer to its first member.
  private struct Entry {
    var list: lws_sorted_usec_list_t
    let owner: Unmanaged<RepeatingTimer>
  }

  private var entry: UnsafeMutablePointer<Entry>?
  private let pause: () -> lws_usec_t
  private let action: () -> Void
  private var context: OpaquePointer?

  /// - Parameters:
  ///   - pause: How long it is until the next time, in microseconds.
  ///   - action: What is done.
  package init(pause: @escaping () -> Int64, action: @escaping () -> Void) {
    self.pause = pause
    self.action = action
  }

  package func start(in listening: Listening) {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    entry.initialize(
      to: Entry(list: lws_sorted_usec_list_t(), owner: Unmanaged.passUnretained(self)))
    self.entry = entry
    context = listening.context
    schedule()
  }

  /// Frees what libwebsockets had; its context must be gone, or go without serving again.
  package func end() {
    if let entry {
      lws_sul_cancel(
        UnsafeMutableRawPointer(entry).assumingMemoryBound(to: lws_sorted_usec_list_t.self))
      entry.deallocate()
    }
    entry = nil
  }

  private func schedule() {
    guard let entry else { return }
    let list = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: lws_sorted_usec_list_t.self)
    lws_sul_schedule(
      context, 0, list,
      { list in
        guard let list else { return }
        let entry = UnsafeMutableRawPointer(list).assumingMemoryBound(to: Entry.self)
        let alarm = entry.pointee.owner.takeUnretainedValue()
        alarm.action()
        alarm.schedule()
      }, pause())
  }
}
