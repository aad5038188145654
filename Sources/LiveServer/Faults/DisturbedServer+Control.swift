public import ClientInterface
internal import Document
internal import ReferenceServer
public import Tree
internal import Wire

// What whoever runs the server can look at and change while it runs.

extension DisturbedServer {
  /// Answers a request that came by the port for control.
  public mutating func control(
    _ request: HTTPRequest, at now: Instant, into effects: inout [Effect]
  ) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("GET", "/faults"): return HTTPResponse(200, json: plan.json)
    case ("PUT", "/faults"): return replacePlan(request, at: now)
    case ("POST", "/cut"):
      let sockets = server.carried.keys.sorted()
      for socket in sockets { cut(socket, into: &effects) }
      return HTTPResponse(200, json: ["cut": .number(Double(sockets.count))])
    default:
      return .error(
        404,
        "expected GET /connections, GET /faults, PUT /faults or POST /cut, not"
          + " \(request.method) \(request.path)")
    }
  }

  private mutating func replacePlan(_ request: HTTPRequest, at now: Instant) -> HTTPResponse {
    do throws(JSONError) {
      let json = try JSON(parsing: request.body)
      do throws(FaultPlanError) {
        plan = try FaultPlan(json: json)
        start(at: now)
        return HTTPResponse(200, json: plan.json)
      } catch {
        return .error(400, "\(error)")
      }
    } catch {
      return .error(400, "the plan is no JSON: \(error)")
    }
  }
}

extension FaultPlan {
  /// The plan in the form in which it is read.
  public var json: JSON {
    .array(
      rules.map { rule in
        var members = rule.fault.members
        if let times = rule.times { members.append(.init("times", .number(Double(times)))) }
        return .object(members)
      })
  }
}

extension LineFault {
  fileprivate var members: [JSON.Member] {
    func fault(_ name: String, _ rest: (String, Double)...) -> [JSON.Member] {
      [JSON.Member("fault", .string(name))] + rest.map { JSON.Member($0.0, .number($0.1)) }
    }
    switch self {
    case let .latency(range):
      return fault(
        "latency", ("from", range.lowerBound.milliseconds), ("to", range.upperBound.milliseconds))
    case let .cut(count): return fault("cut", ("after", Double(count)))
    case let .loseAnswer(count): return fault("lose-answer", ("after", Double(count)))
    case let .halfOpen(count): return fault("half-open", ("after", Double(count)))
    case let .stall(count, time):
      return fault("stall", ("after", Double(count)), ("for", time.milliseconds))
    case let .refuse(from, time):
      return fault("refuse", ("from", from.milliseconds), ("for", time.milliseconds))
    case let .lateEnd(time): return fault("late-end", ("for", time.milliseconds))
    }
  }
}
