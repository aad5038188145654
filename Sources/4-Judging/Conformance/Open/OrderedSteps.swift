internal import ClientInterface
internal import Faults
internal import Scenario
internal import Simulator

/// Concurrent steps that stay in their order: the calls of one client, what affects its process and
/// its network, or what happens at the server.
///
/// What affects a client has a lane of its own, so that it can strike between any two of its calls.
struct OrderedSteps {
  let owner: Owner
  var steps: ArraySlice<Step>

  enum Owner: Hashable {
    case calls(ClientIndex)
    case environment(ClientIndex)
    case server
    case everyone
  }

  /// The steps in lanes, which are in the order of their first steps.
  static func lanes(of steps: [Step], _ clients: Registry) -> [OrderedSteps] {
    var lanes: [OrderedSteps] = []
    for step in steps {
      let owner = owner(of: step, clients)
      if let index = lanes.firstIndex(where: { $0.owner == owner }) {
        lanes[index].steps.append(step)
      } else {
        lanes.append(OrderedSteps(owner: owner, steps: [step]))
      }
    }
    return lanes
  }

  private static func owner(of step: Step, _ clients: Registry) -> Owner {
    func environment(_ client: String?) -> Owner {
      client.flatMap { clients.index(of: $0) }.map { .environment($0) } ?? .everyone
    }
    if step.trigger != nil { return .everyone }
    if let call = step.action.call {
      return clients.index(of: call.client).map { .calls($0) } ?? .everyone
    }
    guard let fault = step.action.fault else { return .everyone }
    return fault.kind.group == .server ? .server : environment(fault.client)
  }

  /// What the next step can read or change.
  var reach: Footprint {
    guard let next = steps.first else { return .anything }
    return reach(of: next)
  }

  private func reach(of step: Step) -> Footprint {
    switch owner {
    case let .calls(client): .call(of: client.number)
    case let .environment(client): .fault(of: client.number)
    // The rest concerns clients by more than what the server sends them.
    case .server:
      (step.action.fault?.kind.traits.contains(.dependsOnTraffic) ?? true)
        ? .anything : .serverWrite
    case .everyone: .anything
    }
  }
}
