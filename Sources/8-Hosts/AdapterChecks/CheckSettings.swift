package import AdapterSessions
package import ClientInterface

/// Which adapter is examined, and how.
package struct CheckSettings {
  package var adapter: AdapterOptions
  package var profile: Profile
  /// Where the names of unknown verbs and operations start.
  package var seed: UInt64

  package init(_ adapter: AdapterOptions, profile: Profile = .firebase, seed: UInt64 = 0) {
    self.adapter = adapter
    self.profile = profile
    self.seed = seed
  }
}
