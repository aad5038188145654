public import ClientInterface
public import Conformance
public import Document
public import Scenario
public import Trace
public import Tree

/// A run as a file keeps it: what determined it, everything that happened, how it was judged.
///
/// It is enough to see what happened without running anything, and enough to run it again: the
/// texts of the scenario are in it, and every choice that was not benign.
public struct TraceFile: Sendable {
  /// The newest version of the format that is understood.
  public static let version = 2

  /// What determined the run, from the first line of the file.
  public var header: Header
  /// The events, with the hash and the checkpoints that they have.
  public var trace: Trace
  /// How the run was judged; unjudged for a live session that was cut off.
  public var end: End
  /// Where the trace of a live session could not be read any further; `nil` when it could. What is
  /// above is here.
  public var cut: SourceError?

  /// A whole file, which is not cut, from its three parts.
  public init(header: Header, trace: Trace, end: End) {
    self.header = header
    self.trace = trace
    self.end = end
  }

  /// What determined the run.
  public struct Header: Hashable, Sendable {
    /// The version of the kit that made the run.
    public var kit: String
    /// The id of the scenario.
    public var scenario: String
    /// The title of the scenario.
    public var title: String
    /// The path under which its file was read.
    public var file: String
    /// The profile in which the scenario ran.
    public var profile: Profile
    /// The seed of the run.
    public var seed: UInt64
    /// The client under test, as the command line calls it.
    public var client: String
    /// The names of the scenario's clients, in order of their index.
    public var clients: [String]
    /// By what the run was judged. With `invariants` a scenario with expectations ran without them.
    public var judging: Scenario.Judging
    /// The choices that were not benign.
    public var choices: [Scenario.Choice]
    /// The texts that the scenario was read from: its file, then the fragments that it includes.
    public var sources: [Source]
    /// What happened on real sockets; `nil` for a run in virtual time, which can be made again.
    public var session: LiveSession?

    /// Describes a run; without a session it is one in virtual time, which can be made again.
    public init(
      kit: String, scenario: String, title: String, file: String, profile: Profile, seed: UInt64,
      client: String, clients: [String], judging: Scenario.Judging, choices: [Scenario.Choice],
      sources: [Source], session: LiveSession? = nil
    ) {
      self.session = session
      self.kit = kit
      self.scenario = scenario
      self.title = title
      self.file = file
      self.profile = profile
      self.seed = seed
      self.client = client
      self.clients = clients
      self.judging = judging
      self.choices = choices
      self.sources = sources
    }
  }

  /// What is known at the beginning of a session on real sockets.
  public struct LiveSession: Hashable, Sendable {
    /// What clocks showed at time 0.
    public var epoch: Instant
    /// The server's tree at time 0.
    public var data: Node

    /// A session on real sockets, which begins with an empty tree unless data is given.
    public init(epoch: Instant, data: Node = .empty) {
      self.epoch = epoch
      self.data = data
    }
  }

  /// A file that the scenario was read from.
  public struct Source: Hashable, Sendable {
    /// The path under which the file was read.
    public var file: String
    /// The whole text of the file.
    public var text: String

    /// Keeps the text that was read under the path.
    public init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  /// What came out.
  public struct End: Hashable, Sendable {
    /// How the run was judged.
    public var verdict: Verdict
    /// Why the verdict is neither pass nor fail.
    public var reason: String?
    /// Each as reports in JSON have it; `event` is the number of the event that it became apparent
    /// by.
    public var divergences: [JSON]

    /// States the verdict on a run, by default without a reason and divergences.
    public init(verdict: Verdict, reason: String? = nil, divergences: [JSON] = []) {
      self.verdict = verdict
      self.reason = reason
      self.divergences = divergences
    }
  }
}
