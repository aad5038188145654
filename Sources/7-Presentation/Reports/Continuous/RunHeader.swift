/// What the reports on a run say of the run as a whole.
public struct RunHeader: Sendable {
  /// The version of the kit.
  public var kit: String
  /// What was tested: `reference`, the name of a client, or a command.
  public var client: String
  /// The seed with which the command ran, stated so that it can be repeated.
  public var seed: UInt64
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
    kit: String, client: String, seed: UInt64, start: String, milliseconds: Double, left: Int = 0,
    stop: String? = nil
  ) {
    self.kit = kit
    self.client = client
    self.seed = seed
    self.start = start
    self.milliseconds = milliseconds
    self.left = left
    self.stop = stop
  }
}
