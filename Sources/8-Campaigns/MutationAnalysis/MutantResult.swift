public import Conformance
public import Mutants

/// What the kit makes of one mutant, in each of its ways to look.
public struct MutantResult: Sendable {
  public let mutant: Mutant
  /// What the expectations of the scenarios say, without invariants.
  public var suite = Suite()
  /// What the invariants say in the runs of the same scenarios, without expectations.
  public var invariants = BrokenInvariant()
  /// What the hunt finds; `nil` when it finds nothing, or was not asked.
  public var hunt: Find?
  /// How many drawn scenarios were run.
  public var hunted = 0
  /// What is left of the scenario that the hunt found, or else of the first of the suite, when it
  /// is made small.
  public var shrunk: Shrunk?
  public var times = Times()

  public init(of mutant: Mutant) {
    self.mutant = mutant
  }

  /// Scenarios that fail because of their expectations.
  public struct Suite: Hashable, Sendable {
    /// Their ids, without the parameters of a matrix, in the order in which they ran.
    public var failing: [String] = []
    /// The first of them as it ran.
    public var first: FailingRun?

    public init() {}
  }

  /// A run that fails.
  public struct FailingRun: Hashable, Sendable {
    public var scenario: String
    public var profile: String

    public init(scenario: String, profile: String) {
      self.scenario = scenario
      self.profile = profile
    }
  }

  /// Invariants that do not hold.
  public struct BrokenInvariant: Hashable, Sendable {
    /// Their ids, in the order of their numbers.
    public var ids: [String] = []
    /// The scenarios in whose runs they do not hold.
    public var failing: [String] = []

    public init() {}
  }

  /// The first drawn scenario that fails.
  public struct Find: Hashable, Sendable {
    public var seed: UInt64
    public var signature: Signature

    public init(seed: UInt64, signature: Signature) {
      self.seed = seed
      self.signature = signature
    }
  }

  /// A scenario that was made small.
  public struct Shrunk: Hashable, Sendable {
    public var steps: Int
    /// How many scenarios were tried.
    public var executions: Int
    /// Whether nothing can be left out by itself any more.
    public var isMinimal = false
    /// Whether it is seen only by comparison with a shadow.
    public var needsShadow = false
    /// The small scenario as a file.
    public var text = ""
    /// How it was run, and what it failed with.
    public var profile = ""
    public var seed: UInt64 = 0
    public var signature = Signature("")
    /// Whether another process has read the file and seen the same failure.
    public var isConfirmed = false

    public init(steps: Int, executions: Int) {
      self.steps = steps
      self.executions = executions
    }
  }

  /// How long it took until each way of looking had found something, in milliseconds; `nil` where
  /// it did not.
  public struct Times: Hashable, Sendable {
    public var suite: Double?
    public var invariants: Double?
    public var hunt: Double?
    public var shrinking: Double?

    public init() {}
  }

  /// Whether anything was found.
  public var isKilled: Bool { suite.first != nil || !invariants.ids.isEmpty || hunt != nil }
}
