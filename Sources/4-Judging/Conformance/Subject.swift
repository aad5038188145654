public import ClientInterface
public import Tree

/// What a divergence is about.
public enum Subject: Hashable, Sendable {
  case listener(client: String, name: String, Operation.Target)
  case call(client: String, id: String, Operation)
  case client(String)
  case server
}

extension Subject {
  /// The location that the names in the subject's events are relative to; the root when there is
  /// none.
  public var path: Path {
    switch self {
    case let .listener(_, _, target): target.path
    case let .call(_, _, operation): operation.path ?? .root
    case .client, .server: .root
    }
  }

  /// `alice.feed`, `alice`, `server`.
  public var label: String {
    switch self {
    case let .listener(client, name, _): "\(client).\(name)"
    case let .call(client, id, _): "\(client).\(id)"
    case let .client(name): name
    case .server: "server"
    }
  }
}
