import Document
import Glibc
package import System

extension Measurement {
  /// How long `body` takes, in nanoseconds.
  static func time(_ body: () -> Void) -> Int64 {
    let start = now
    body()
    return now - start
  }

  /// The most memory that this process ever held, in bytes; 0 when the system does not report it.
  ///
  /// Not `getrusage`, which counts what the parent held before this program was started.
  static var peakMemory: Int { memory(of: "self", "VmHWM:") }

  /// How much memory a process holds, by its number or as `self`, in bytes; 0 when the system does
  /// not report it.
  static func memory(of process: String, _ field: String = "VmRSS:") -> Int {
    guard let status = try? Files.text(of: "/proc/\(process)/status") else { return 0 }
    for line in status.split(separator: "\n") where line.hasPrefix(field) {
      return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }
    return 0
  }

  /// The middle one of some measurements.
  static func median(_ values: [Int64]) -> Int64 {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// The processor's name, as far as the system reports it.
  package static var processor: String {
    guard let info = try? Files.text(of: "/proc/cpuinfo") else { return "an unknown processor" }
    for line in info.split(separator: "\n") where line.hasPrefix("model name") {
      return line.split(separator: ":").dropFirst().joined(separator: ":").trimmed
    }
    return "an unknown processor"
  }

  /// Starts this program with `--version` and waits for its end.
  ///
  /// - Returns: Nanoseconds, or `nil` when it could not be started or failed.
  static func startupTime(of program: String) -> Int64? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("--version"), nil]
    defer { for argument in arguments { free(argument) } }
    let start = now
    var child: pid_t = 0
    guard posix_spawn(&child, program, &actions, nil, &arguments, environ) == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status == 0 ? now - start : nil
  }
}
