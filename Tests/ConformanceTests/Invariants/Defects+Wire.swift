import ClientInterface
import Tree
import Wire

extension Defect {
  static let ends: [Defect] = [
    Defect("writes end twice", "INV-17") { _, outputs, _ in
      outputs.flatMap { output -> [ClientOutput] in
        if case .completed = output { [output, output] } else { [output] }
      }
    },
    Defect("writes end at once", "INV-18") { input, outputs, _ in
      let rest = outputs.filter { !$0.isEnd }
      if case let .call(call, .set) = input { return rest + [.completed(call, .ok)] }
      return rest
    },
    Defect("writes end in pairs, the later first", "INV-19") { _, outputs, memory in
      let ends = outputs.filter(\.isEnd)
      memory.held = ends + memory.held
      guard memory.held.count > 1 else { return outputs.filter { !$0.isEnd } }
      defer { memory.held = [] }
      return outputs.filter { !$0.isEnd } + memory.held
    },
    Defect("ends come before events", "INV-20") { _, outputs, _ in
      outputs.filter(\.isEnd) + outputs.filter { !$0.isEnd }
    },
    Defect("a commit tells another value", "INV-21") { _, outputs, _ in
      outputs.map { output in
        guard case let .completed(call, completion) = output, completion.committed == true else {
          return output
        }
        return .completed(call, Completion(committed: true, value: Node("other")))
      }
    },
    Defect("keys are made up", "INV-26") { input, outputs, _ in
      guard case .call(_, .push(_, nil)) = input else { return outputs }
      return outputs.map { output in
        guard case let .answered(call, _) = output else { return output }
        return .answered(call, "-0000000000000000000")
      }
    },
    Defect("keys are of another century", "INV-56") { input, outputs, _ in
      guard case .call(_, .push(_, nil)) = input else { return outputs }
      return outputs.map { output in
        guard case let .answered(call, key) = output, let text = key.string else { return output }
        return .answered(call, .string("0" + text.dropFirst()))
      }
    },
    Defect("failed transactions have committed", "INV-58") { _, outputs, _ in
      outputs.map { output in
        guard case .completed(let call, var completion) = output, completion.error != nil,
          completion.committed != nil
        else { return output }
        completion.committed = true
        return .completed(call, completion)
      }
    },
    Defect("being connected is told too early", "INV-27") { input, outputs, _ in
      outputs.map { output in
        guard case let .event(event) = output, event.value == Node(false) else { return output }
        var wrong = event
        wrong.value = Node(true)
        return .event(wrong)
      }
    },
    Defect("nothing is ever ended", "INV-39") { _, outputs, _ in outputs.filter { !$0.isEnd } },
    Defect("the last event is lost", "INV-40") { input, outputs, _ in
      guard case .frame(.merge) = input else { return outputs }
      return outputs.filter { !$0.isEvent }
    },
  ]

  /// What is wrong when a connection begins.
  static let restoring: [Defect] = [
    Defect("a broken connection is not tried again", "INV-53") { input, outputs, _ in
      guard input == .closed else { return outputs }
      return outputs.filter { output in
        if case .setTimer(_, _, .backOff) = output { false } else { true }
      }
    },
    Defect("on-disconnect requests without a connection are lost", "INV-54") { input, outputs, _ in
      guard case .frame(.hello) = input else { return outputs }
      return outputs.filter { output in
        switch output {
        case .send(.request(_, .onDisconnectPut)), .send(.request(_, .onDisconnectMerge)),
          .send(.request(_, .onDisconnectCancel)):
          false
        default: true
        }
      }
    },
  ]

  static let frames: [Defect] = [
    Defect("a frame goes out at once", "INV-28") { input, outputs, _ in
      input == .opened ? outputs + [.send(.request(1, .stats([])))] : outputs
    },
    Defect("tries are an hour apart", "INV-29") { _, outputs, _ in
      outputs.map { output in
        guard case let .setTimer(id, _, .backOff) = output else { return output }
        return .setTimer(id, after: .seconds(3600), .backOff)
      }
    },
    Defect("offline is not for long", "INV-30") { input, outputs, _ in
      if case .call(_, .goOffline) = input { outputs + [.connect] } else { outputs }
    },
    .request("all requests have one number", "INV-31") { _, request in
      [.send(.request(1, request))]
    },
    .request("listens go out twice", "INV-32") { number, request in
      guard case .listen = request else { return [.send(.request(number, request))] }
      return [.send(.request(number, request)), .send(.request(number, request))]
    },
    .request("listens are taken back twice", "INV-33") { number, request in
      guard case .unlisten = request else { return [.send(.request(number, request))] }
      return [.send(.request(number, request)), .send(.request(number, request))]
    },
    .request("listens claim to have other data", "INV-55") { number, request in
      guard case var .listen(listen) = request else { return [.send(.request(number, request))] }
      if !listen.hash.isEmpty { listen.hash = "b3RoZXIgZGF0YQ==" }
      return [.send(.request(number, .listen(listen)))]
    },
    .request("writes go out twice", "INV-34") { number, request in
      guard case .put(_, _, nil) = request else { return [.send(.request(number, request))] }
      return [.send(.request(number, request)), .send(.request(number, request))]
    },
    .request("requests about the end go out twice", "INV-35") { number, request in
      guard case .onDisconnectPut = request else { return [.send(.request(number, request))] }
      return [.send(.request(number, request)), .send(.request(number, request))]
    },
    Defect("the first request about the end is left out", "INV-35") { _, outputs, memory in
      outputs.filter { output in
        guard memory.held.isEmpty, case .send(.request(_, .onDisconnectPut)) = output else {
          return true
        }
        memory.held = [output]
        return false
      }
    },
    .request("everything below is listened to as well", "INV-36") { number, request in
      guard case let .listen(listen) = request, listen.query == nil else {
        return [.send(.request(number, request))]
      }
      var below = listen
      below.path = listen.path.appending(Key("below"))
      return [
        .send(.request(number, request)), .send(.request(number + 1_000_000, .listen(below))),
      ]
    },
    .request("filtered listens are forgotten", "INV-37") { number, request in
      if case let .listen(listen) = request, listen.query != nil { return [] }
      return [.send(.request(number, request))]
    },
    .request("listens are not taken back", "INV-38") { number, request in
      if case .unlisten = request { return [] }
      return [.send(.request(number, request))]
    },
  ]
}

extension ClientOutput {
  var isEnd: Bool {
    if case .completed = self { true } else { false }
  }
}
