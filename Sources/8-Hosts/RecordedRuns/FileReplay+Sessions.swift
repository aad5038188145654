import Document
import Recordings
import ScenarioExtraction
import System
import TraceFiles
import Workspace

extension FileReplay {
  /// Whether a text is what a live server wrote down, which has no calls or cannot be run again.
  static func isOfServer(_ text: String) -> Bool {
    TraceFile.isTrace(text) ? TraceFile.isLive(text) : Recording.isOfServer(text)
  }

  /// The recordings of the clients of a live session, with calls, as far as they can be compared.
  /// Warnings say what cannot be compared, and why.
  func recordings(ofSession file: String) throws(Failure) -> [Recording] {
    if settings.isStepping {
      throw .unusable(
        "--step is for runs that can be made again; \(file) is of a live session: go through it with"
          + " 'kennel view \(file)'")
    }
    if settings.runsCurrentFile {
      throw .unusable(
        "--changed is for runs of a scenario; \(file) is of a live session: make a scenario of it with"
          + " 'kennel scenario-from \(file)'")
    }
    let session = try recordedSession(from: [file])
    session.warnings.forEach(observer.warn)
    do throws(SourceError) {
      let recordings = try session.recordings(named: file)
      if recordings.allSatisfy({ $0.groups.isEmpty }) {
        observer.warn("\(file): no client sent anything; there is nothing to compare")
      } else if recordings.contains(where: { !$0.recordsReceivedEvents }) {
        observer.warn(
          "\(file): calls are inferred from what clients sent; only requests are compared")
      }
      return recordings
    } catch {
      throw .unusable("\(error)")
    }
  }
}
