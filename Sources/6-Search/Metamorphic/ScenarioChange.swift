public import Scenario
internal import Tree

/// A change of a scenario that must not change how it is judged: a metamorphic relation.
///
/// A client that is right does not care where in the tree it works, what children are called as
/// long as their order stays, who else is connected, who else listens, or that the connection was
/// lost while nothing was under way.
public enum ScenarioChange: String, CaseIterable, Hashable, Sendable {
  case deeperRoot = "deeper-root"
  case renamedKeys = "renamed-keys"
  case otherClient = "other-client"
  case twinListeners = "twin-listeners"
  case otherListener = "other-listener"
  case reconnection

  /// What the command line and reports call it.
  public var name: String { rawValue }

  /// What is different, to be read behind "fails with".
  public var phrase: String {
    switch self {
    case .deeperRoot: "everything below \(Relocation.deepPrefix.relativeText)"
    case .renamedKeys: "other names for all keys, in the same order"
    case .otherClient: "one more client connected"
    case .twinListeners: "every listener registered twice"
    case .otherListener: "one more listener of each client, at a location of its own"
    case .reconnection: "a reconnection of each client whenever nothing is under way"
    }
  }

  /// The scenario with this change.
  ///
  /// - Throws: `UnsupportedReason` when the change could alter what the scenario says, or would leave it as
  ///   it is.
  public func applied(to scenario: Scenario) throws(UnsupportedReason) -> Scenario {
    switch self {
    case .deeperRoot: try Relocation.deeper(scenario)
    case .renamedKeys: try Relocation.renamed(scenario)
    case .otherClient: try scenario.withOtherClient()
    case .twinListeners: try scenario.withTwinListeners()
    case .otherListener: try scenario.withOtherListener()
    case .reconnection: try scenario.withReconnections()
    }
  }
}

/// Why a change cannot be made to a scenario.
public struct UnsupportedReason: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  init(_ description: String) {
    self.description = description
  }
}
