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
    /// Why a change was refused first.
    var refusal: SyncError?
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

  /// Why a change was refused, anywhere in the data: then the transaction fails.
  var refusal: SyncError? { root.refusal }

  /// The value; a new one has the priority that it names itself, or none (MUT-4, MUT-5).
  package var value: Any? {
    get { node.plainJSON(engine.profile.arrays).plain }
    set {
      change { () throws(SyncError) in
        let new = Node(json: try JSON(converting: newValue))
        return (new, new)
      }
    }
  }

  package var int: Int? {
    node.plainJSON(engine.profile.arrays).number.flatMap { Int(exactly: $0) }
  }

  /// The priority; nothing else changes with it (MUT-6).
  package var priority: Any? {
    get { node.priority?.json.plain }
    set {
      change { () throws(SyncError) in
        let priority = try Scalar.priority(newValue)
        return (node.settingPriority(priority), Node(true, priority: priority))
      }
    }
  }

  /// Puts a new node here, unless the database can store none such as that to be checked.
  private func change(_ make: () throws(SyncError) -> (new: Node, checked: Node)) {
    do throws(SyncError) {
      let (new, checked) = try make()
      if let problem = path.problem { throw SyncError("invalid_path", "\(problem)") }
      if let problem = NodeProblem.first(in: checked, at: .root) {
        throw SyncError("invalid_value", "mutable data: \(problem)")
      }
      node = new
    } catch {
      root.refusal = root.refusal ?? error
      engine.platform.report(.refusedCall(error))
    }
  }

  /// Nothing for the data that the function was given, whatever their location (MUT-11).
  package var key: String? { path.key?.string }
  package var childrenCount: Int { node.children.count }
  /// In the default order (MUT-10).
  package var children: [MutableTree] {
    Snapshot(node, at: path).keys.map { MutableTree(root, path.appending($0), engine) }
  }

  /// Of a location that none can be: `false`.
  package func hasChild(_ text: String) -> Bool { !node[engine.checkedPath(text)].isEmpty }

  /// Of a location that none can be: nothing, and what is changed there is refused.
  package func child(_ text: String) -> MutableTree {
    MutableTree(root, path.appending(engine.checkedPath(text)), engine)
  }
}

extension Engine {
  /// The relative path that a text names; one that is none is refused, and nothing is there.
  package func checkedPath(_ text: String) -> Path {
    let path = Path(text)
    if let problem = path.problem {
      platform.report(.refusedCall(SyncError("invalid_path", "\(problem)")))
    }
    return path
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
    let path = path
    // The function is called one run after the other.
    var refusal: SyncError?
    perform {
      .transaction(path, .keep, localEvents: localEvents)
    } function: { [engine] input in
      let data = MutableTree(input, of: engine)
      do {
        let decision = try function(data)
        refusal = data.refusal
        if let refusal { return .ended(Completion(error: refusal.code, committed: false)) }
        switch decision {
        case let .success(result): return .wrote(result.node)
        case .abort: return .ended(Completion(committed: false, value: input))
        }
      } catch {
        return .ended(Completion(error: "usercode", committed: false))
      }
    } completion: { ended, error in
      completion?(
        refusal ?? error, ended.committed ?? false, ended.value.map { Snapshot($0, at: path) })
    }
  }
}
