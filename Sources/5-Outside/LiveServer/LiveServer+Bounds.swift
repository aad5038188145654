internal import ReferenceServer
internal import Tree
internal import Wire

// What the server does not do although the protocol has words for it.

extension LiveServer {
  typealias DataCheck = ReferenceServer.Write.Check

  /// Why a request is not done; `nil` when it is.
  func refusal(of request: Request, _ check: DataCheck, by number: Int) -> String? {
    guard let link = links[number] else { return nil }
    switch request {
    case .listen where link.listens >= settings.bounds.listens:
      return "a connection has at most \(settings.bounds.listens) listens"
    case .onDisconnectPut, .onDisconnectMerge:
      if link.onDisconnects >= settings.bounds.onDisconnects {
        return "a connection leaves at most \(settings.bounds.onDisconnects) writes for its end"
      }
    default: break
    }
    switch request {
    case let .merge(path, assignments, _), let .onDisconnectMerge(path, assignments):
      return problem(of: .merge(path, assignments), check)
    case let .put(path, node, _), let .onDisconnectPut(path, node):
      return problem(of: .put(path, node), check)
    case _ where check == .passed: return nil
    case let .listen(listen): return listen.path.storageProblem
    case let .get(path, _): return path.storageProblem
    default: return nil
    }
  }

  /// Remembers what a request uses.
  mutating func record(_ request: Request, _ number: Int) {
    switch request {
    case .listen: links[number]?.listens += 1
    case .unlisten:
      if let count = links[number]?.listens { links[number]?.listens = max(0, count - 1) }
    case .onDisconnectPut, .onDisconnectMerge: links[number]?.onDisconnects += 1
    case .onDisconnectCancel(.root): links[number]?.onDisconnects = 0
    case let .authenticate(credential):
      links[number]?.isAdministrator = credential.token == LiveServerSettings.administrator
    case .unauthenticate: links[number]?.isAdministrator = false
    default: break
    }
  }

  /// What is wrong with a write, which may have been found out already.
  func problem(of write: ReferenceServer.Write, _ check: DataCheck = .due) -> String? {
    if let prepared, prepared.write == write { return prepared.problem }
    return write.problem(check)
  }
}

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
