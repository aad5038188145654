internal import ClientInterface
internal import Wire

// Who the client says it is.

extension Mutant {
  static let accessMutants = [
    Mutant(
      "writes-wait-for-ever-after-signing-in",
      "Writes that waited for somebody to sign in are not sent then.", from: "C38"
    ) { step in
      guard case .authenticate? = step.answered else { return step.outputs }
      return step.withoutRequests(\.isPlainWrite)
    },
    Mutant(
      "credential-comes-last", "A new connection is told last who it is for.", from: "C38"
    ) { step in
      guard case .frame(.hello) = step.input else { return step.outputs }
      let isCredential = { (output: ClientOutput) in output.request?.action == .authenticate }
      return step.outputs.filter { !isCredential($0) } + step.outputs.filter(isCredential)
    },
    Mutant(
      "credential-not-restored", "A new connection is not told who it is for.", from: "R66"
    ) { step in
      guard step.isReconnection else { return step.outputs }
      return step.withoutRequests { $0.action == .authenticate }
    },
    Mutant(
      "sign-out-is-not-told", "The server is not told that nobody is signed in.", from: "R66"
    ) {
      step in
      step.requests { $0.action == .unauthenticate ? [.stats([])] : [$0] }
    },
    Mutant(
      "revoked-credential-is-ignored", "A credential that is taken back changes nothing.",
      from: "R65"
    ) { input, _ in
      if case .frame(.credentialRevoked) = input { [] } else { [input] }
    },
  ]
}
