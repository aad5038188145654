package import AdapterSessions
package import Hunting

extension HuntCampaign {
  /// What the campaign runs, and for how long.
  package struct Plan {
    package var settings: HuntSettings
    /// The program behind which the client is; nil for a client of the kit.
    package var adapter: AdapterOptions?
    /// The seeds to run; nil goes on from seed 1 for as long as there is time.
    package var seeds: ClosedRange<UInt64>?
    /// After how many minutes no more seeds are begun; nil for no limit.
    package var minutes: Double?
    /// How many processes work.
    package var jobs: Int
    /// Whether the scenarios that fail are made small.
    package var shrinks: Bool
    /// The kinds of failure that are known, and of which nothing is kept.
    package var known: KnownSignatures
    /// Whether no more seeds are begun when something is found.
    package var stopsAtFirst = false

    package init(
      settings: HuntSettings, adapter: AdapterOptions?, seeds: ClosedRange<UInt64>?,
      minutes: Double?, jobs: Int, shrinks: Bool, known: KnownSignatures = KnownSignatures()
    ) {
      self.settings = settings
      self.adapter = adapter
      self.seeds = seeds
      self.minutes = minutes
      self.jobs = jobs
      self.shrinks = shrinks
      self.known = known
    }

    /// How long a worker may be silent, in nanoseconds.
    ///
    /// A client that may take longer for an answer, on a machine that is busy, makes its worker silent
    /// for longer too.
    ///
    /// - Parameter seconds: How long with scenarios of the standard size, and a client with the usual
    ///   timeout.
    /// - Returns: How long with those of this campaign.
    func timeout(_ seconds: Int64) -> Int64 {
      let patience = (adapter?.timeout ?? 0) / AdapterOptions.standardTimeout
      let share = (1 + settings.size / 10_000) * max(1, patience)
      return seconds * 1_000_000_000 * Int64(share)
    }
  }
}
