internal import ReferenceServer
internal import Tree
internal import Wire

/// About how much a namespace stores. Measuring takes time, so that writes are added up meanwhile,
/// and what they overwrite is not subtracted until it is measured again.
struct StoredBytes: Sendable {
  /// The last measurement, and the writes since then.
  private(set) var estimate = 0
  private var sinceMeasured = 0

  /// Adds a write.
  ///
  /// - Returns: Whether it goes beyond the limit.
  mutating func exceeds(_ limit: Int, adding bytes: Int, to tree: Node) -> Bool {
    sinceMeasured += bytes
    if estimate + bytes > limit, sinceMeasured > limit / 8 {
      (estimate, sinceMeasured) = (tree.byteCount(), 0)
    }
    if estimate + bytes > limit { return true }
    estimate += bytes
    return false
  }
}

extension LiveServer {
  /// Why a write is not done although the rules allow it; `nil` when there is room for it.
  mutating func storageRefusal(of request: Request, in namespace: String) -> String? {
    guard let write = ReferenceServer.Write(request) else { return nil }
    let known = prepared.flatMap { $0.write == write ? $0.byteCount : nil }
    let bytes = known ?? write.byteCount
    guard bytes > 0, let tree = namespaces[namespace]?.tree,
      stored[namespace, default: StoredBytes()].exceeds(
        settings.bounds.stored, adding: bytes, to: tree)
    else { return nil }
    return "a namespace stores at most \(settings.bounds.stored) bytes; remove something first"
  }
}
