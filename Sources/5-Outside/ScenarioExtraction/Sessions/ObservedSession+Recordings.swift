internal import ClientInterface
public import Recordings
internal import Scenario
internal import Trace
public import TraceFiles
internal import Tree
internal import Vocabulary
internal import Wire

extension ObservedSession {
  /// What is between recordings of one session and their being put together.
  public enum Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    case profiles(String, String)
    case nothing

    public var description: String {
      switch self {
      case let .profiles(first, second):
        "\(first) and \(second) are of clients of different families; they are of no one session"
      case .nothing: "there is no recording"
      }
    }
  }

  /// Puts recordings of one session together, by the time on their clients' clocks.
  ///
  /// - Parameter recordings: One for each client, at least one.
  /// - Throws: ``Mismatch`` when they cannot be of one session.
  public init(_ recordings: [Recording]) throws(Mismatch) {
    guard let first = recordings.first else { throw .nothing }
    for other in recordings where other.profile != first.profile {
      throw .profiles(first.file, other.file)
    }
    let view: View = recordings.allSatisfy(\.isOfServer) ? .everything : .clients
    var builder = TraceBuilder(recordings, showsServer: view == .everything)
    builder.build()
    let warnings = recordings.compactMap { recording in
      recording.cut.map { "\($0); using what comes before" }
    }
    self.init(builder.file, view, warnings)
  }

  /// The same session as pictures want it: with the server at the other end of each message.
  public var shown: TraceFile {
    guard view == .clients else { return file }
    var builder = TraceBuilder(file, showsServer: true)
    builder.build()
    return builder.file
  }
}

/// Makes one trace of the inputs and outputs of several clients.
private struct TraceBuilder {
  struct Entry {
    var time: Interval
    var client: ClientIndex
    var kind: TraceEvent.Kind
    /// Whether a call of this instant came before it: what arrives does so before a call.
    var isLate = false

    var rank: Int { isLate ? 1 : 0 }
  }

  private(set) var file: TraceFile
  private let showsServer: Bool
  private var entries: [Entry] = []
  private var lastInput: [ClientIndex: Int] = [:]
  private var connections = 0
  private var sessions: [ClientIndex: String] = [:]
  private var lastAtServer: Int?

  init(_ recordings: [Recording], showsServer: Bool) {
    let epoch = recordings.map(\.epoch).min() ?? Instant(nanoseconds: 0)
    var names: [String] = []
    for recording in recordings {
      let name = recording.name.isEmpty ? "client" : recording.name
      var free = name
      while names.contains(free) { free = "\(name)-\(names.count + 1)" }
      names.append(free)
    }
    let profile = recordings.first?.profile ?? .firebase
    file = TraceFile(
      header: Self.header(names, profile, epoch, UInt64(max(0, recordings.first?.seed ?? 0))),
      trace: Trace(), end: .unjudged)
    self.showsServer = showsServer
    for (index, recording) in recordings.enumerated() {
      let shift = recording.epoch - epoch
      entries += recording.entries(of: ClientIndex(index), profile.dialect, after: shift)
    }
    entries = entries.enumerated().sorted {
      ($0.element.time, $0.element.rank, $0.offset)
        < ($1.element.time, $1.element.rank, $1.offset)
    }.map(\.element)
  }

  init(_ file: TraceFile, showsServer: Bool) {
    self.file = file
    self.file.trace = Trace()
    self.showsServer = showsServer
    entries = file.trace.events.compactMap { event in
      event.kind.client.map { Entry(time: event.time, client: $0, kind: event.kind) }
    }
  }

  private static func header(
    _ names: [String], _ profile: Profile, _ epoch: Instant, _ seed: UInt64
  ) -> TraceFile.Header {
    TraceFile.Header(
      kit: "", scenario: "", title: "A session of \(names.joined(separator: ", "))", file: "",
      profile: profile, seed: seed, client: "recorded", clients: names, judging: .expectations,
      choices: [], sources: [], session: TraceFile.LiveSession(epoch: epoch))
  }

  mutating func build() {
    for entry in entries { add(entry) }
  }

  private mutating func add(_ entry: Entry) {
    let (client, time) = (entry.client, entry.time)
    switch entry.kind {
    case let .input(_, input):
      var cause: Int?
      if showsServer { cause = server(before: input, of: client, time) }
      lastInput[client] = append(entry.kind, cause, time)
    case let .output(_, output):
      let left = append(entry.kind, lastInput[client], time)
      guard showsServer else { return }
      switch output {
      case let .send(message): lastAtServer = append(.serverReceived(client, message), left, time)
      case .disconnect: end(client, left, time)
      default: break
      }
    default: break
    }
  }

  /// What happened at the server for a client to be given this.
  private mutating func server(
    before input: ClientInput, of client: ClientIndex, _ time: Interval
  ) -> Int? {
    switch input {
    case .opened:
      connections += 1
      let session = "session\(connections)"
      sessions[client] = session
      lastAtServer = append(.serverOpened(client, session: session), nil, time)
      return lastAtServer
    case let .frame(message): return append(.serverSent(client, message), lastAtServer, time)
    case .closed:
      end(client, nil, time)
      return lastAtServer
    default: return nil
    }
  }

  private mutating func end(_ client: ClientIndex, _ cause: Int?, _ time: Interval) {
    guard let session = sessions.removeValue(forKey: client) else { return }
    lastAtServer = append(.serverClosed(client, session: session), cause, time)
  }

  private mutating func append(_ kind: TraceEvent.Kind, _ cause: Int?, _ time: Interval) -> Int {
    file.trace.append(kind, cause: cause, time: time, step: -1)
  }
}

extension ClientInput {
  /// Whether it is done to the client, which waits until everything of that moment has arrived.
  fileprivate var isDoneToIt: Bool {
    switch self {
    case .call, .closed: true
    case .open, .opened, .refused, .frame, .timer, .close: false
    }
  }
}

extension Recording {
  fileprivate func entries(
    of client: ClientIndex, _ dialect: Dialect, after shift: Interval
  ) -> [TraceBuilder.Entry] {
    var entries: [TraceBuilder.Entry] = []
    // From when on what happens at that moment comes after what arrives at others.
    var late: Interval?
    func add(_ kind: TraceEvent.Kind, at time: Interval, isLate: Bool) {
      if isLate { late = time }
      entries.append(
        TraceBuilder.Entry(time: time + shift, client: client, kind: kind, isLate: late == time))
    }
    for group in groups {
      if let input = group.input {
        add(.input(client, input), at: group.time, isLate: input.isDoneToIt)
      }
      for (output, time) in zip(group.outputs, group.outputTimes) {
        add(.output(client, Self.output(output)), at: time, isLate: Self.isWrite(output))
      }
    }
    return entries
  }

  /// Who listens learns of what is written at the same moment, unless something speaks against it.
  private static func isWrite(_ output: JSON) -> Bool {
    guard let action = output["send"]?["d"]?["a"]?.string else { return false }
    return ["p", "m"].contains(action)
  }

  /// An output of a recording. What has no word here is a remark.
  private static func output(_ json: JSON) -> ClientOutput {
    if json["close"] != nil { return .disconnect }
    return (try? ClientOutput(json: json)) ?? .log(json.text)
  }
}
