internal import ClientInterface
internal import Document
import Invariants
internal import Scenario
internal import Trace
internal import Wire
internal import WireMonitor

extension Registry {
  /// A broken invariant as a divergence of a scenario.
  func divergence(_ finding: InvariantViolation, at position: Position) -> Divergence {
    let subject: Subject =
      switch finding.about {
      case let .listener(client, id, target):
        .listener(client: name(of: client), name: id.name, target)
      case let .call(client, id, operation):
        .call(client: name(of: client), id: id.name, operation)
      case let .client(client): .client(name(of: client))
      case .server: .server
      }
    var divergence = Divergence(
      .broken(finding.invariant, finding.sentence), of: subject, at: position,
      evidence: finding.evidence)
    divergence.details = finding.details
    if case let .call(client, id, _) = finding.about {
      divergence.origin = calls[Name(client: client, label: id.name)]?.sequence
    }
    return divergence
  }
}

extension Registry {
  /// What is never allowed, as a divergence of a scenario.
  func divergence(_ breach: ObservationWindow.Breach, at position: Position) -> Divergence {
    let kind: Divergence.Kind =
      switch breach.kind {
      case let .wire(breach): .protocolBreach(breach)
      case let .unknownLabel(label): .unknownLabel(label)
      case let .uncaught(exception): .uncaught(exception)
      }
    return Divergence(
      kind, of: breach.isOfServer ? .server : .client(name(of: breach.client)), at: position,
      evidence: breach.sequence)
  }
}

extension Divergence {
  var isBrokenInvariant: Bool {
    if case .broken = kind { true } else { false }
  }
}

extension ObservationWindow.Breach {
  /// Whether the server did it, as the client sees it.
  fileprivate var isOfServer: Bool {
    if case let .wire(finding) = kind { finding.sender == .server } else { false }
  }
}
