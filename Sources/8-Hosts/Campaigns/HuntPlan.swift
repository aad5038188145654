package import AdapterSessions
package import Hunting
import Processes
package import System
import Tree

extension HuntCampaign {
  /// What the campaign runs, and for how long.
  package struct Plan: OptionSettings {
    /// What its workers are told.
    package var hunt = HuntOptions()
    /// The seeds to run; nil goes on from seed 1 for as long as there is time.
    package var seeds: ClosedRange<UInt64>?
    /// After how many minutes no more seeds are begun; nil for no limit.
    package var minutes: Double?
    /// How many processes work.
    package var jobs = Processors.count
    /// Whether the scenarios that fail are made small.
    package var shrinks = true
    /// The kinds of failure that are known, and of which nothing is kept.
    package var known = KnownSignatures()
    /// Whether no more seeds are begun when something is found.
    package var stopsAtFirst = false

    package init() {}

    /// The table of options.
    package static var options: [Option<Plan>] {
      HuntOptions.options.within(\.hunt) + [
        .value(
          "seeds", "A..B", \.seeds, .seeds(SeedRanges.range(from:), text: SeedRanges.text(of:)),
          "Run these seeds, each one scenario."),
        .value("minutes", "M", \.minutes, .minutes, "Begin no more seeds after M minutes."),
        .value(
          "jobs", "N", \.jobs, .number(1...1024),
          "Work in N processes instead of one for each core."),
        .flag("fail-fast", \.stopsAtFirst, "Stop after the first failure that is not known."),
        .flag(
          "no-shrink", \.shrinks, is: false, "Keep the scenarios that fail as they were drawn."),
      ]
    }

    /// What is run.
    package var settings: HuntSettings { hunt.settings }
    /// The program behind which the client is; nil for a client of the kit.
    package var adapter: AdapterOptions? { hunt.adapter }

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

extension OptionKind where Value == Double {
  /// A time in minutes.
  fileprivate static var minutes: OptionKind {
    OptionKind(
      "a positive number", { Double($0).flatMap { $0 > 0 && $0 < 1_000_000 ? $0 : nil } },
      text: canonicalText)
  }
}
