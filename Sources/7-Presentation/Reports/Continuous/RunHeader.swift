internal import Tree

/// What the reports on a run say of the run as a whole.
public struct RunHeader: Sendable {
  /// One of the parts that `--shard K/N` makes of a run.
  public struct Part: Hashable, Sendable {
    /// From 1 to `count`.
    public var number: Int
    /// How many parts there are.
    public var count: Int

    /// The part `number` of `count`; nil where that is none.
    init?(_ number: Int, of count: Int) {
      guard number > 0, number <= count else { return nil }
      (self.number, self.count) = (number, count)
    }

    /// Reads `2/3`; nil for anything else.
    public init?(_ text: String) {
      let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
      self.init(number, of: count)
    }

    /// Reads what `json` wrote; nil for anything else.
    init?(_ json: JSON?) {
      guard let number = json?["number"]?.integer, let count = json?["count"]?.integer else {
        return nil
      }
      self.init(number, of: count)
    }

    var json: JSON { ["number": .number(Double(number)), "count": .number(Double(count))] }
  }

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
  /// Which part of a run it is, and of how many, where several machines make it.
  public var part: Part?
  /// Why they were not made, in a sentence without a full stop; `nil` when enough had failed.
  public var stop: String?

  /// Describes a run; by default all selected runs were made.
  public init(
    kit: String, client: String, introduction: String? = nil, seeds: ClosedRange<UInt64>,
    start: String, milliseconds: Double, left: Int = 0, part: Part? = nil, stop: String? = nil
  ) {
    self.kit = kit
    self.client = client
    self.introduction = introduction
    self.seeds = seeds
    self.start = start
    self.milliseconds = milliseconds
    self.left = left
    self.part = part
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
    ] + (part.map { [.init("part", $0.json)] } ?? [])
  }
}
