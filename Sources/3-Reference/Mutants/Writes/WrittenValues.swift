internal import ClientInterface
internal import Interception
internal import ReferenceClient
internal import Tree
internal import Wire

// What a write writes.

extension Mutant {
  static let writtenValueMutants = [
    writing(
      "booleans-are-numbers", "Booleans are written as 1 and 0.", violating: "VAL-1 VAL-12"
    ) { _, node in
      node = node.mappingScalars { scalar in
        if case let .bool(bool) = scalar { bool ? 1 : 0 } else { scalar }
      }
    },
    writing(
      "lists-begin-at-one", "The first element of a list is written under the key 1.",
      violating: "VAL-5"
    ) { _, node in
      guard !node.children.isEmpty, node.children.keys.allSatisfy({ $0.integer != nil }) else {
        return
      }
      node = Node(
        Children(node.children.map { (Key(String(($0.key.integer ?? 0) + 1)), $0.node) }))
    },
    writing(
      "inner-priorities-are-lost", "Priorities inside of a written value are lost.",
      violating: "PRI-9", in: [.wilddog2, .firebase]
    ) { _, node in
      guard !node.isScalar else { return }
      node = Node(
        Children(node.children.map { ($0.key, $0.node.withoutPriorities) }),
        priority: node.priority)
    },
    writing(
      "priority-zero-by-default", "What is written without a priority gets 0.",
      violating: "PRI-13"
    ) { _, node in
      if !node.isEmpty, node.priority == nil { node = node.settingPriority(0) }
    },
    writing(
      "server-time-is-no-priority", "The placeholder for the time is lost as a priority.",
      violating: "SRV-7"
    ) { _, node in
      if case .serverValue? = node.priority { node = node.settingPriority(nil) }
    },
    writing(
      "inner-placeholders-are-lost", "A placeholder inside of a written value is written as 0.",
      violating: "SRV-9"
    ) { _, node in
      guard !node.isScalar else { return }
      node = node.mappingScalars { if case .serverValue = $0 { 0 } else { $0 } }
    },
    Mutant(
      "set-keeps-the-priority", "A set keeps the priority that the location had.",
      violating: "WRT-3 PRI-5"
    ) { input, model in
      guard case let .call(call, .set(path, node)) = input, node.priority == nil,
        let priority = model.node(at: path)?.priority
      else { return [input] }
      return [.call(call, .set(path, node.settingPriority(priority)))]
    },
    Mutant(
      "set-is-a-merge", "A set leaves the children that it does not name.", violating: "WRT-1"
    ) { input, _ in
      guard case let .call(call, .set(path, node)) = input, !node.children.isEmpty else {
        return [input]
      }
      let parts = node.children.map { Assignment(Path([$0.key]), $0.node) }
      return [.call(call, .update(path, parts))]
    },
    Mutant(
      "null-is-not-written", "A set of null is not sent.", violating: "VAL-2 WRT-2"
    ) { step in
      guard case .set(_, .empty)? = step.operation else { return step.outputs }
      return step.withoutRequests(\.isPlainWrite).filter { $0.event == nil }
    },
    Mutant(
      "writes-replace-siblings", "A write of a child replaces the children beside it.",
      violating: "VAL-11"
    ) { input, _ in
      guard case let .call(call, .set(path, node)) = input, path.count > 1,
        let key = path.key, let parent = path.parent
      else { return [input] }
      return [.call(call, .set(parent, Node(Children([(key, node)]))))]
    },
    Mutant(
      "leaves-stay-leaves", "A write below a leaf is ignored.", violating: "VAL-10 WRT-22"
    ) { input, model in
      guard case let .call(_, operation) = input, operation.isPlainWrite,
        let parent = operation.path?.parent, model.node(at: parent)?.isScalar == true
      else { return [input] }
      return []
    },
    Mutant(
      "deep-writes-are-lost", "A write below a location that does not exist is not sent.",
      violating: "REF-1 WRT-26"
    ) { step in
      step.withoutRequests { request in
        guard request.isPlainWrite, let path = request.path, path.count > 1 else { return false }
        return step.before.node(at: Path(Array(path.keys.prefix(1))))?.isEmpty ?? true
      }
    },
    Mutant(
      "writes-need-a-listener", "A write is sent where something is listened to, nowhere else.",
      violating: "WRT-19"
    ) { step in
      step.before.order.isEmpty ? step.withoutRequests(\.isPlainWrite) : step.outputs
    },
    Mutant(
      "value-then-priority", "Value and priority are written one after the other.",
      violating: "PRI-6"
    ) { input, _ in
      guard case let .call(call, .set(path, node)) = input, let priority = node.priority else {
        return [input]
      }
      return [
        .call(CallID(call.name + " value"), .set(path, node.settingPriority(nil))),
        .call(call, .setPriority(path, priority.json)),
      ]
    },
    Mutant(
      "priority-alone-sets-the-value", "Setting the priority alone sets the value to true.",
      violating: "PRI-7"
    ) { input, model in
      guard case let .call(call, .setPriority(path, priority)) = input,
        model.node(at: path)?.isEmpty == false
      else { return [input] }
      return [.call(call, .set(path, Node(true, priority: Scalar(priority))))]
    },
    Mutant(
      "priority-creates", "Setting the priority of an empty location writes true there.",
      violating: "PRI-8"
    ) { input, model in
      guard case let .call(call, .setPriority(path, given)) = input, let priority = Scalar(given),
        model.node(at: path)?.isEmpty == true
      else { return [input] }
      return [.call(call, .set(path, Node(true, priority: priority)))]
    },
    Mutant(
      "priorities-end-at-once", "Setting a priority succeeds without waiting for the server.",
      violating: "PRI-15"
    ) { step in
      guard case let .call(call, .setPriority) = step.input,
        step.outputs.contains(where: { $0.event != nil })
      else { return step.outputs }
      return step.outputs + [.completed(call, .ok)]
    },
  ]

  private static func writing(
    _ name: String, _ sentence: String, violating rules: String,
    in profiles: [Profile] = Profile.all,
    _ change: @escaping @Sendable (Path, inout Node) -> Void
  ) -> Mutant {
    Mutant(name, sentence, violating: rules, in: profiles) { input, _ in
      guard case .call(let call, .set(let path, var node)) = input else { return [input] }
      change(path, &node)
      return [.call(call, .set(path, node))]
    }
  }
}
