package import ClientInterface
package import ReferenceClient
package import Tree

/// The data that the function of a transaction reads and changes, or a part of them.
///
/// A part shows what was changed in the whole, and the other way round (MUT-9). It belongs to one
/// run of the function, on one thread.
package final class MutableTree {
  private final class Root {
    var node: Node
    init(_ node: Node) { self.node = node }
  }

  private let root: Root
  private let path: Path
  private let engine: Engine

  private init(_ root: Root, _ path: Path, _ engine: Engine) {
    self.root = root
    self.path = path
    self.engine = engine
  }

  /// All data of a run.
  package convenience init(_ node: Node, of engine: Engine) {
    self.init(Root(node), .root, engine)
  }

  /// The data in export format with everything below.
  package private(set) var node: Node {
    get { root.node[path] }
    set { root.node = root.node.setting(newValue, at: path) }
  }

  /// The value; a new one has the priority that it names itself, or none (MUT-4, MUT-5).
  package var value: Any? {
    get { node.plainJSON(engine.profile.arrays).plain }
    set { replace(with: Node(json: engine.json(newValue))) }
  }

  /// The priority; nothing else changes with it (MUT-6).
  package var priority: Any? {
    get { node.priority?.json.plain }
    set {
      guard let priority = engine.priority(newValue) else { return }
      replace(
        with: node.settingPriority(priority.scalar), checking: Node(true, priority: priority.scalar)
      )
    }
  }

  private func replace(with new: Node, checking: Node? = nil) {
    if let problem = NodeProblem.first(in: checking ?? new, at: .root) {
      engine.platform.refuse(Misuse("invalid_value", "mutable data: \(problem)"))
    } else {
      node = new
    }
  }

  /// Nothing for the data that the function was given, whatever their location (MUT-11).
  package var key: String? { path.key?.string }
  package var childrenCount: Int { node.children.count }
  /// In the default order (MUT-10).
  package var children: [MutableTree] {
    Snapshot(node, at: path).keys.map { MutableTree(root, path.appending($0), engine) }
  }

  package func hasChild(_ text: String) -> Bool {
    engine.checkedPath(text).map { !node[$0].isEmpty } ?? false
  }

  package func child(_ text: String) -> MutableTree {
    engine.checkedPath(text).map { MutableTree(root, path.appending($0), engine) } ?? self
  }
}

extension Engine {
  /// The relative path that a text names; `nil` if that is no path, after the platform has refused it.
  package func checkedPath(_ text: String) -> Path? {
    let path = Path(text)
    guard let problem = path.problem else { return path }
    platform.refuse(Misuse("invalid_path", "\(problem)"))
    return nil
  }
}

extension Location {
  /// What the function of a transaction decides on.
  package enum Decision {
    case success(MutableTree)
    case abort
  }

  /// Runs a transaction (TXN-1).
  ///
  /// - Parameters:
  ///   - function: What computes the new data. What it throws ends the transaction (TXN-25).
  ///   - localEvents: Whether listeners see intermediate values.
  ///   - completion: Called with the error, whether the data were written, and what is there now.
  package func runTransaction(
    _ function: @escaping (MutableTree) throws -> Decision, localEvents: Operation.LocalEvents,
    then completion: ((SyncError?, Bool, Snapshot?) -> Void)?
  ) {
    if isRefused { return }
    let (engine, path) = (engine, path)
    engine.perform(.transaction(path, .keep, localEvents: localEvents)) { input in
      let data = MutableTree(input, of: engine)
      do {
        switch try function(data) {
        case let .success(result): return .wrote(result.node)
        case .abort: return .ended(Completion(committed: false, value: input))
        }
      } catch {
        return .ended(Completion(error: "usercode", committed: false))
      }
    } completion: { ended in
      completion?(
        ended.error.map { SyncError($0) }, ended.committed ?? false,
        ended.value.map { Snapshot($0, at: path) })
    }
  }
}
