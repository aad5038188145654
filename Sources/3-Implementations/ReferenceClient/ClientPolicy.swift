public import ClientInterface
package import Tree

/// What the client decides where it could decide otherwise.
///
/// Every decision is as the rules ask for, and the client reads that way. A client that behaves
/// otherwise in one point, or that follows a recorded one, has another decision there.
/// Where a decision is a function, there is none by the rules: what the client does is stated where it
/// would ask.
package struct ClientPolicy: Sendable {
  // MARK: What is known and shown

  package var views = Views()

  /// What a single view decides.
  package struct Views: Sendable {
    /// A window without bounds that has room for more leaves nothing out (WRT-13).
    package var windowsWithRoomAreWhole = true
    /// What lies outside the bounds of a window is unknown (WRT-16).
    package var boundsHide = true
    /// An unfiltered listener knows more than a window (EVT-19).
    package var coversPrecedeWindows = true
    /// A child whose last leaf a pending write took is known to be empty for the next one (WRT-13).
    package var emptiedChildrenAreKnown = true
    /// A query does not show what is written below a child that it does not know (WRT-21).
    package var unknownChildrenStayHidden = true
    /// A child whose ordering value has changed moves even if its neighbours stay (QRY-19).
    package var movesNeedNoNeighbours = true
  }

  /// Whether a view that knows its query as far as stated counts as all there is, in addition to
  /// what it does know (EVT-18, EVT-19).
  package var countsAsAll: (@Sendable (_ query: Query, _ isComplete: Bool) -> Bool)?
  /// At which of the depths where views lie what they know is asked for (OBS-3).
  package var depthsToAsk: (@Sendable (_ depths: [Int]) -> ClosedRange<Int>)?
  /// A window stays one when data for everybody come (EVT-19).
  package var windowsStayWindows = true
  /// What is known by an unfiltered listener changes windows below it (EVT-14).
  package var coversReachWindows = true

  // MARK: Pending writes

  /// An update is one change, in which a parent that has children afterwards is never empty (PRI-16).
  package var updatesAreWhole = true
  /// A write is shown at once (WRT-8). The write of a transaction without local events is not (TXN-5).
  package var writesAreShown = true
  /// What pending writes set as it is laid over the data, first to last (WRT-13).
  package var layers: (@Sendable (_ sets: [Layer], _ onNewData: Bool) -> [Layer])?
  package typealias Layer = (path: Path, node: Node)
  /// Whether a write stays pending when one elsewhere is withdrawn (WRT-15).
  package var survives: (@Sendable (_ write: Path, _ withdrawn: Path) -> Bool)?
  /// Whether a pending write that covers a withdrawn one hides that (WRT-24).
  package var hides: (@Sendable (_ isLater: Bool, _ isVisible: Bool) -> Bool)?
  /// What an accepted write put stays shown (WRT-16).
  package var acceptedWritesStay = true
  /// What is kept without a listener takes in accepted writes (OFF-13).
  package var keptDataFollowWrites = true
  /// What an update that is withdrawn has not written stays shown where the server has not answered
  /// the listen yet.
  package var updatesAreWithdrawnAlone = true
  /// A child that is written outside a window is known no more (LIM-10).
  package var writesOutsideAreForgotten = true
  /// What a node with server values is estimated to become (SRV-3).
  package var estimate: (@Sendable (_ node: Node, _ time: Double, _ estimate: Node) -> Node)?
  /// The next push id (PSH-2, PSH-3).
  package var pushKey:
    (@Sendable (inout PushIDGenerator, _ time: Double, inout RandomNumbers) -> Key)?

  /// Push ids follow the server's clock, and not that of the client (PSH-7).
  package var pushIDsFollowTheServer = true

  // MARK: Transactions

  /// A function that runs for the first time sees the pending writes (TXN-2).
  package var functionsSeeWrites = true
  /// It sees what transactions without local events have written (TXN-2).
  package var functionsSeeHiddenWrites = true
  /// It sees what transactions below it were given (TXN-26).
  package var functionsSeeParts = true
  /// A function that runs again sees the results that are on their way to the server (TXN-16).
  package var rerunsSeeSentResults = true
  /// Waiting transactions run again if their input has changed (TXN-16).
  package var newInputCausesReruns = true
  /// The same before they are sent (TXN-26).
  package var inputIsCheckedBeforeSending = true
  /// Data are raised before what transactions make of them (TXN-16).
  package var dataPrecedeResults = true
  /// Transactions wait for those on their way at their location (TXN-15).
  package var transactionsWait = true
  /// Those on the wire when the connection breaks fail (TXN-13).
  package var sentTransactionsFail = true
  /// One whose function breaks down in a later run ends (TXN-25).
  package var brokenRunsEnd = true
  /// One whose function breaks down ends with an error, and not as one that aborts (TXN-25).
  package var breakdownsAreErrors = true
  /// What an overtaken transaction has shown goes (TXN-9).
  package var overtakenResultsGo = true
  /// A transaction that is overtaken twice is still waited for (TXN-10).
  package var overtakenTwiceAreAwaited = true
  /// An update overtakes all transactions before any runs again (TXN-9).
  package var updatesOvertakeAtOnce = true

  // MARK: Listens, signing in and what is kept

  /// The answer to a listen that was taken back means nothing to the one after it (WIR-4).
  package var staleAnswersAreIgnored = true
  /// A revocation of a listen that was taken back meanwhile ends every listen that is left there
  /// (ACC-10).
  package var crossingRevocationsEndAll = false
  /// Listeners that load show what a get has brought.
  package var getsInformListeners = false
  /// What is kept synchronised is so no more after it was refused (ACC-10).
  package var refusalsEndSynchronization = true
  /// In which order what was left for the end of the connection is done to the client's own data,
  /// where the locations differ (OND-8); `nil` as the profile says.
  package var onDisconnectOrder: Profile.OnDisconnectOrder?
  /// An on-disconnect request is acknowledged when its answer arrives, and not a moment later
  /// (OND-19).
  package var acknowledgementsCountAtOnce = true
  /// Who has signed out stays signed out, whatever is answered then (ACC-18).
  package var signingOutIsFinal = true
  /// A connection is given up when its credential is revoked (ACC-14); `nil` as the profile says.
  package var revokedCredentialsEndConnections: Bool?
  /// The numbers of writes go on from those of earlier processes (OFF-3).
  package var writeNumbersGoOn = true
  /// What is listened to is not thrown out (OFF-15).
  package var usedDataStay = true

  // MARK: Calls in callbacks

  /// Changes a call from inside a callback, or what comes of it.
  package var nestedCall: NestedCallRewriter?

  package init() {}
}

// MARK: - What is open

extension ReferenceClient {
  /// The clients with which others are compared: the reference client, and others that decide
  /// otherwise what the rules leave to clients, or only advise, and what applications see.
  public static func shadows(in profile: Profile) -> OpenChoices {
    let points = ClientPolicy.openPoints(in: profile)
    return OpenChoices(points: points.map { $0.count + 1 }) { ways in
      ReferenceClient(profile: profile) { policy in
        for (decisions, way) in zip(points, ways) where way > 0 { decisions[way - 1](&policy) }
      }
    }
  }
}

extension ClientPolicy {
  typealias Decision = @Sendable (inout ClientPolicy) -> Void

  /// What can be decided otherwise than by the reference client, point by point.
  static func openPoints(in profile: Profile) -> [[Decision]] {
    let orders = Profile.OnDisconnectOrder.allCases.filter { $0 != profile.onDisconnectOrder }
    var points: [[Decision]] = [
      // LIM-14 is SHOULD.
      [{ $0.views.windowsWithRoomAreWhole = false }],
      // OND-19 is SHOULD.
      [{ $0.acknowledgementsCountAtOnce = false }],
      // PRI-16 is SHOULD.
      [{ $0.updatesAreWhole = false }],
      // OND-8 says nothing about the order.
      orders.map { order in { $0.onDisconnectOrder = order } },
      // both are right.
      [{ $0.updatesAreWithdrawnAlone = false }],
    ]
    switch profile {
    // 1.x documents do not say whether a child moves that keeps its neighbours.
    // TXN-25 does not hold for 1.x.
    case .wilddog1:
      points.append([{ $0.views.movesNeedNoNeighbours = false }])
      points.append([{ $0.breakdownsAreErrors = false }])
    // both are right. In wilddog-2 a shadow leaves when its client does.
    case .firebase:
      points.append([{ $0.getsInformListeners = true }])
      points.append([{ $0.revokedCredentialsEndConnections = false }])
    default: break
    }
    return points
  }
}
