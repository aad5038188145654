public import Conformance
public import Trace
public import TraceFiles
internal import Tree

/// A run as pictures need it: it comes from a run that was just made, or from a file.
public struct PicturedRun: Sendable {
  /// The title of the scenario that ran.
  public var title: String
  /// The names of the clients, in order of their index.
  public var clients: [String]
  /// Everything that happened in the run, from which the picture selects.
  public var trace: Trace
  /// How the run was judged, as reports call it.
  public var verdict: String
  /// What was wrong, the first first.
  public var failures: [Failure]

  /// Something that was wrong.
  public struct Failure: Hashable, Sendable {
    /// The divergence in one sentence, as reports word it.
    public var sentence: String
    /// The number of the event by which it became apparent; `nil` when nothing led there.
    public var event: Int?

    /// Describes a failure by its sentence and the number of the event that showed it, if any.
    public init(_ sentence: String, event: Int?) {
      self.sentence = sentence
      self.event = event
    }
  }

  /// Describes a run by its parts; without a verdict and failures it counts as passed.
  public init(
    title: String, clients: [String], trace: Trace, verdict: String = "pass",
    failures: [Failure] = []
  ) {
    self.title = title
    self.clients = clients
    self.trace = trace
    self.verdict = verdict
    self.failures = failures
  }

  /// The run that a file holds.
  public init(_ file: TraceFile) {
    self.init(
      title: file.header.title, clients: file.header.clients, trace: file.trace,
      verdict: file.end.verdict.rawValue,
      failures: file.end.divergences.map { json in
        Failure(json["sentence"]?.string ?? "", event: json["event"]?.integer)
      })
  }

  /// A run that was just made, with its events.
  public init(_ result: ScenarioResult) {
    self.init(TraceFile(of: result, client: "", kit: "", sources: []))
  }
}
