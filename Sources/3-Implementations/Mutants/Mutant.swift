public import ClientInterface
internal import ReferenceClient
public import ReferenceServer

/// Something that runs in place of the right client, server or network and has one deliberate
/// defect.
///
/// A kit that passes them proves nothing; how many it fails, and how soon, is its power. Each has
/// one defect and is right in everything else, so that what is found is that defect.
public struct Mutant: Sendable {
  /// What the command line and reports call it. Never changes.
  public let name: String
  /// What is wrong with it, in a sentence.
  public let sentence: String
  /// The defects that it stands for: ids of `Specs/defects.md`, such as `C12`; of a conforming variant
  /// what it decides: ids of `Specs/decisions.md`, or of rules.
  public let origin: [String]
  /// The rules that it does not obey, as far as it is there to test them: ids such as `EVT-7`.
  public let violated: [String]
  /// The part of the run that is wrong; `benign` for a conforming variant.
  public let component: Component
  /// The profiles in which the defect is one. Elsewhere it may be conforming, or not show at all.
  public let profiles: [Profile]
  /// What the server does wrong in its runs; `nil` where the defect lies elsewhere.
  public let serverDefect: ServerDefect?
  private var client: @Sendable (Profile) -> any SyncClient = { ReferenceClient(profile: $0) }
  private var wrapper: (@Sendable (any SyncClient) -> any SyncClient)?

  /// Where the defect lies.
  public enum Component: String, CaseIterable, Hashable, Sendable {
    case client
    case server
    case transport
    case persistence
    /// Nowhere: it is a conforming variant that must pass.
    case benign
  }

  /// A new client for a run: the right one where the defect lies elsewhere.
  public func makeClient(_ profile: Profile) -> any SyncClient {
    wrapper?(client(profile)) ?? client(profile)
  }

  /// Any client with this defect; `nil` where the defect cannot be put around a client.
  public func wrap(_ client: any SyncClient) -> (any SyncClient)? { wrapper?(client) }

  /// One that has no defect yet.
  init(
    _ name: String, _ sentence: String, from origin: String = "", violating rules: String = "",
    component: Component = .client, in profiles: [Profile] = Profile.all,
    server: ServerDefect? = nil
  ) {
    self.name = name
    self.sentence = sentence
    self.origin = origin.split(separator: " ").map(String.init)
    violated = rules.split(separator: " ").map(String.init)
    self.component = component
    self.profiles = profiles
    serverDefect = server
  }

  /// The same as another client.
  func making(_ client: @escaping @Sendable (Profile) -> any SyncClient) -> Mutant {
    var mutant = self
    mutant.client = client
    return mutant
  }

  /// The same with something around the right client, or around any other.
  func wrapping(_ wrapper: @escaping @Sendable (any SyncClient) -> any SyncClient) -> Mutant {
    var mutant = self
    mutant.wrapper = wrapper
    return mutant
  }
}

extension Mutant: Hashable, CustomStringConvertible {
  public static func == (a: Mutant, b: Mutant) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  public var description: String { name }
}

extension Mutant {
  /// Everything with a defect, by topic.
  public static let all: [Mutant] = clients + persistence + servers + transports

  private static let clients =
    eventMutants + previousKeyMutants + windowMutants + queryMutants + listeningMutants
    + cancelMutants + writeMutants + serverValueMutants + transactionMutants + connectionMutants
    + backOffMutants + resendingMutants + wireMutants + onDisconnectMutants + accessMutants
    + snapshotMutants + callbackMutants + clientsByRule

  /// Those that violate a rule of which no known defect of a client is an example.
  private static let clientsByRule =
    argumentMutants + referenceMutants + mutableDataMutants + snapshotAnswerMutants + orderMutants
    + conditionMutants + writtenValueMutants + updateMutants + observerMutants
    + betweenListenerMutants + linkMutants + keepingMutants + runMutants

  /// Conforming variants: whatever flags one of them is wrong itself.
  public static let benign: [Mutant] = variants + openPoints

  /// One of each kind of defect that users meet most, for tests that need only a few.
  public static let examples = [valueFirst, stalePreviousKey, lostEcho, droppedWrite, noRefill]

  /// The mutant or variant with this name, or `nil`.
  public init?(named name: String) {
    guard let mutant = (Self.all + Self.subtle + Self.benign).first(where: { $0.name == name })
    else {
      return nil
    }
    self = mutant
  }
}
