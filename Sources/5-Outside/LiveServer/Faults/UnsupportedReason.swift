public import Faults

extension FaultyServer {
  /// Why a fault cannot happen between real clients and a server, in one sentence; `nil` for those
  /// that can.
  ///
  /// Those are the faults of what a client has for itself: its process, its clock, its storage.
  public static func unsupportedReason(to fault: IndexedFault) -> String? {
    let name = fault.kind.name
    return switch fault.kind.live {
    case .ownProcess:
      "a live client's process belongs to its user, so \(name) is not possible"
    case .ownClock:
      "a live client reads the clock of its own machine, so \(name) is not possible"
    case .ownStorage: "a live client stores on a disk of its own, so \(name) is not possible"
    case .possible: nil
    }
  }
}
