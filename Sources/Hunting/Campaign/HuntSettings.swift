public import ClientInterface
public import Tree

/// What a campaign runs. Two campaigns with the same settings run the same for the same seed.
public struct HuntSettings: Hashable, Sendable {
  /// How many events a scenario has, roughly.
  public var size: Int
  /// The profile of every scenario; `nil` has the seeds take turns.
  public var profile: String?
  /// The name of the client under test; `nil` for the reference client.
  public var client: String?
  /// Whether each client is compared with the reference client that sees the same.
  public var hasShadow: Bool

  public init(
    size: Int = Generator.standardSize, profile: String? = nil, client: String? = nil,
    hasShadow: Bool = true
  ) {
    self.size = size
    self.profile = profile
    self.client = client
    self.hasShadow = hasShadow
  }

  /// The profile in which a seed is run.
  public func profile(of seed: UInt64) -> Profile {
    if let profile = profile.flatMap({ Profile(named: $0) }) { return profile }
    return Profile.all[Int(seed % UInt64(Profile.all.count))]
  }

  /// How many seeds are run and noted together. Chunks begin at multiples of it, so that those of
  /// different machines can be compared.
  public var chunkLength: UInt64 { UInt64(max(8, 256 * Generator.standardSize / max(1, size))) }

  /// The chunk that begins with a seed, up to the next boundary and no further than `last`.
  public func chunk(from seed: UInt64, through last: UInt64) -> ClosedRange<UInt64> {
    let (next, isBeyond) = (seed / chunkLength * chunkLength)
      .addingReportingOverflow(chunkLength - 1)
    return seed...min(last, isBeyond ? .max : next)
  }
}

extension HuntSettings {
  public var json: JSON {
    .object([
      .init("kennel-hunt", .number(1)), .init("size", .number(Double(size))),
      .init("profile", profile.map { .string($0) } ?? .null),
      .init("client", client.map { .string($0) } ?? .null), .init("shadow", .bool(hasShadow)),
    ])
  }

  /// Reads what `json` wrote; `nil` for anything else.
  public init?(json: JSON) {
    guard json["kennel-hunt"] == .number(1), let size = json["size"]?.integer,
      let hasShadow = json["shadow"]?.bool
    else { return nil }
    self.init(
      size: size, profile: json["profile"]?.string, client: json["client"]?.string,
      hasShadow: hasShadow)
  }

  /// In what other settings differ, in words; `nil` when they are the same.
  public func difference(from other: HuntSettings) -> String? {
    if size != other.size { return "size \(size) is not \(other.size)" }
    if profile != other.profile {
      return "profile \(profile ?? "all") is not \(other.profile ?? "all")"
    }
    if client != other.client {
      return "client \(client ?? "reference") is not \(other.client ?? "reference")"
    }
    return hasShadow == other.hasShadow ? nil : "one of them has no shadow"
  }
}
