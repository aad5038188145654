public import ClientInterface
public import Tree

/// What may go wrong between a client's WebSocket and the server, in real time.
public enum LineFault: Hashable, Sendable {
  /// What goes over a line takes this long, each way, in order.
  case latency(ClosedRange<Interval>)
  /// The line breaks when the client has sent so many frames; the last of them still arrives.
  case cut(after: Int)
  /// The same, but nothing that the last of them brings about comes back.
  case loseAnswer(after: Int)
  /// From then on nothing arrives at either end, and nobody is told.
  case halfOpen(after: Int)
  /// What the server sends after so many frames waits for this long.
  case stall(after: Int, Interval)
  /// Nobody can connect from this long after the start, for that long.
  case refuse(from: Interval, Interval)
  /// The server learns only so much later that a line has ended.
  case lateEnd(Interval)
}

/// The faults that hold, and for how many lines each; the first lines come first.
public struct FaultPlan: Hashable, Sendable {
  public struct Rule: Hashable, Sendable {
    public var fault: LineFault
    /// On how many lines it strikes; `nil` for all.
    public var times: Int?

    public init(_ fault: LineFault, times: Int? = nil) {
      self.fault = fault
      self.times = times
    }
  }

  public var rules: [Rule]

  public init(_ rules: [Rule] = []) { self.rules = rules }
}

/// Why a plan means nothing.
public struct FaultPlanError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

extension FaultPlan {
  /// Reads a list of mappings, each with the name of a `fault` and what it needs. Times are in
  /// milliseconds.
  ///
  /// - Throws: `FaultPlanError`, which names the mapping by its number.
  public init(json: JSON) throws(FaultPlanError) {
    guard let elements = json.elements else {
      throw FaultPlanError("the plan is \(json.kind), expected a list of faults")
    }
    rules = []
    for (index, element) in elements.enumerated() {
      rules.append(try RuleReader(json: element, number: index + 1).rule())
    }
  }
}

/// Reads one mapping of a plan.
private struct RuleReader {
  let json: JSON
  let number: Int

  private static let members: [(fault: String, members: [String])] = [
    ("latency", ["from", "to"]), ("cut", ["after"]), ("lose-answer", ["after"]),
    ("half-open", ["after"]), ("stall", ["after", "for"]), ("refuse", ["from", "for"]),
    ("late-end", ["for"]),
  ]

  func error(_ text: String) -> FaultPlanError { FaultPlanError("fault \(number): \(text)") }

  func rule() throws(FaultPlanError) -> FaultPlan.Rule {
    let name = json["fault"]?.string ?? ""
    guard let known = Self.members.first(where: { $0.fault == name }) else {
      let names = Self.members.map(\.fault).joined(separator: ", ")
      throw error("\"fault\" is \(json["fault"]?.text ?? "missing"), expected one of \(names)")
    }
    for member in json.members ?? []
    where !(known.members + ["fault", "times"]).contains(member.name) {
      throw error(
        "\(name) has no \"\(member.name)\"; it has \(known.members.joined(separator: ", "))")
    }
    let times = json["times"] == nil ? nil : try count("times")
    return FaultPlan.Rule(try fault(name), times: times)
  }

  private func fault(_ name: String) throws(FaultPlanError) -> LineFault {
    switch name {
    case "latency":
      let (from, to) = (try time("from"), try time("to"))
      guard from <= to else { throw error("\"from\" is more than \"to\"") }
      return .latency(from...to)
    case "cut": return .cut(after: try count("after"))
    case "lose-answer": return .loseAnswer(after: try count("after"))
    case "half-open": return .halfOpen(after: try count("after"))
    case "stall": return .stall(after: try count("after"), try time("for"))
    case "refuse": return .refuse(from: try time("from"), try time("for"))
    default: return .lateEnd(try time("for"))
    }
  }

  private func count(_ member: String) throws(FaultPlanError) -> Int {
    guard let count = json[member]?.integer, count > 0 else {
      throw error("\"\(member)\" is \(json[member]?.text ?? "missing"), expected a number above 0")
    }
    return count
  }

  private func time(_ member: String) throws(FaultPlanError) -> Interval {
    guard let time = json[member]?.integer, (0...3_600_000).contains(time) else {
      throw error(
        "\"\(member)\" is \(json[member]?.text ?? "missing"), expected milliseconds, up to an hour")
    }
    return .milliseconds(time)
  }
}
