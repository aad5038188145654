import System
import Trace

extension Tally {
  /// What a command reports to its parent that runs something and has no other verdicts.
  var exitCode: ExitCode { failed > 0 ? .divergence : passed > 0 ? .success : .usage }
}
