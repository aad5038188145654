import Commands
import ScenarioExtraction
import System
import TraceFiles
import Workspace

/// Reads a trace, or a recording, as pictures want it: with both ends of each message. What could
/// not be read is a message.
func readPicture(_ path: String) throws(Failure) -> TraceFile {
  let session = try recordedSession(from: [path])
  session.warnings.forEach(Console.warn)
  return session.shown
}
