internal import ClientInterface
internal import Tree
internal import Wire

/// Who is signed in.
struct AuthState {
  /// Whether writes may go out.
  enum Gate {
    case open
    /// Not before the server has said what it thinks of the kept credential.
    case awaitingAnswer
    /// Not before a user has signed in again (OFF-21).
    case paused
  }

  /// The token that the server has accepted last.
  var token: String?
  var gate = Gate.open
}

extension ReferenceClient {
  /// Whether writes wait for the server to accept the credential (OFF-21).
  private var holdsKeptWrites: Bool { memory.keepsData && profile.keptWrites == .wait }

  /// No user is signed in from now on, whatever the server answers.
  mutating func signOut(as call: CallID) {
    setToken(nil)
    send(.unauthenticate, for: .credential(call))
  }

  private mutating func setToken(_ token: String?) {
    identity.token = token
    memory.keep(credential: token)
  }

  /// ACC-12: a new connection gets its credential first: what waits for an answer, else the
  /// credential that was accepted before.
  ///
  /// Where they are kept, writes wait for the answer, since they would be refused and lost if the
  /// credential has expired meanwhile (OFF-21).
  mutating func introduce() {
    let isAsked = requests.outstanding.contains { $0.kind == .credential }
    sendWaiting(.credential)
    guard let token = identity.token else { return }
    if !isAsked { transmit(.authenticate(.init(token)), expecting: .credential) }
    if holdsKeptWrites, identity.gate == .open { identity.gate = .awaitingAnswer }
  }

  /// The server answered a request about who it is; `nil` was the client's own.
  mutating func credentialAnswered(_ request: Request?, status: String) {
    // ACC-18: who has signed out meanwhile stays signed out.
    let signsOut =
      policy.signingOutIsFinal
      && requests.outstanding.contains { $0.request == .unauthenticate }
    if case .authenticate(let credential)? = request, status == "ok", !signsOut {
      setToken(credential.token)
    }
    if request == .unauthenticate { return }
    if status == "ok" {
      identity.gate = .open
      sendWaiting(.write)
    } else {
      // ACC-13, ACC-16: with a credential that is refused no user is signed in.
      if identity.gate == .awaitingAnswer { identity.gate = .paused }
      setToken(nil)
    }
  }

  /// ACC-14: the server takes the credential back. Clients of the Firebase family come again without
  /// it, others go on.
  mutating func credentialRevoked(status: String) {
    outputs.append(.log("the server took the credential back: \(status)"))
    if holdsKeptWrites, identity.token != nil { identity.gate = .paused }
    setToken(nil)
    guard policy.revokedCredentialsEndConnections ?? (profile.dialect == .firebase) else { return }
    outputs.append(.disconnect)
    connectionLost()
  }
}
