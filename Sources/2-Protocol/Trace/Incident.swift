public import ClientInterface
public import Faults

/// What happens in a run besides inputs, outputs, messages and writes: faults, and what a client
/// does that it cannot do.
public enum Incident: Hashable, Sendable {
  /// A fault happens.
  case fault(IndexedFault)
  /// The credential of a client is revoked, which is a fault of the server. The name is that of the
  /// client.
  case credentialRevoked(ClientIndex, name: String)
  /// A fault waits for its trigger from now on.
  case armed(IndexedFault)
  /// A client did something that has no effect.
  case futile(FutileAct, ClientIndex)
  /// What a trace of version 1 states in words that are none of the above.
  case stated(String, ClientIndex?)

  /// Something that a client did, or was to do, that has no effect.
  public enum FutileAct: Hashable, Sendable {
    /// It asked for a connection while it had one or was waiting for one.
    case secondConnection
    /// It sent a message without a connection.
    case unconnectedMessage
    /// What it was to store under this key was not stored.
    case lostRecord(key: String)
    /// It said that it made a call inside a callback, and in none was that call to be made.
    case unknownCall(CallID)
    /// It was called, but its process was not running.
    case deadCall
  }

  /// The fault that happens; `nil` for everything else.
  public var fault: IndexedFault? {
    switch self {
    case let .fault(fault): fault
    case let .credentialRevoked(client, _): .revokeAuth(client)
    case .armed, .futile, .stated: nil
    }
  }

  /// Whose network or machine it concerns; `nil` for the server or everyone.
  public var client: ClientIndex? {
    switch self {
    case let .fault(fault), let .armed(fault): fault.client
    case .credentialRevoked: nil
    case let .futile(_, client): client
    case let .stated(_, client): client
    }
  }
}

extension Incident {
  /// The same with other numbers of its client.
  package func mapping(client new: (ClientIndex) -> ClientIndex) -> Incident {
    switch self {
    case let .fault(fault): .fault(fault.mapping(client: new))
    case let .credentialRevoked(client, name): .credentialRevoked(new(client), name: name)
    case let .armed(fault): .armed(fault.mapping(client: new))
    case let .futile(act, client): .futile(act, new(client))
    case let .stated(text, client): .stated(text, client.map(new))
    }
  }

  /// What happens in a few words, without the client: `cut`, `armed: cut`.
  package var text: String { Words.printed(recordedText) }

  /// The words by which the hash of a trace knows it, and which traces of version 1 have. They never
  /// change.
  package var recordedText: String {
    switch self {
    case .fault(.revokeAuth): "revoke the credential"
    case let .fault(.write(write)): "another client writes \(write.path)"
    case let .fault(fault): fault.recordedText
    case let .credentialRevoked(_, name): "revoke the credential of \(name)"
    case let .armed(fault): "armed: \(fault.recordedText)"
    case let .futile(act, _): act.recordedText
    case let .stated(text, _): text
    }
  }
}

extension Incident.FutileAct {
  fileprivate var recordedText: String {
    switch self {
    case .secondConnection: "asked for a second connection"
    case .unconnectedMessage: "sent without a connection"
    case let .lostRecord(key): "not stored: \(key)"
    case let .unknownCall(call): "no callback was to call \(call.name)"
    case .deadCall: "called while it was not running"
    }
  }
}
