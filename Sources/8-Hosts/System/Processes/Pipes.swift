import CScheduling
import Document
import Glibc

/// The pipes between this process and one that it is about to start.
struct Pipes {
  /// The two ends of a pipe.
  struct Ends {
    var ours: Int32
    var theirs: Int32
  }

  let input: Ends
  let output: Ends
  let error: Ends
  /// The descriptor of the other process that leads to `output`.
  let outputDescriptor: Int32

  /// - Throws: `Failure.notStarted` when there are too many open files.
  init(outputDescriptor: Int32) throws(Failure) {
    self.outputDescriptor = outputDescriptor
    var pipes: [(reading: Int32, writing: Int32)] = []
    for _ in 0..<3 {
      var ends: [Int32] = [-1, -1]
      // Closed in every other process that is started, also by another thread at this moment: a
      // process must see its input end.
      guard pipe2(&ends, O_CLOEXEC) == 0 else {
        let reason = Files.lastReason()
        for pipe in pipes { _ = (close(pipe.reading), close(pipe.writing)) }
        throw .notStarted("cannot make a pipe: \(reason)")
      }
      pipes.append((ends[0], ends[1]))
    }
    input = Ends(ours: pipes[0].writing, theirs: pipes[0].reading)
    output = Ends(ours: pipes[1].reading, theirs: pipes[1].writing)
    error = Ends(ours: pipes[2].reading, theirs: pipes[2].writing)
  }

  func closeOurs() { for ends in [input, output, error] { close(ends.ours) } }

  func closeTheirs() { for ends in [input, output, error] { close(ends.theirs) } }
}

/// Starts a program that uses the far ends of the pipes, in a process group of its own. `undo` is
/// called before an error is thrown, which is `Failure.notStarted` with the system's reason.
func spawn(
  _ program: String, _ arguments: [String], _ environment: [String], _ pipes: Pipes,
  undo: () -> Void
) throws(Failure) -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_adddup2(&actions, pipes.input.theirs, STDIN_FILENO)
  posix_spawn_file_actions_adddup2(&actions, pipes.error.theirs, STDERR_FILENO)
  if pipes.outputDescriptor != STDOUT_FILENO {
    posix_spawn_file_actions_adddup2(&actions, pipes.error.theirs, STDOUT_FILENO)
  }
  // Last, because this location may be that of another pipe.
  posix_spawn_file_actions_adddup2(&actions, pipes.output.theirs, pipes.outputDescriptor)

  var attributes = groupLeader()
  defer { posix_spawnattr_destroy(&attributes) }

  var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
  var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
  defer { for word in words + variables { free(word) } }
  var process: pid_t = 0
  let problem = posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
  guard problem == 0 else {
    undo()
    throw .notStarted(
      "cannot start \(program): \(String(cString: strerror(problem)))\(hint(on: problem, program))")
  }
  return process
}

/// What to do about a program that does not start.
private func hint(on problem: Int32, _ program: String) -> String {
  switch problem {
  case EACCES, ENOEXEC:
    Files.isDirectory(program)
      ? "; it is a folder; expected a program"
      : "; expected a program; make it executable with 'chmod +x \(shellWord(program))'"
        + (Interpreter.program(for: program).map {
          ", or start it by its language: \($0) \(shellWord(program))"
        } ?? "")
  case ENOENT where program.hasPrefix("-"):
    "; expected a program: options of kennel stand before the --"
  case ENOENT where program.contains(" "):
    "; expected its words apart, without quotes around them all: \(program)"
  case ENOENT where program.hasPrefix("/"): "; expected the path of a program"
  case ENOENT where program.contains("/"): "; expected the path of a program, from this folder"
  case ENOENT where Files.isDirectory(program): "; it is a folder; expected a program"
  case ENOENT where Files.exists(program):
    "; expected a name in PATH; the file of that name in this folder is ./\(program)"
  case ENOENT: "; expected a name in PATH"
  default: ""
  }
}

/// How a process is started: in a group of its own, with no signal ignored or kept waiting.
private func groupLeader() -> posix_spawnattr_t {
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  var defaults = sigset_t()
  sigemptyset(&defaults)
  sigaddset(&defaults, SIGPIPE)
  posix_spawnattr_setsigdefault(&attributes, &defaults)
  // What this process keeps waiting must reach the other one.
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setpgroup(&attributes, 0)
  posix_spawnattr_setflags(
    &attributes,
    Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
  return attributes
}
