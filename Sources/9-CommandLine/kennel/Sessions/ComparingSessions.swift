import Commands
import Document
import Recordings
import ScenarioExtraction
import System
import TraceFiles

/// Whether a text is what a live server wrote down, which has no calls or cannot be run again.
func isOfServer(_ text: String) -> Bool {
  if TraceFile.isTrace(text) { return TraceFile.isLive(text) }
  return Recording.isOfServer(text)
}

/// The recordings of the clients of a live session, with calls, as far as they can be compared.
///
/// What cannot be compared, and why, is told on standard error.
func comparable(
  _ text: String, _ file: String, _ options: ReplayOptions
) throws(Failure) -> [Recording] {
  if options.isStepping {
    throw .unusable(
      "--step is for runs that can be made again; \(file) is of a live session: go through it with"
        + " 'kennel view \(file)'")
  }
  if options.usesPresentFile {
    throw .unusable(
      "--changed is for runs of a scenario; \(file) is of a live session: make a scenario of it with"
        + " 'kennel scenario-from \(file)'")
  }
  let session = try readSession([file])
  do throws(SourceError) {
    let recordings = try session.recordings(named: file)
    let isGuessed = recordings.contains { !$0.tellsWhatIsHeard }
    if recordings.allSatisfy({ $0.groups.isEmpty }) {
      Console.message("kennel: \(file): no client said anything; there is nothing to compare\n")
    } else if isGuessed {
      Console.message(
        "kennel: \(file): calls are inferred from what clients sent; only requests are compared\n")
    }
    return recordings
  } catch {
    throw .unusable("\(error)")
  }
}
