import System
public import Tree

/// Serves data on a port of this machine, as `kennel serve` does: in the framings of Firebase and of
/// Wilddog Sync over WebSockets, and over REST. It serves in the calling thread.
///
/// - Parameters:
///   - data: What every namespace begins with, in export format.
///   - port: The port of 127.0.0.1 and ::1; 0 for one that is free.
///   - isFinished: Is asked at least every 50 ms whether the server is to end. Then it closes every
///     connection, which takes 0.4 s at most.
///   - started: Is called once with the port, when clients can connect.
/// - Throws: Why nothing could be served: data that no server can have, a port that is not free.
/// - Complexity: O(messages), besides what each of them changes or reads.
public func serveLocally(
  _ data: JSON = .null, port: Int = 0, until isFinished: @escaping () -> Bool,
  started: (Int) -> Void
) throws {
  var options = ServerOptions()
  options.port = port
  options.data = Node(json: data)
  if let problem = NodeProblem.first(in: options.data, at: .root) {
    throw Failure.unusable("\(problem)")
  }
  try ServeSession(options).run(until: isFinished) { start throws(Failure) in started(start.port) }
}
