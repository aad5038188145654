internal import Tree

/// What the reports on a run say of the run as a whole.
public struct RunHeader: Sendable {
  /// The version of the kit.
  public var kit: String
  /// What was tested: `reference`, the name of a client, or a command.
  public var client: String
  /// How the client behind an adapter introduces itself: its name and version; nil without one.
  public var introduction: String?
  /// The seeds with which the command ran, stated so that it can be repeated.
  public var seeds: ClosedRange<UInt64>
  /// When it began, as `2026-11-21T16:40:00`, in universal time.
  public var start: String
  /// How long it took by the clock on the wall.
  public var milliseconds: Double
  /// How many runs were selected and not made.
  public var left: Int
  /// Why they were not made, in a sentence without a full stop; `nil` when enough had failed.
  public var stop: String?

  /// Describes a run; by default all selected runs were made.
  public init(
    kit: String, client: String, introduction: String? = nil, seeds: ClosedRange<UInt64>,
    start: String, milliseconds: Double, left: Int = 0, stop: String? = nil
  ) {
    self.kit = kit
    self.client = client
    self.introduction = introduction
    self.seeds = seeds
    self.start = start
    self.milliseconds = milliseconds
    self.left = left
    self.stop = stop
  }
}

extension RunHeader {
  /// The seed, or the first and the last: `1..20`.
  public var seedText: String { Reports.seedText(seeds) }

  /// Who was tested with what, and when: what the last line of a report has beside the counts.
  var members: [JSON.Member] {
    [
      .init("kit", .string(kit)), .init("client", .string(client)),
      .init("introduction", .optional(introduction)), .init("start", .string(start)),
    ]
  }
}
