import ServerHost
import Tree

/// Serves data to clients that have sockets of their own.
func serveForAWhile(_ data: JSON, until isFinished: @escaping () -> Bool) throws -> Int {
  var served = 0
  try serveLocally(data, until: isFinished) { port in
    print("serving at http://127.0.0.1:\(port)")
    served = port
  }
  return served
}
