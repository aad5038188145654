import AdapterSessions
import Commands
import Glibc
import Runs
import System
import Workspace

extension Arguments {
  /// The adapter that is asked for; nil for none.
  ///
  /// - Throws: `Failure.usage` beside a client of the kit.
  func adapterOptions() throws(Failure) -> AdapterOptions? {
    guard let adapter else { return nil }
    if let descriptor = getenv("KENNEL_FD").map({ String(cString: $0) }), descriptor != "3",
      descriptor != ""
    {
      throw failure("KENNEL_FD can only be 3, not \"\(descriptor)\"")
    }
    if namesSubject { throw failure("--client NAME does not go together with a COMMAND") }
    for file in values(of: "transcript") { try FileKind.requireReplaceable(file, by: nil) }
    return AdapterOptions(command: adapter, warn: Console.warn)
  }
}

extension RunSettings {
  /// Takes what is no option: what is selected, and the client behind an adapter.
  ///
  /// - Throws: `Failure.usage` as `adapterOptions`.
  mutating func take(_ arguments: Arguments) throws(Failure) {
    selectors = arguments.operands
    adapter = try arguments.adapterOptions()
  }
}

extension AdapterSession {
  /// Says that the rest is not run, and how much that is.
  ///
  /// - Parameters:
  ///   - left: How many runs were not made.
  ///   - situations: In what it failed.
  static func describeEnd(left: Int, after situations: String = "runs") {
    Console.message(
      "kennel: the adapter failed in \(limit) \(situations) one after another\n")
    if left > 0 {
      Console.message("kennel: \(left == 1 ? "1 run was" : "\(left) runs were") not made\n")
    }
  }
}
