internal import ClientInterface
internal import Tree
internal import Wire

/// Who is signed in, and what was asked of the server about it.
struct AuthState {
  /// Something that the application asked for and the server has not answered.
  struct Outstanding {
    let number: Int
    let request: Request
    let call: CallID
  }

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
  /// In order of the calls.
  var outstanding: [Outstanding] = []
  var gate = Gate.open

  mutating func takeOutstanding(_ number: Int) -> Outstanding? {
    guard let index = outstanding.firstIndex(where: { $0.number == number }) else { return nil }
    return outstanding.remove(at: index)
  }
}

extension ReferenceClient {
  /// Whether a write that is made now goes out now.
  var writesFlow: Bool { link.state == .ready && identity.gate == .open }

  /// Whether writes wait for the server to accept the credential (OFF-21).
  private var holdsKeptWrites: Bool { memory.keepsData && profile.keptWrites == .wait }

  mutating func signIn(with token: String, as call: CallID) {
    request(.authenticate(.init(token)), as: call)
  }

  /// No user is signed in from now on, whatever the server answers.
  mutating func signOut(as call: CallID) {
    setToken(nil)
    request(.unauthenticate, as: call)
  }

  private mutating func request(_ request: Request, as call: CallID) {
    let number = requests.nextNumber()
    identity.outstanding.append(.init(number: number, request: request, call: call))
    if link.state == .ready { transmit(request, expecting: .credential(number: number)) }
  }

  private mutating func setToken(_ token: String?) {
    if identity.token == token { return }
    identity.token = token
    memory.needsStoring = true
  }

  /// ACC-12: a new connection gets its credential first: what waits for an answer, else the
  /// credential that was accepted before.
  ///
  /// Where they are kept, writes wait for the answer, since they would be refused and lost if the
  /// credential has expired meanwhile (OFF-21).
  mutating func introduce() {
    for request in identity.outstanding {
      transmit(request.request, expecting: .credential(number: request.number))
    }
    guard let token = identity.token else { return }
    if identity.outstanding.isEmpty {
      transmit(.authenticate(.init(token)), expecting: .credential(number: nil))
    }
    if holdsKeptWrites, identity.gate == .open { identity.gate = .awaitingAnswer }
  }

  /// The server answered a request about who it is; without a number it was the client's own.
  mutating func credentialAnswered(_ number: Int?, status: String) {
    let outstanding = number.flatMap { identity.takeOutstanding($0) }
    // ACC-18: who has signed out meanwhile stays signed out.
    let signsOut =
      policy.signingOutIsFinal
      && identity.outstanding.contains { $0.request == .unauthenticate }
    if case .authenticate(let credential)? = outstanding?.request, status == "ok",
      !signsOut
    {
      setToken(credential.token)
    }
    if outstanding?.request != .unauthenticate { admitWrites(after: status) }
    if let outstanding { complete(outstanding.call, status: status) }
  }

  /// ACC-13, ACC-16: with a credential that is refused no user is signed in.
  private mutating func admitWrites(after status: String) {
    if status == "ok" {
      openGate()
    } else {
      if identity.gate == .awaitingAnswer { identity.gate = .paused }
      setToken(nil)
    }
  }

  private mutating func openGate() {
    guard identity.gate != .open else { return }
    identity.gate = .open
    for index in requests.puts.indices where !requests.puts[index].isSent { transmitPut(index) }
  }

  /// ACC-14: the server takes the credential back. Clients of the Firebase family come again without
  /// it, others go on.
  mutating func credentialRevoked(status: String) {
    outputs.append(.log("the server took the credential back: \(status)"))
    if holdsKeptWrites, identity.token != nil { identity.gate = .paused }
    setToken(nil)
    guard profile.dialect == .firebase else { return }
    outputs.append(.disconnect)
    connectionLost()
  }
}
