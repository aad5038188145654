internal import ClientEngine
internal import ClientInterface
internal import Document
internal import Faults
internal import ReferenceServer
internal import Simulator
public import Testing
public import Tree

/// The server of a simulated network, as a test sees it: what it has, and what others write there.
public struct SimulatedServer: Sendable {
  let network: SimulatedNetwork

  /// What the server has at a path, with the root as `""`; `nil` for nothing. It compares with literals:
  /// `network.server["list/milk"] == true`.
  public subscript(path: String) -> JSON? {
    guard isPath(path, #_sourceLocation) else { return nil }
    return network.asked("server") { $0.serverTree[Path(path)] }.flatMap {
      $0.isEmpty ? nil : $0.json
    }
  }

  /// Writes as a client of which the test has no more: without rules, and at once.
  ///
  /// - Parameters:
  ///   - path: The location.
  ///   - value: What `setValue` takes; `nil` removes.
  ///   - sourceLocation: Where issues are reported.
  public func set(
    _ path: String, _ value: Any?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard isPath(path, sourceLocation) else { return }
    do throws(SyncError) {
      if let problem = SyncError.inValue(value) { throw problem }
      let node = Node(json: try JSON(converting: value))
      network.inject(.write(.set(Path(path), node)), sourceLocation: sourceLocation)
    } catch {
      network.report("\(path): \(error)", at: sourceLocation)
    }
  }

  /// Removes what is at a path, as ``set(_:_:sourceLocation:)`` with `nil`.
  ///
  /// - Parameters:
  ///   - path: The location.
  ///   - sourceLocation: Where issues are reported.
  public func remove(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) {
    set(path, nil, sourceLocation: sourceLocation)
  }

  /// Sets the rules of the database, for requests from now on.
  ///
  /// - Parameters:
  ///   - text: JSON, `{"rules": …}`, in which comments may stand.
  ///   - sourceLocation: Where issues are reported.
  public func setRules(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let (rules, problems) = SecurityRules.read(Array(text.utf8))
    guard let rules else {
      let list = problems.map { "\n  rules:\($0)" }.joined()
      return network.report("the rules have mistakes:\(list)", at: sourceLocation)
    }
    _ = network.asked("setRules") { $0.databaseRules = rules }
  }

  /// Lets users sign in with a token.
  ///
  /// - Parameters:
  ///   - token: What `signIn(withToken:)` is given.
  ///   - user: The id of the user, `auth.uid` in rules.
  ///   - lifetime: After how long it is not valid any more; `nil` for never.
  public func accept(token: String, of user: String, for lifetime: Duration? = nil) {
    _ = network.asked("accept") { simulator in
      let expiry = lifetime.map { simulator.clock + Interval($0) }
      simulator.tokens[token] = TokenClaims(user: user, expiry: expiry)
    }
  }

  private func isPath(_ path: String, _ sourceLocation: SourceLocation) -> Bool {
    guard let problem = SyncError.inPath(path) else { return true }
    network.report("\(path): \(problem)", at: sourceLocation)
    return false
  }
}
