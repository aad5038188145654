internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Wire

// Who the client says it is.

extension Mutant {
  static let accessMutants = [
    Mutant(
      "writes-wait-for-ever-after-signing-in",
      "Writes that waited for a sign-in are not sent after it.", from: "C38", violating: "OFF-21"
    ) { step in
      guard case .authenticate? = step.answered else { return step.outputs }
      return step.withoutRequests(\.isPlainWrite)
    },
    Mutant(
      "credential-comes-last", "A new connection gets its credential last.", from: "C38",
      violating: "ACC-12"
    ) { step in
      guard case .frame(.hello) = step.input else { return step.outputs }
      let isCredential = { (output: ClientOutput) in output.request?.action == .authenticate }
      return step.outputs.filter { !isCredential($0) } + step.outputs.filter(isCredential)
    },
    Mutant(
      "credential-not-restored", "A new connection gets no credential.", from: "R66",
      violating: "ACC-12"
    ) { step in
      guard step.isReconnection else { return step.outputs }
      return step.withoutRequests { $0.action == .authenticate }
    },
    Mutant(
      "sign-out-is-not-told", "The sign-out is not sent to the server.", from: "R66"
    ) {
      step in
      step.requests { $0.action == .unauthenticate ? [.stats([])] : [$0] }
    },
    Mutant(
      "late-answer-signs-in",
      "The answer to a sign-in that a sign-out has followed is kept for the next connection.",
      from: "C49", deciding: { $0.signingOutIsFinal = false }),
    Mutant(
      "revoked-credential-is-ignored", "A credential that is taken back changes nothing.",
      from: "R65", violating: "ACC-14"
    ) { input, _ in
      if case .frame(.credentialRevoked) = input { [] } else { [input] }
    },
  ]
}
