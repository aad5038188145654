/// What is wrong with an adapter: it broke the protocol, ended, or does not answer.
public enum AdapterFault: Error, Hashable, Sendable {
  /// A line that is no JSON; `reason` says where and why.
  case notJSON(line: String, reason: String)
  /// A line that is no output; `expected` is the shape that it should have had.
  case malformed(line: String, expected: String)
  /// More than the longest line allowed without a line feed.
  case longLine(limit: Int)
  /// More than an answer to one input may be altogether.
  case longAnswer(limit: Int)
  /// It wrote idle for something else than what it was asked.
  case wrongIdle(found: String, expected: Int)
  /// It wrote idle although everything that it was asked had been answered.
  case secondIdle(String)
  /// It wrote although it had said that there was nothing left to do.
  case afterIdle(line: String)
  /// It answered for a client that was not asked.
  case otherClient(line: String, asked: String)
  /// It spoke of something that there is not; `mismatch` says of what.
  case baseless(line: String, mismatch: String)
  /// It introduced itself as something that cannot be run, for this reason.
  case unsuitable(String, line: String)
  /// It was idle without having introduced itself.
  case noHello
  /// It answered with an `error`.
  case refused(code: String, message: String)
  /// It ended in the middle of a line.
  case unfinishedLine(String, ending: String)
  /// It ended without a request to do so: `exit code 0`, `signal 11 (Segmentation fault)`.
  case ended(String)
  /// It runs, but its output is closed.
  case closedOutput
  /// It runs, but does not read its input.
  case closedInput
  /// It wrote nothing, or no idle, for so many milliseconds; perhaps a line without its end.
  case silent(milliseconds: Int, hasWritten: Bool, unfinishedLine: String?)

  /// How such a run is called in reports.
  public enum Kind: Hashable, Sendable {
    case crash, hang, brokenProtocol
  }

  /// The class of the fault: silence is a hang; an end, a closed pipe or the error `failed` is a
  /// crash; all else breaks the protocol.
  public var kind: Kind {
    switch self {
    case .silent: .hang
    case .ended, .unfinishedLine, .closedOutput, .closedInput: .crash
    case let .refused(code, _): code == "failed" ? .crash : .brokenProtocol
    default: .brokenProtocol
    }
  }
}

extension AdapterFault {
  /// Whether the adapter lives and keeps to the protocol, and only cannot do what it was asked.
  public var isLack: Bool {
    if case .refused("not-supported", _) = self { true } else { false }
  }
}

extension AdapterFault: CustomStringConvertible {
  /// One sentence without its full stop.
  public var description: String {
    switch self {
    case let .notJSON(line, reason):
      line.isEmpty
        ? "the adapter wrote an empty line; expected one of JSON (\(reason))"
        : "the adapter wrote a line that is not JSON: \(line) (\(reason))"
    case let .malformed(line, expected): "the adapter wrote a wrong line (\(expected)): \(line)"
    case let .longLine(limit):
      "the adapter wrote \(limit) bytes without a line feed; expected lines of at most that length"
    case let .longAnswer(limit):
      "the adapter wrote \(limit) bytes in answer to one input, and has not written idle yet"
    case let .wrongIdle(found, expected) where Int(found) == nil:
      "the adapter wrote idle with \(found); expected {\"idle\":\(expected)}: the id of the request"
    case let .wrongIdle(found, expected):
      found == String(expected - 1)
        ? "the adapter wrote idle for \(found) twice, or late; it was asked \(expected)"
        : "the adapter wrote idle for \(found), but was asked \(expected)"
    case let .secondIdle(id): "the adapter wrote idle for \(id), and nothing was asked"
    case let .afterIdle(line): "the adapter wrote more after idle: \(line)"
    case let .otherClient(line, asked):
      "the adapter answered for another client than \(asked), which was asked: \(line)"
    case let .baseless(line, mismatch):
      "the adapter refers to something unknown (\(mismatch)): \(line)"
    case let .unsuitable(_, line) where line.hasPrefix("{\"id\":"):
      "the adapter wrote back what it was asked; expected a hello of its own, such as "
        + "{\"hello\":{\"protocol\":1,\"name\":\"my-client\",\"version\":\"1\",\"capabilities\":[\"set\"]}}"
    case let .unsuitable(reason, line): "the adapter cannot be run: \(reason); it said \(line)"
    case .noHello: "the adapter wrote idle before hello; expected a hello first"
    case let .refused(code, message): "the adapter answered \(code): \(message)"
    case let .unfinishedLine(line, ending):
      "the adapter ended in the middle of a line (\(ending)): \(line)"
    case let .ended(ending): "the adapter ended (\(ending)) before it was asked to"
    case .closedOutput: "the adapter closed its output, and runs on"
    case .closedInput: "the adapter closed its input, and runs on"
    case let .silent(milliseconds, hasWritten, line): silence(milliseconds, hasWritten, line)
    }
  }

  /// The same of a program that has not introduced itself yet, and may be no adapter at all.
  ///
  /// - Parameters:
  ///   - command: How it was started.
  ///   - lack: What is missing there, as a clause; nil where that is not clear.
  ///   - remedy: What was expected in its place; nil for an adapter.
  /// - Returns: A sentence without its full stop; nil where what it wrote is that of an adapter.
  public func atStart(of command: String, lack: String?, remedy: String? = nil) -> String? {
    let remedy =
      remedy
      ?? "expected an adapter, which reads lines of JSON and answers each; 'kennel new adapter python' writes one"
    let expected = (lack.map { ": \($0)" } ?? "") + "; " + remedy
    return switch self {
    case let .ended(ending): "\(command) ended at once (\(ending))\(expected)"
    case let .unfinishedLine(line, ending):
      "\(command) printed \(line) and ended (\(ending))\(expected)"
    case let .notJSON(line, reason) where !line.isEmpty:
      "\(command) printed \(line); expected lines of JSON and nothing else (\(reason))"
    case let .silent(milliseconds, false, nil):
      "\(command) printed nothing for \(text(of: milliseconds))\(expected)"
        + (lack == nil
          ? "; does it read line by line, and flush each line that it writes?" : "")
    default: nil
    }
  }

  private func silence(_ milliseconds: Int, _ hasWritten: Bool, _ line: String?) -> String {
    let time = text(of: milliseconds)
    if let line { return "the adapter did not end a line with a line feed for \(time): \(line)" }
    return hasWritten
      ? "the adapter wrote lines, but not idle for \(time)"
      : "the adapter did not answer for \(time); expected a line with idle at its end: does it read line by "
        + "line, and flush each line that it writes?"
  }

  /// `5 s`, `250 ms`.
  private func text(of milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
