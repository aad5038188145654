extension Scenario {
  /// What a hunt knows of a scenario that it found, which shows a failure.
  public struct Find: Hashable, Sendable {
    /// What the seed failed with.
    public var signature: String
    /// The seed of the campaign that drew the original scenario.
    public var seed: UInt64
    /// The seed that its run uses; `nil` for the same.
    public var run: UInt64?
    /// What `kennel run` needs besides the file to show the failure, word by word.
    public var options: [String] = []
    /// How far the scenario was made small; `nil` for one that is as it was drawn.
    public var shrunk: Shrunk?
    /// What a second process made of the file; `nil` until one has run it.
    public var confirmation: Confirmation?

    /// A scenario as it was drawn, which no second process has run.
    public init(signature: String, seed: UInt64) {
      self.signature = signature
      self.seed = seed
    }

    /// How far a scenario was made small.
    public struct Shrunk: Hashable, Sendable {
      /// How many steps were drawn, and how many are left.
      public var before, after: Int
      /// How many runs that took.
      public var runs: Int
      /// Whether nothing can be left out by itself.
      public var isMinimal: Bool

      /// Takes the numbers as they were counted.
      public init(from before: Int, to after: Int, runs: Int, isMinimal: Bool) {
        (self.before, self.after, self.runs) = (before, after, runs)
        self.isMinimal = isMinimal
      }
    }

    /// Whether a second process saw the failure too.
    public enum Confirmation: Hashable, Sendable {
      case confirmed
      /// With what became of it, as a clause.
      case unconfirmed(String)
    }
  }
}
