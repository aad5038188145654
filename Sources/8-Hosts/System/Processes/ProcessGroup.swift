package import Glibc

/// The processes that one has started, itself included, and what the machine reports of them.
package struct ProcessGroup {
  /// The process that leads the group.
  package let leader: pid_t

  /// The group that a process leads.
  package init(leader: pid_t) { self.leader = leader }

  /// How long its threads have waited for a processor so far, all of them together, in milliseconds;
  /// 0 where the machine does not count that.
  package var millisecondsWaited: Int {
    members.reduce(0) { sum, process in
      let threads = (try? Files.entries(of: "/proc/\(process)/task")) ?? []
      return threads.reduce(sum) { $0 + Self.waited("/proc/\(process)/task/\($1)") }
    }
  }

  /// How long this thread has waited for a processor so far, in milliseconds.
  package static var ownMillisecondsWaited: Int { waited("/proc/thread-self") }

  /// How much memory its processes have in use, in bytes.
  package var memory: Int {
    members.reduce(0) { sum, process in
      let fields = Self.fields("/proc/\(process)/statm")
      return sum + (fields.count > 1 ? fields[1] : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
  }

  /// How long its processes have had a processor, in nanoseconds; those that they started and that have
  /// ended count too.
  package var processorTime: Int64 { members.reduce(0) { $0 + Self.processorTime(of: $1) } }

  /// The same of one process.
  package static func processorTime(of process: pid_t) -> Int64 {
    // Behind the name: eleven others, then its own time and that of its ended children, in two parts each.
    let ticks = (Descendants.status(of: process) ?? []).dropFirst(11).prefix(4)
    return ticks.reduce(0) { $0 + (Int64($1) ?? 0) } * 1_000_000_000
      / Int64(sysconf(Int32(_SC_CLK_TCK)))
  }

  private var members: [pid_t] {
    let processes = ((try? Files.entries(of: "/proc")) ?? []).compactMap { pid_t($0) }
    // Behind the name stand the state, the parent and the group.
    return processes.filter { process in
      guard let fields = Descendants.status(of: process), fields.count > 2 else { return false }
      return fields[2] == String(leader)
    }
  }

  /// The second number of `schedstat` is the time on the queue, in nanoseconds.
  private static func waited(_ folder: String) -> Int {
    let fields = fields(folder + "/schedstat")
    return fields.count > 1 ? fields[1] / 1_000_000 : 0
  }

  private static func fields(_ file: String) -> [Int] {
    let text = (try? Files.text(of: file)) ?? ""
    return text.split(whereSeparator: \.isWhitespace).map { Int($0) ?? 0 }
  }
}
