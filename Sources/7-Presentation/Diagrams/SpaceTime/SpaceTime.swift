public import Conformance
internal import Text

/// A picture of a run in space and time: a line for each client and for the server, time from top
/// to bottom, messages from line to line.
public struct SpaceTime: Sendable {
  let run: PicturedRun
  let selection: EventSelection
  let participants: Participants
  /// The names of listeners in the order in which they first receive something.
  let listeners: [String]

  /// Selects the events of the run that the picture shows, and collects the listeners among them.
  public init(of run: PicturedRun) {
    self.run = run
    selection = EventSelection(of: run)
    participants = Participants(clients: run.clients)
    listeners = selection.events.compactMap(\.listener).reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  /// The picture of a run as SVG, to be put into a page or a file.
  ///
  /// - Parameters:
  ///   - result: The run, with its events.
  ///   - id: What its ids begin with; another one for each picture of a page.
  /// - Returns: One `svg` element that needs nothing else. It is light or dark as the reader's system
  ///   is, and so is a page that sets `data-theme` above it.
  public static func svg(of result: ScenarioResult, id: String = "picture") -> String {
    SpaceTime(of: PicturedRun(result)).svg(id: id)
  }

  /// What the picture shows, in a sentence or two, for those who do not see it.
  public var summary: String {
    let arrows = selection.events.filter(\.isSending).count
    let lost = selection.events.filter(\.isLoss).count
    let raised = selection.events.filter(\.isRaised).count
    let who = run.clients.joined(separator: ", ")
    var text = "Lines for \(who) and the server, time from top to bottom. "
    text += "\(counted(arrows, "message"))\(lost > 0 ? ", \(lost) of them lost" : ""); "
    text += "listeners receive \(counted(raised, "event"))."
    if let note { text += " \(note)." }
    if let failure = run.failures.first { text += " Wrong: \(failure.sentence)." }
    return text
  }

  /// What is left out, if anything is.
  var note: String? {
    guard selection.omitted > 0 else { return nil }
    let others = "\(selection.omitted) other events are left out"
    return selection.isSlice
      ? "Only what led to the failure; \(others)" : "The beginning; \(others)"
  }
}
