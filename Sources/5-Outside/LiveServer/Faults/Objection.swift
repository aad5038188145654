public import Simulator

extension DisturbedServer {
  /// Why a fault cannot happen between real clients and a server, in one sentence; `nil` for those
  /// that can.
  ///
  /// Those are the faults of what a client has for itself: its process, its clock, its storage.
  public static func objection(to fault: Fault) -> String? {
    switch fault {
    case .kill, .start:
      "a live client's process belongs to whoever started it, so \(fault.name) is not possible"
    case .skew, .drift, .jump:
      "a live client reads the clock of its own machine, so \(fault.name) is not possible"
    case .writeError, .storageFull, .tornRecord, .storageWorks:
      "a live client stores on a disk of its own, so \(fault.name) is not possible"
    case .cut, .drop, .heal, .refuse, .latency, .halfOpen, .stall, .resume, .closeAfter,
      .lostAcknowledgement, .lateClose, .redirect, .shutdown, .serverSkew, .deny, .revoke,
      .revokeCredential, .staleHash, .restart, .write:
      nil
    }
  }
}
