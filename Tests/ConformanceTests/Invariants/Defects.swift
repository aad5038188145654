import ClientInterface
import Tree
import Wire

extension Defect {
  static let all = events + values + ends + frames + laws + restoring

  private static let events: [Defect] = [
    .event("an addition is raised twice", "INV-1") { event, _ in
      event.type == .childAdded ? [event, event] : [event]
    },
    .event("a removal is raised twice", "INV-2") { event, _ in
      event.type == .childRemoved ? [event, event] : [event]
    },
    .event("a removal names a child", "INV-57") { event, _ in
      var event = event
      if event.type == .childRemoved { event.previous = .key("other") }
      return [event]
    },
    .event("a removal brings nothing", "INV-3") { event, _ in
      var event = event
      if event.type == .childRemoved { event.value = .empty }
      return [event]
    },
    Defect("the value comes first", "INV-4") { _, outputs, _ in
      let values = outputs.filter { $0.isEvent(.value) }
      guard !values.isEmpty, let first = outputs.firstIndex(where: \.isEvent) else {
        return outputs
      }
      return outputs[..<first] + values + outputs[first...].filter { !$0.isEvent(.value) }
    },
    .event("a change is kept quiet", "INV-5") { event, _ in
      event.type == .childChanged ? [] : [event]
    },
    .event("a move is kept quiet", "INV-6") { event, _ in
      event.type == .childMoved ? [] : [event]
    },
    .event("every child is the first", "INV-7") { event, _ in
      var event = event
      if event.setsPosition { event.previous = .first }
      return [event]
    },
    Defect("what was raised last comes first", "INV-8") { _, outputs, _ in
      let isChild = { (output: ClientOutput) in output.isEvent && !output.isEvent(.value) }
      let positions = outputs.indices.filter { isChild(outputs[$0]) }
      var result = outputs
      for (position, source) in zip(positions, positions.reversed()) {
        result[position] = outputs[source]
      }
      return result
    },
    .event("a value is raised twice", "INV-9") { event, _ in
      event.type == .value ? [event, event] : [event]
    },
    .event("a window has one too many", "INV-10") { event, memory in
      var event = event
      guard event.type == .value, memory.listeners[event.listener]?.query.limit != nil else {
        return [event]
      }
      for key in ["zz1", "zz2", "zz3"] { event.value = event.value.setting(Node(1), at: Key(key)) }
      return [event]
    },
    .event("a window has what is out of range", "INV-11") { event, memory in
      var event = event
      guard event.type == .value, memory.listeners[event.listener]?.query.start != nil else {
        return [event]
      }
      event.value = event.value.setting(Node(-100), at: Key("A"))
      return [event]
    },
    .event("every kind of event is raised", "INV-13") { event, _ in
      guard event.type == .childAdded else { return [event] }
      var other = event
      other.type = .childMoved
      return [event, other]
    },
  ]

  private static let values: [Defect] = [
    Defect("one change is raised as two", "INV-12") { _, outputs, _ in
      outputs.flatMap { output -> [ClientOutput] in
        guard case let .event(event) = output, event.type == .value else { return [output] }
        var first = event
        first.value = first.value.setting(Node("half"), at: Key("half"))
        return [.event(first), output]
      }
    },
    Defect("removed listeners go on receiving", "INV-14") { input, outputs, memory in
      for case let .event(event) in outputs where event.type == .value {
        memory.held = [.event(event)]
      }
      if case let .call(_, .unlisten(id, _)) = input, case let .event(event)? = memory.held.first {
        var late = event
        late.listener = id
        return outputs + [.event(late)]
      }
      return outputs
    },
    Defect("a cancellation is told twice", "INV-15") { _, outputs, _ in
      outputs.flatMap { output -> [ClientOutput] in
        if case .cancelled = output { [output, output] } else { [output] }
      }
    },
    Defect("a single read is told twice", "INV-16") { input, outputs, _ in
      guard case .call(_, .once) = input else { return outputs }
      return outputs.flatMap { $0.isEvent(.value) ? [$0, $0] : [$0] }
    },
    Defect("local writes are not shown", "INV-22") { input, outputs, _ in
      if case .call(_, .set) = input { outputs.filter { !$0.isEvent } } else { outputs }
    },
    Defect("pending writes flicker", "INV-23") { input, outputs, memory in
      if case .call(_, .set) = input { memory.number += 1 }
      guard case .frame(.put) = input, memory.number > 0 else { return outputs }
      return outputs.map { output in
        guard case let .event(event) = output, event.type == .value else { return output }
        var old = event
        old.value = Node("flicker")
        return .event(old)
      }
    },
    Defect("an update is shown in part", "INV-24") { input, outputs, _ in
      guard case let .call(_, .update(_, assignments)) = input, assignments.count > 1,
        let part = assignments.last
      else { return outputs }
      return outputs.map { output in
        guard case let .event(event) = output, event.type == .value else { return output }
        var poorer = event
        poorer.value = event.value.setting(Node("old"), at: part.path)
        return .event(poorer)
      }
    },
    Defect("refused writes stay", "INV-25") { input, outputs, _ in
      guard case let .frame(.response(response)) = input, response.status != "ok" else {
        return outputs
      }
      return outputs.filter { !$0.isEvent }
    },
  ]
}

extension ClientOutput {
  var isEvent: Bool {
    if case .event = self { true } else { false }
  }

  func isEvent(_ type: EventType) -> Bool {
    if case let .event(event) = self { event.type == type } else { false }
  }
}

extension Event {
  fileprivate var setsPosition: Bool { type == .childAdded || type == .childMoved }
}
