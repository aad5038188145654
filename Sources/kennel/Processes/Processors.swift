import Glibc

/// The processors of this machine.
enum Processors {
  /// How many this process may use; at least one.
  static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
