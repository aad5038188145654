import Commands
import ScenarioExtraction
import System
import TraceFiles
import Workspace

/// Reads what was recorded of one session, and tells on standard error what could not be read.
func readSession(_ paths: [String]) throws(Failure) -> Session {
  let session = try recordedSession(from: paths)
  for warning in session.warnings { Console.message("kennel: \(warning)\n") }
  return session
}

/// Reads a trace, or a recording, as pictures want it: with both ends of each message.
func readPicture(_ path: String) throws(Failure) -> TraceFile {
  try readSession([path]).shown
}
