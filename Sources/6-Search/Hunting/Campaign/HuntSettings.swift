public import ClientInterface
public import Scenario
public import Tree

/// What a campaign runs. Two campaigns with the same settings run the same for the same seed.
public struct HuntSettings: Hashable, Sendable {
  /// How many events a scenario has, roughly.
  public var size: Int
  /// The profile of every scenario; `nil` has the seeds take turns.
  public var profile: String?
  /// The clients under test.
  public var fleet: Fleet
  /// The command of the program behind which the client is; empty for none.
  public var adapter: [String] = []
  /// The server under test, in the words of a command line; empty for runs in virtual time.
  public var server: [String] = []
  /// Whether each client is compared with the reference client that sees the same.
  public var hasShadow: Bool
  /// How many seeds are run and recorded together. Chunks begin at multiples of it, so that those of
  /// different machines can be compared.
  public var chunkLength: Int
  /// Whether what is run follows from what earlier scenarios of the chunk have reached.
  public var isGuided = false
  /// The hash of the corpus that a guided campaign begins with; `nil` for none.
  public var corpus: String?
  /// The hash of the list of causes that are known; `nil` for none.
  public var known: String?

  /// Without a length, chunks have about 30,000 events.
  public init(
    size: Int = Generator.standardSize, profile: String? = nil, client: String? = nil,
    hasShadow: Bool = true, chunkLength: Int? = nil
  ) {
    self.size = size
    self.profile = profile
    fleet = Fleet(client)
    self.hasShadow = hasShadow
    self.chunkLength = chunkLength ?? max(8, 256 * Generator.standardSize / max(1, size))
  }

  /// What is tried, in words.
  var subject: String {
    if let server = server.last { return server }
    let client = fleet.members.isEmpty ? "the client" : adapter.joined(separator: " ")
    return fleet.description(rest: adapter.isEmpty ? fleet.rest ?? "reference" : client)
  }

  /// How many seeds have a guidance of their own, unless something else is asked for.
  public static let guidedChunk = 1024

  /// The profile in which a seed is run.
  public func profile(of seed: UInt64) -> Profile {
    if let profile = profile.flatMap({ Profile(named: $0) }) { return profile }
    return Profile.all[Int(seed % UInt64(Profile.all.count))]
  }

  /// The chunk that begins with a seed, up to the next boundary and no further than `last`.
  public func chunk(from seed: UInt64, through last: UInt64) -> ClosedRange<UInt64> {
    let length = UInt64(max(1, chunkLength))
    let (next, isBeyond) = (seed / length * length).addingReportingOverflow(length - 1)
    return seed...min(last, isBeyond ? .max : next)
  }
}

extension HuntSettings {
  /// The version of the files of campaigns.
  private static let version = 2

  /// The settings as an object for the files of a campaign, with the versions of the format and of
  /// the generator, which `read` checks.
  public var json: JSON {
    let program: [JSON.Member] =
      adapter.isEmpty ? [] : [.init("adapter", .array(adapter.map { .string($0) }))]
    let members = fleet.members.map {
      JSON.object([.init("client", .string($0.client)), .init("subject", .string($0.subject))])
    }
    let fleet: [JSON.Member] = members.isEmpty ? [] : [.init("fleet", .array(members))]
    return .object(
      [
        .init("kennel-hunt", .number(Double(Self.version))),
        .init("draws", .number(Double(Generator.version))), .init("size", .number(Double(size))),
        .init("chunk", .number(Double(chunkLength))),
        .init("profile", profile.map { .string($0) } ?? .null),
        .init("client", self.fleet.rest.map { .string($0) } ?? .null),
        .init("shadow", .bool(hasShadow)),
        .init("guided", .bool(isGuided)),
      ]
        + [("corpus", corpus), ("known", known)].compactMap { name, hash in
          hash.map { .init(name, .string($0)) }
        } + fleet + program
        + (server.isEmpty ? [] : [.init("server", .array(server.map { .string($0) }))]))
  }

  /// What a text comes to that should be what `json` wrote.
  public enum Reading: Hashable, Sendable {
    case settings(HuntSettings)
    /// With the reason, as a clause.
    case unusable(String)
  }

  /// Reads what `json` wrote; `nil` is no JSON at all.
  public static func read(_ json: JSON?) -> Reading {
    guard let json, let version = json["kennel-hunt"]?.integer else {
      return .unusable("it describes no hunt; expected what 'kennel hunt --output DIR' has written")
    }
    guard version == Self.version else {
      return .unusable(
        "it describes a hunt in version \(version), and this kennel knows \(Self.version)")
    }
    guard let random = json["draws"]?.integer, let size = json["size"]?.integer,
      let chunk = json["chunk"]?.integer, let hasShadow = json["shadow"]?.bool, size > 0, chunk > 0
    else {
      return .unusable("it describes no hunt; expected what 'kennel hunt --output DIR' has written")
    }
    guard random == Generator.version else {
      return .unusable(
        "its seeds mean other scenarios: they were drawn by generator \(random), and this kennel "
          + "has \(Generator.version)")
    }
    var settings = HuntSettings(
      size: size, profile: json["profile"]?.string, client: json["client"]?.string,
      hasShadow: hasShadow, chunkLength: chunk)
    settings.isGuided = json["guided"]?.bool ?? false
    settings.corpus = json["corpus"]?.string
    settings.known = json["known"]?.string
    for member in json["fleet"]?.elements ?? [] {
      guard let client = member["client"]?.string, let subject = member["subject"]?.string else {
        return .unusable("its fleet has a member without a client or a subject")
      }
      settings.fleet.add(.init(client: client, subject: subject))
    }
    settings.adapter = json["adapter"]?.elements?.compactMap(\.string) ?? []
    settings.server = json["server"]?.elements?.compactMap(\.string) ?? []
    return .settings(settings)
  }

  /// In what other settings differ, in words; `nil` when they are the same.
  public func difference(from other: HuntSettings) -> String? {
    if size != other.size { return "size \(size) is not \(other.size)" }
    if profile != other.profile {
      return "profile \(profile ?? "all") is not \(other.profile ?? "all")"
    }
    if fleet != other.fleet {
      let names = [fleet, other.fleet].map { $0.description(rest: $0.rest ?? "reference") }
      return "client \(names[0]) is not \(names[1])"
    }
    if adapter != other.adapter {
      return "the program \(adapter.joined(separator: " ")) is not "
        + other.adapter.joined(separator: " ")
    }
    if server != other.server {
      return "the server \(server.joined(separator: " ")) is not "
        + other.server.joined(separator: " ")
    }
    if isGuided != other.isGuided { return "one of them is guided" }
    if corpus != other.corpus {
      return Self.other("corpus (--corpus)", corpus, other.corpus)
    }
    if known != other.known {
      return Self.other("list of known causes (--known)", known, other.known)
    }
    if chunkLength != other.chunkLength {
      return "chunks of \(chunkLength) are not chunks of \(other.chunkLength)"
    }
    return hasShadow == other.hasShadow ? nil : "one of them has no shadow"
  }

  /// How two differ of which the hashes of files are known.
  private static func other(_ noun: String, _ first: String?, _ second: String?) -> String {
    first == nil || second == nil ? "one of them has no \(noun)" : "the \(noun) is not what it was"
  }
}
