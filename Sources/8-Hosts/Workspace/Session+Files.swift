import Document
import Recordings
package import ScenarioExtraction
package import System
import TraceFiles

/// Reads what was recorded of one session: a trace, or a recording of each client.
///
/// - Returns: The session. Its warnings list what could not be read of it.
/// - Throws: `Failure.unusable` for files of which not even the first line can be read, and for some
///   that do not belong together.
package func recordedSession(from paths: [String]) throws(Failure) -> ObservedSession {
  var recordings: [Recording] = []
  for path in paths {
    let text = try Files.text(of: path)
    if TraceFile.isTrace(text) {
      guard paths.count == 1 else {
        throw .unusable("\(path) is a trace, which has all clients; give it alone")
      }
      return ObservedSession(try readTrace(text, path))
    }
    guard Recording.isRecording(text) else { throw neitherTraceNorRecording(text, path) }
    do throws(SourceError) {
      recordings.append(try Recording.readable(text, file: path))
    } catch {
      throw .unusable("\(error)")
    }
  }
  do throws(ObservedSession.Mismatch) {
    return try ObservedSession(recordings)
  } catch {
    throw .unusable("\(error)")
  }
}

package func neitherTraceNorRecording(_ text: String, _ path: String) -> Failure {
  if text.isEmpty {
    return .unusable("\(path):1:1: the file is empty; expected a trace or a recording")
  }
  return .unusable(
    "\(path):1:1: this is neither a trace nor a recording; "
      + "expected a JSON object with \"trace\" or \"recording\" in the first line")
}

private func readTrace(_ text: String, _ path: String) throws(Failure) -> TraceFile {
  do throws(SourceError) {
    return try TraceFile(text, file: path)
  } catch {
    throw .unusable("\(error)")
  }
}
