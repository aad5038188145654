import Glibc

/// How long tests wait for something that happens at once on an idle machine. Only a test that fails
/// takes as long, so a machine may be very busy with other things.
package let patience: Duration = .seconds(180)

/// Waits for a condition. Returns whether it holds.
package func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + patience
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}

/// Waits for a condition in a test that is not asynchronous. Returns whether it holds.
package func holdsEventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + patience
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(5000)
  }
  return true
}
