import ClientInterface
import Conformance
import ReferenceClient
import Testing
import Wire

@Suite struct InvariantSoundnessTests {
  @Test(arguments: Profile.all)
  func `random sessions of the reference client break nothing`(profile: Profile) {
    #expect(Self.found(profile, seeds: 1...100) { ReferenceClient(profile: $0) } == [])
  }

  @Test(arguments: Variation.all)
  func `clients that differ where they may break nothing`(variation: Variation) {
    let found = Self.found(.wilddog2, seeds: 1...20) { profile in
      MutantClient(client: ReferenceClient(profile: profile), corrupt: variation.change)
    }

    #expect(found == [])
  }

  private static func found(
    _ profile: Profile, seeds: ClosedRange<UInt64>, client: @escaping (Profile) -> any SyncClient
  ) -> [String] {
    seeds.flatMap { seed -> [String] in
      var session = Session(seed: seed, profile: profile, client: client)
      session.run()
      return session.lines.map { "seed \(seed): \($0)" }
    }
  }
}

/// Something that a conforming client may do otherwise than the reference client.
struct Variation: Sendable, CustomStringConvertible {
  var description: String
  var change: @Sendable (ClientInput, [ClientOutput], inout MutantClient.Memory) -> [ClientOutput]

  static let all = [
    Variation(description: "the order of a value is not told") { _, outputs, _ in
      outputs.map { $0.changingOrder { _ in .unstated } }
    },
    Variation(description: "the order of a value is listed") { _, outputs, _ in
      outputs.map { output in
        output.changingOrder { event in event.childKeys.map { .listed($0) } ?? .unstated }
      }
    },
    Variation(description: "the parts of an update go out in another order") { _, outputs, _ in
      outputs.map { output in
        guard case let .send(.request(number, request)) = output else { return output }
        switch request {
        case let .merge(path, parts, hash):
          return .send(.request(number, .merge(path, parts.reversed(), hash: hash)))
        case let .onDisconnectMerge(path, parts):
          return .send(.request(number, .onDisconnectMerge(path, parts.reversed())))
        default: return output
        }
      }
    },
    Variation(description: "a client shows keep-alives") { input, outputs, _ in
      guard case .frame(.hello) = input else { return outputs }
      return outputs + [.send(.ping), .setTimer(99, after: .seconds(45), .keepAlive)]
    },
    Variation(description: "a client tries again without delay") { _, outputs, _ in
      outputs.map { output in
        guard case let .setTimer(id, _, .backOff) = output else { return output }
        return .setTimer(id, after: .milliseconds(1), .backOff)
      }
    },
    Variation(description: "ends are told after everything else") { _, outputs, _ in
      outputs.filter { !$0.isEnd } + outputs.filter(\.isEnd)
    },
    Variation(description: "frames go out after the events") { _, outputs, _ in
      let frames = outputs.filter(\.isFrame)
      if outputs.contains(.disconnect) || outputs.contains(.connect) { return outputs }
      return outputs.filter { !$0.isFrame } + frames
    },
    Variation(description: "a client talks to its developer") { _, outputs, _ in
      outputs.flatMap { [.log("about to do something"), $0] }
    },
  ]
}

extension ClientOutput {
  fileprivate func changingOrder(_ order: (Event) -> Event.ChildOrder) -> ClientOutput {
    guard case var .event(event) = self, event.type == .value else { return self }
    event.order = order(event)
    return .event(event)
  }

  fileprivate var isFrame: Bool {
    if case .send = self { true } else { false }
  }
}
