public import ClientInterface
public import Document
public import Faults
public import ReferenceServer
public import Tree
public import Wire

/// One scenario: what is set up, what is done, and all that may be observed.
///
/// A file with a matrix gives one scenario for each combination of its parameters. Scenarios come
/// out of `ScenarioReader` checked: every client, listener and call that is named exists.
public struct Scenario: Sendable {
  /// The path below `Scenarios/` without its suffix, then the parameters: `writes/merge[root=/]`.
  public var id: String
  /// The path under which the file was read.
  public var file: String
  /// What the scenario shows, as a sentence, for reports and for the documentation.
  public var title: String
  /// Who suffers when this fails. Empty when the file does not state it.
  public var why = ""
  /// The rules that the scenario is evidence for, as its file cites them; empty for none.
  public var rules: [Citation] = []
  /// The profiles it holds for: those that it names, or every one.
  public var profiles = Profile.all
  /// Capabilities without which a client cannot be judged.
  public var needs: [String] = []
  /// The words by which `ScenarioSelection` finds the scenario, in the order of the file.
  public var tags: [String] = []
  /// In the order of the file, which is also the order in which they are opened.
  public var clients: [String]
  /// Whether the clients are connected before the first step.
  public var start = Start.connected
  /// How long messages travel between each client and the server; 10 ms one way by default.
  public var latency = Latency()
  /// How long nothing may be due for the simulation to count as settled.
  public var quiet = Interval.seconds(2)
  /// The server's tree at the start.
  public var data = Node.empty
  /// What the server denies from the start, those of included fragments too; empty for nothing.
  public var security: [SecurityRule] = []
  /// The rules of the database, in their own language (SEC-1); `nil` for none.
  public var databaseRules: SecurityRules?
  /// With what clients can sign in, by the token.
  public var tokens: [String: Token] = [:]
  /// Whether the run is judged by expectations and invariants, or by invariants alone.
  public var judging = Judging.expectations
  /// Why the expectations hold only in the order that time gives; `nil` when they hold in any.
  public var fixedOrder: String?
  /// The invariants that are not judged.
  public var without: [Exception] = []
  /// What becomes of the choices that the steps leave open; those that are missing are benign.
  /// `nil` draws them from the seed.
  public var choices: [Choice]?
  /// In which form the server words everything that it conveys; `nil` for what `choices` say.
  public var form: WireForm?
  /// What clients keep over the end of their processes; those that are missing keep nothing.
  public var persistence: [String: ClientInput.Persistence] = [:]
  /// Ends with an expectation that settles: the reader adds an empty one where the file has none.
  /// Without any expectation when only invariants are judged.
  public var steps: [Step] = []
  /// The values of the matrix, in its order. Empty without a matrix.
  public var parameters: [Parameter] = []

  /// Creates a scenario without steps or data, for every profile, in which all else has its
  /// default.
  public init(id: String, file: String, title: String, clients: [String]) {
    self.id = id
    self.file = file
    self.title = title
    self.clients = clients
  }

  /// By what runs are judged.
  public enum Judging: String, CaseIterable, Sendable {
    /// By what the steps expect, and by the invariants.
    case expectations
    /// By the invariants alone, and by whether the run settles: for stories of which no one
    /// has written down the outcome.
    case invariants
  }

  /// Where the steps begin.
  public enum Start: String, CaseIterable, Sendable {
    /// When every client is connected and nothing is left to do.
    case connected
    /// At the instant the clients are opened, before any connection is up.
    case opening
  }

  /// A rule that the scenario is evidence for.
  public struct Citation: Hashable, Sendable {
    /// Such as `EVT-7`. The form is checked, and that the rule exists if the reader could ask.
    public var id: String
    /// Where the scenario's file cites the rule.
    public var position: Position
    /// How binding the rule is; MUST where the reader could not ask.
    public var level: Rule.Level
    /// Whom the rule binds; clients where the reader could not ask.
    public var binds: Rule.Party

    /// Creates a citation; neither the form of the id nor the rule's existence is checked here.
    public init(
      id: String, position: Position, level: Rule.Level = .must, binds: Rule.Party = .client
    ) {
      self.id = id
      self.position = position
      self.level = level
      self.binds = binds
    }
  }

  /// An invariant that this scenario does without, and why.
  public struct Exception: Hashable, Sendable {
    /// The invariant that is not judged in this scenario.
    public var invariant: Invariant
    /// Why the scenario may break it, as the file states under `because`.
    public var reason: String
    /// Where the exception is in the scenario's file.
    public var position: Position

    /// Creates an exception; the reader demands a reason that is not empty, this does not.
    public init(_ invariant: Invariant, because reason: String, position: Position) {
      self.invariant = invariant
      self.reason = reason
      self.position = position
    }
  }

  /// One parameter of the matrix with the value it has in this scenario.
  public struct Parameter: Hashable, Sendable {
    /// The name that `$(name)` refers to, without the dollar sign and the parentheses.
    public var name: String
    /// The scalar that replaces `$(name)`; it keeps its type where it replaces a whole string.
    public var value: JSON

    /// Creates a parameter; the reader gives only scalars as values.
    public init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// What a token stands for.
  public struct Token: Hashable, Sendable {
    /// The id of the user that a client acts for once it has signed in with the token.
    public var user: String
    /// How long after the start of the run it is valid; `nil` for all of it.
    public var lifetime: Interval?

    /// Creates a token that is valid for the whole run unless a lifetime is given.
    public init(user: String, lifetime: Interval? = nil) {
      self.user = user
      self.lifetime = lifetime
    }
  }
}

extension Scenario {
  /// How long a message travels one way: a single length, or a range that each message draws from.
  public struct Latency: Hashable, Sendable {
    /// Holds for every client that is not in `overrides`.
    public var standard: ClosedRange<Interval>
    /// The clients with a latency of their own; the first entry for a client counts.
    public var overrides: [Override]

    /// Creates a latency that is 10 ms one way for every client unless stated otherwise.
    public init(
      _ standard: ClosedRange<Interval> = .milliseconds(10)...(.milliseconds(10)),
      overrides: [Override] = []
    ) {
      self.standard = standard
      self.overrides = overrides
    }

    /// The latency of one client.
    public struct Override: Hashable, Sendable {
      /// The name of the client, as in `Scenario.clients`.
      public var client: String
      /// The shortest and the longest time that a message takes one way; equal for a fixed latency.
      public var range: ClosedRange<Interval>

      /// Creates the latency of one client, for both directions.
      public init(client: String, range: ClosedRange<Interval>) {
        self.client = client
        self.range = range
      }
    }

    /// The latency between this client and the server.
    public func range(of client: String) -> ClosedRange<Interval> {
      overrides.first { $0.client == client }?.range ?? standard
    }
  }
}
