public import ClientInterface
internal import ReferenceClient
public import Tree

/// What became of a recording that was fed to a client.
///
/// The recorded clients keep the rules, and now and then they have accidents: states in which they
/// do what no rule asks for. So every recording is fed to the reference client first. Where it does
/// something else than was recorded, an accident must explain it (see `Accident`); where no
/// accident does, the difference stands. A client that is tried must do in every group what was
/// recorded or, where an accident explains the recording, what the reference client does.
public struct Replay: Sendable {
  /// A group in which client and recording differ.
  public struct Difference: Sendable {
    /// The line of the recording on which the group begins, from 1.
    public var line: Int
    /// The input, as it was recorded.
    public var input: JSON
    /// What was recorded, without what is not compared.
    public var expected: [JSON]
    /// What the client did.
    public var observed: [JSON]
    /// The accidents that explain it; none for a difference that stands.
    public var accidents: [Accident]
  }

  /// How many groups were compared, with or without output.
  public var groups = 0
  /// The groups in which either client notified the application or sent a request.
  public var groupsWithOutput = 0
  /// All differences, explained or not, in the order of the recording. Where an accident becomes
  /// visible only in what follows, both sides may be alike.
  public var differences: [Difference] = []

  /// The differences that at least one accident explains; linear in the number of differences.
  public var explained: [Difference] { differences.filter { !$0.accidents.isEmpty } }
  /// The differences that stand, because no accident explains them; linear in the number of
  /// differences.
  public var unexplained: [Difference] { differences.filter(\.accidents.isEmpty) }
}

extension Replay {
  /// Feeds the inputs of `recording` to a client and compares group by group what it reports to the
  /// application, and what it sends, in order.
  ///
  /// - Parameters:
  ///   - recording: What happened to the recorded client.
  ///   - client: The client that is tried, fresh; `nil` for the reference client.
  public init(of recording: Recording, with client: (any SyncClient)? = nil) {
    if !recording.recordsReceivedEvents {
      compareRequests(of: recording, with: client)
      return
    }
    var guide = RecordingPlayer(recording, with: ReferenceClient.asRecorded(recording.profile))
    var subject = client.map { RecordingPlayer(recording, with: AnyClient(client: $0)) }
    var analysis = AccidentAnalysis(profile: recording.profile)
    for (index, group) in recording.groups.enumerated() {
      let before = guide.client
      let expected = Outputs(group.outputs)
      var other = guide
      let right = Outputs(guide.play(index))
      let observed = subject == nil ? right : Outputs(subject?.play(index) ?? [])
      let moment = RecordedStep(
        profile: recording.profile, before: before, input: group.input, after: guide.client,
        recorded: expected, right: right)
      var accidents = analysis.explain(moment)
      // From here on the reference client goes on from what the recorded client saw.
      if accidents.contains(.sentLeftOut),
        Outputs(other.playLeavingOutSentTransactions(index)) == expected
      {
        guide = other
      }
      for call in recording.transactionsForgotten(in: moment) {
        guide.forget(call)
        if accidents.isEmpty, expected == right { accidents = [.forgottenTransaction] }
      }
      compare(group, expected, observed, accidents, reference: right)
    }
  }

  /// Counts a group, in which accidents explain what the reference client does.
  private mutating func compare(
    _ group: Recording.Group, _ expected: Outputs, _ observed: Outputs,
    _ accidents: [Accident] = [], reference: Outputs? = nil
  ) {
    groups += 1
    if !expected.isEmpty || !observed.isEmpty { groupsWithOutput += 1 }
    if observed == expected, accidents.isEmpty { return }
    differences.append(
      Difference(
        line: group.line, input: group.recordedInput, expected: expected.all,
        observed: observed.all, accidents: observed == reference ? accidents : []))
  }

  /// The same for a recording that a server has made: what its client reported to the application is not
  /// in it, nor do accidents of single clients count.
  private mutating func compareRequests(
    of recording: Recording, with client: (any SyncClient)?
  ) {
    let subject = client ?? ReferenceClient.asRecorded(recording.profile)
    var player = RecordingPlayer(recording, with: AnyClient(client: subject))
    for (index, group) in recording.groups.enumerated() {
      let expected = Outputs(received: [], sent: Outputs(group.outputs).sent)
      let observed = Outputs(received: [], sent: Outputs(player.play(index)).sent)
      compare(group, expected, observed)
    }
  }
}

extension Recording {
  /// The transactions that the recorded client loses in a group, and which never come to an
  /// end. The reference client loses them too, so that everything else goes on being compared.
  fileprivate func transactionsForgotten(in moment: RecordedStep) -> [CallID] {
    moment.overtakenTwice.map(\.call).filter { call in
      !groups.contains { group in
        group.outputs.contains { $0["completed"]?["call"] == .string(call.name) }
      }
    }
  }
}

extension ReferenceClient {
  /// A reference client that keeps three habits of the recorded clients (Specs/accidents.md). One
  /// shows in no output of its own, and everything after it would differ and hide what else is
  /// different; one is a matter of order; the third, that a window with room for more is taken for
  /// a part, decides what all later writes are laid over.
  fileprivate static func asRecorded(_ profile: Profile) -> ReferenceClient {
    ReferenceClient(profile: profile) { policy in
      policy.functionsSeeParts = false
      policy.newInputCausesReruns = false
      policy.dataPrecedeResults = false
      policy.views.windowsWithRoomAreWhole = false
    }
  }
}
